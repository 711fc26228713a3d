/**
 * Tables: lists and objects as rows of cells, made by the server so that clients need not know the kinds (document 1, "Table
 * representation"; cells recorded).
 */
import { COLUMN_TEXTS, TABLE_COLUMNS } from '../facts/table-columns'
import { GROUP } from '../names'
import { apiVersionOf, type Json, type JsonObject, type KubeObject } from '../object'
import { type MetaVersion, partialObjectMetadata } from './partial-metadata'
import { autoscalingTables } from './tables/autoscaling'
import { clusterTables, scaleTable } from './tables/cluster'
import { coreTables } from './tables/core'
import { eventTables } from './tables/events'
import { networkingTables } from './tables/networking'
import { podTables } from './tables/pods'
import { policyTables } from './tables/policies'
import { age, type ResourceTable, type ResourceTables } from './tables/resource-table'
import { storageTables } from './tables/storage'
import { workloadTables } from './tables/workloads'

export interface TableColumn {
  name: string
  type: string
  format: string
  description: string
  priority: number
}

/** What each row carries of its object (the query parameter; `Metadata` unless it says otherwise). */
export type IncludeObject = 'None' | 'Metadata' | 'Object'

export interface TableOptions {
  /** Milliseconds since the epoch, for ages. */
  now: number
  includeObject: IncludeObject
  /** False for all but the first event of a watch. */
  withColumns: boolean
  /** The list's metadata, or `resourceVersion` alone for one object or one event. */
  listMeta: JsonObject
  /** The version of the Table itself; `v1` if absent. */
  version?: MetaVersion
  /** An object as the version that the columns speak of, where it is not the one asked for (autoscaling/v1 is shown as v2). */
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

/**
 * The Table of a built-in resource. Resources without columns of their own (and without a subresource `scale`) have `Name` and
 * `Created At`.
 * @param resource its `subresource` matters for `scale` only: others show their parent's columns
 */
export function tableOf(
  resource: { group: string; version: string; resource: string; subresource?: string },
  objects: KubeObject[],
  options: TableOptions,
): JsonObject {
  const name = resource.group === '' ? resource.resource : `${resource.resource}.${resource.group}`
  if (resource.subresource === 'scale') return tableOfRows(columnsOf('scale'), objects, rowMaker('scale', scaleTable, options), options)
  const own = TABLES[name]
  if (own === undefined) return defaultTable(objects, options)
  const ordered = own.order === undefined ? objects : [...objects].sort(own.order)
  return tableOfRows(columnsOf(name), ordered, rowMaker(name, own, options), options)
}

/** How one row begins; its object is added by `includeObject`. */
interface Row {
  cells: Json[]
  conditions?: JsonObject[]
}

function rowMaker(name: string, own: ResourceTable, options: TableOptions): (object: KubeObject) => Row {
  const columns = (TABLE_COLUMNS[name] ?? []).map(([column]) => column)
  return (object) => {
    const shown = options.asShown?.(object) ?? object
    const cells = own.cells(shown, options.now)
    const row: Row = { cells: columns.map((column) => cells[column] ?? commonCell(column, shown, options.now)) }
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

/**
 * A Table of any columns and rows: what `tableOf` and the tables of custom resources are made of.
 * @param rowOf the cells of one object, in the order of the columns
 */
export function tableOfRows(
  columns: TableColumn[],
  objects: KubeObject[],
  rowOf: (object: KubeObject) => Row,
  options: TableOptions,
): JsonObject {
  const { includeObject, version = 'v1' } = options
  return {
    kind: 'Table',
    apiVersion: apiVersionOf(GROUP.meta, version),
    metadata: options.listMeta,
    columnDefinitions: options.withColumns ? (columns as unknown as JsonObject[]) : null,
    rows: objects.map((object) => ({ ...rowOf(object), object: rowObject(object, version, includeObject) }) as unknown as JsonObject),
  }
}

function rowObject(object: KubeObject, version: MetaVersion, include: IncludeObject): KubeObject | null {
  if (include === 'None') return null
  return include === 'Object' ? object : partialObjectMetadata(object, version)
}

/** `Name` and `Created At`. Without objects it has no list of rows at all (recorded: `null`). */
function defaultTable(objects: KubeObject[], options: TableOptions): JsonObject {
  const cells = ({ metadata }: KubeObject): Json[] => [metadata.name ?? '', metadata.creationTimestamp ?? null]
  const result = tableOfRows(columnsOf('limitranges'), objects, (object) => ({ cells: cells(object) }), options)
  return objects.length === 0 ? { ...result, rows: null } : result
}

const COLUMNS = new Map<string, TableColumn[]>()

function columnsOf(name: string): TableColumn[] {
  let columns = COLUMNS.get(name)
  if (columns === undefined) {
    columns = (TABLE_COLUMNS[name] ?? []).map(([column, type, format, text, priority]) => ({
      name: column,
      type,
      format,
      description: COLUMN_TEXTS[text] ?? '',
      priority,
    }))
    COLUMNS.set(name, columns)
  }
  return columns
}

/** The texts that columns `Name` and `Age` have everywhere. */
export function commonColumn(name: 'Name' | 'Age'): TableColumn {
  return columnsOf('configmaps').find((column) => column.name === name) as TableColumn
}
