/** kubernetes.io, "Receiving resources as Tables". Cells recorded from kube-apiserver 1.31. */
import { memoizeByIdentity } from '../core/identity-memo'
import { GROUP } from '../core/names'
import { apiVersionOf, entryOf, type Json, type JsonObject, type KubeObject } from '../core/object'
import { baseTables } from '../release-tables/base-tables'
import type { ReleaseTables } from '../release-tables/tables'
import { escapeHtml } from '../schema/canonical'
import { type MetaVersion, metadataAlone, partialObjectMetadata } from './partial-metadata'
import { autoscalingTables } from './tables/autoscaling'
import { clusterTables, customScaleTable, scaleTable } from './tables/cluster'
import { coreTables } from './tables/core'
import { eventTables } from './tables/events'
import { networkingTables } from './tables/networking'
import { podTables } from './tables/pods'
import { policyTables } from './tables/policies'
import { age, BEGINNING, type ResourceTable, type ResourceTables } from './tables/resource-table'
import { storageTables } from './tables/storage'
import { workloadTables } from './tables/workloads'

export interface TableColumn {
  name: string
  type: string
  format: string
  description: string
  priority: number
}

/** `Metadata` by default. */
export type IncludeObject = 'None' | 'Metadata' | 'Object'

export interface TableOptions {
  /** Milliseconds since the epoch, for ages. */
  now: number
  includeObject: IncludeObject
  /** False for all but the first event of a watch. */
  withColumns: boolean
  /** One object has only `resourceVersion`. */
  listMeta: JsonObject
  version?: MetaVersion
  /** Converts to the version that the columns describe: autoscaling/v1 is shown as v2. */
  asShown?(object: KubeObject): KubeObject
}

const TABLES: ResourceTables = {
  ...autoscalingTables,
  ...clusterTables,
  ...coreTables,
  ...eventTables,
  ...networkingTables,
  ...podTables,
  ...policyTables,
  ...storageTables,
  ...workloadTables,
}

export interface TableParts {
  columns: TableColumn[]
  rows: Row[]
  /** Recorded for kinds without their own columns. */
  nullIfEmpty?: boolean
}

export interface Row {
  object: KubeObject
  cells: Json[]
  conditions?: JsonObject[]
}

interface ResourcePath {
  group: string
  version: string
  resource: string
  /** The group whose columns apply, if it differs. */
  errorGroup?: string
  /** For `scale` only: other subresources have their parent's columns. */
  subresource?: string
  custom?: boolean
  rules?: { table?: ResourceTable }
  tables?: ReleaseTables
}

export function tableOf(
  resource: ResourcePath,
  objects: KubeObject[],
  options: TableOptions,
): JsonObject {
  return tableDocument(tableParts(resource, objects, options), options)
}

/** A stored object's metadata is encoded once for all Tables. */
export function tableText(
  resource: ResourcePath,
  objects: KubeObject[],
  options: TableOptions,
): string {
  return tableDocumentText(tableParts(resource, objects, options), options)
}

/** Resources without columns have `Name` and `Created At`. */
function tableParts(
  resource: ResourcePath,
  objects: KubeObject[],
  options: TableOptions,
): TableParts {
  const { tables = baseTables() } = resource
  if (resource.subresource === 'scale') {
    const parts = partsOf(
      'scale',
      resource.custom ? customScaleTable : scaleTable,
      objects,
      options,
      tables,
    )
    return resource.custom ? { ...parts, columns: parts.columns.map(asOfCustom) } : parts
  }
  const nameIn = (group: string) =>
    group === '' ? resource.resource : `${resource.resource}.${group}`
  const [served, stored] = [nameIn(resource.group), nameIn(resource.errorGroup ?? resource.group)]
  const name = entryOf(TABLES, served) === undefined ? stored : served
  const own = resource.rules?.table ?? entryOf(TABLES, name)
  if (own === undefined) return defaultParts(objects, tables)
  return partsOf(
    name,
    own,
    own.order === undefined ? objects : [...objects].sort(own.order),
    options,
    tables,
  )
}

/** Other descriptions. Recorded from kube-apiserver 1.31. */
function asOfCustom(column: TableColumn): TableColumn {
  if (column.name === 'Name') return commonColumn('Name')
  if (column.name === 'Age') return { ...commonColumn('Age'), type: 'date' }
  const description =
    column.name === 'Desired' ? 'Number of desired replicas' : 'Number of actual replicas'
  return { ...column, description }
}

function partsOf(
  name: string,
  own: ResourceTable,
  objects: KubeObject[],
  options: TableOptions,
  tables: ReleaseTables,
): TableParts {
  return {
    columns: columnsOf(name, tables),
    rows: objects.map(rowMaker(name, own, options, tables)),
    ...(own.nullIfEmpty && { nullIfEmpty: true }),
  }
}

function rowMaker(
  name: string,
  own: ResourceTable,
  options: TableOptions,
  tables: ReleaseTables,
): (object: KubeObject) => Row {
  const columns = columnsOf(name, tables).map((column) => column.name)
  return (object) => {
    const shown = options.asShown?.(object) ?? object
    const cells = own.cells(shown, options.now, tables.changes)
    const row: Row = {
      object,
      cells: columns.map((column) => cells[column] ?? commonCell(column, shown, options.now)),
    }
    if (own.hasUnnamedAge) row.cells.push(age(shown, options.now))
    const conditions = own.conditions?.(shown)
    if (conditions) row.conditions = conditions
    return row
  }
}

function commonCell(column: string, object: KubeObject, now: number): Json {
  if (column === 'Name') return object.metadata.name ?? ''
  if (column === 'Age') return age(object, now)
  return null
}

function defaultParts(objects: KubeObject[], tables: ReleaseTables): TableParts {
  const cells = ({ metadata }: KubeObject): Json[] => [
    metadata.name ?? '',
    metadata.creationTimestamp ?? BEGINNING,
  ]
  return {
    columns: columnsOf('limitranges', tables),
    rows: objects.map((object) => ({ object, cells: cells(object) })),
    nullIfEmpty: true,
  }
}

export function tableDocument(
  { columns, rows, nullIfEmpty }: TableParts,
  options: TableOptions,
): JsonObject {
  const { includeObject, version = 'v1' } = options
  const written = rows.map(({ object, ...row }) => ({
    ...row,
    object: rowObject(object, version, includeObject),
  }))
  return {
    kind: 'Table',
    apiVersion: apiVersionOf(GROUP.meta, version),
    metadata: options.listMeta,
    columnDefinitions: options.withColumns ? (columns as unknown as JsonObject[]) : null,
    rows: written.length === 0 && nullIfEmpty ? null : (written as unknown as JsonObject[]),
  }
}

export function tableDocumentText(
  { columns, rows, nullIfEmpty }: TableParts,
  options: TableOptions,
): string {
  const { version = 'v1', listMeta, withColumns } = options
  const head = `{"kind":"Table","apiVersion":"${apiVersionOf(GROUP.meta, version)}","metadata":${jsonText(listMeta)}`
  const definitions = withColumns ? columnsText(columns) : 'null'
  let text = `${head},"columnDefinitions":${definitions},"rows":`
  if (rows.length === 0 && nullIfEmpty) return `${text}null}`
  // Thousands of rows are not copied twice.
  let before = '[{"cells":'
  for (const row of rows) {
    text += before
    text += jsonText(row.cells)
    if (row.conditions) text += `,"conditions":${jsonText(row.conditions)}`
    text += objectText(row.object, options)
    before = ',{"cells":'
  }
  return rows.length === 0 ? `${text}[]}` : `${text}]}`
}

function objectText(object: KubeObject, { includeObject, version = 'v1' }: TableOptions): string {
  if (includeObject === 'None') return ',"object":null}'
  if (includeObject === 'Object') return `,"object":${jsonText(object)}}`
  return METADATA_TEXTS[version](object)
}

const jsonText = (value: unknown): string => escapeHtml(JSON.stringify(value))

const metadataIn = (version: MetaVersion) =>
  memoizeByIdentity((object: KubeObject) => {
    const apiVersion = apiVersionOf(GROUP.meta, version)
    return `,"object":{"kind":"PartialObjectMetadata","apiVersion":"${apiVersion}","metadata":${jsonText(metadataAlone(object))}}}`
  })

/** Stored objects and columns never change. */
const METADATA_TEXTS: Record<MetaVersion, (object: KubeObject) => string> = {
  v1: metadataIn('v1'),
  v1beta1: metadataIn('v1beta1'),
}
const columnsText = memoizeByIdentity((columns: TableColumn[]) => jsonText(columns))

function rowObject(
  object: KubeObject,
  version: MetaVersion,
  include: IncludeObject,
): KubeObject | null {
  if (include === 'None') return null
  return include === 'Object' ? object : partialObjectMetadata(object, version)
}

const columnsByName = memoizeByIdentity((_: ReleaseTables) => new Map<string, TableColumn[]>())

function columnsOf(name: string, tables: ReleaseTables): TableColumn[] {
  const known = columnsByName(tables)
  let columns = known.get(name)
  if (columns === undefined) {
    columns = (entryOf(tables.table('tableColumns'), name) ?? []).map(
      ([column, type, format, description, priority]) => ({
        name: column,
        type,
        format,
        description,
        priority,
      }),
    )
    known.set(name, columns)
  }
  return columns
}

export function commonColumn(name: 'Name' | 'Age'): TableColumn {
  return columnsOf('configmaps', baseTables()).find((column) => column.name === name) as TableColumn
}
