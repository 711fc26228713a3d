/** Tables of custom resources. Recorded from kube-apiserver 1.31. */
import { memoizeByIdentity } from '../core/identity-memo'
import type { Json, JsonObject, KubeObject } from '../core/object'
import { since } from './duration'
import { type JsonPath, JsonPathError, parseJsonPath } from './json-path'
import {
  commonColumn,
  type TableColumn,
  type TableOptions,
  type TableParts,
  tableDocument,
  tableDocumentText,
} from './table'

export interface PrinterColumn {
  name: string
  type: string
  jsonPath: string
  format?: string
  description?: string
  priority?: number
}

const AGE_ALONE: PrinterColumn[] = [
  {
    name: 'Age',
    type: 'date',
    jsonPath: '.metadata.creationTimestamp',
    description: commonColumn('Age').description,
  },
]

export function tableOfColumns(
  columns: PrinterColumn[] | undefined,
  objects: KubeObject[],
  options: TableOptions,
): JsonObject {
  return tableDocument(columnParts(columns, objects, options), options)
}

export function tableTextOfColumns(
  columns: PrinterColumn[] | undefined,
  objects: KubeObject[],
  options: TableOptions,
): string {
  return tableDocumentText(columnParts(columns, objects, options), options)
}

function columnParts(
  columns: PrinterColumn[] | undefined,
  objects: KubeObject[],
  options: TableOptions,
): TableParts {
  const { definitions, readable } = compile(columns && columns.length > 0 ? columns : AGE_ALONE)
  const cells = (object: KubeObject): Json[] => [
    object.metadata.name ?? '',
    ...readable.map(({ type, path }) => cell(type, path(object as unknown as Json), options.now)),
  ]
  return { columns: definitions, rows: objects.map((object) => ({ object, cells: cells(object) })) }
}

interface Compiled {
  definitions: TableColumn[]
  readable: { type: string; path: JsonPath }[]
}

/** The columns before the first one with an invalid path. */
const compile = memoizeByIdentity((columns: PrinterColumn[]): Compiled => {
  const made: Compiled = { definitions: [commonColumn('Name')], readable: [] }
  try {
    for (const column of columns) {
      made.readable.push({ type: column.type, path: parseJsonPath(column.jsonPath) })
      made.definitions.push(definitionOf(column))
    }
  } catch (error) {
    if (!(error instanceof JsonPathError)) throw error
  }
  return made
})

function definitionOf({
  name,
  type,
  format = '',
  description,
  priority = 0,
  jsonPath,
}: PrinterColumn): TableColumn {
  return {
    name,
    type,
    format,
    description:
      description || `Custom resource definition column (in JSONPath format): ${jsonPath}`,
    priority,
  }
}

function cell(type: string, found: Json[], now: number): Json {
  const [value] = found
  if (value === undefined) return null
  switch (type) {
    case 'string':
      return printed(value)
    case 'integer':
      return typeof value === 'number' ? int64(value) : null
    case 'number':
      return typeof value === 'number' ? value : null
    case 'boolean':
      return typeof value === 'boolean' ? value : null
    case 'date':
      return typeof value === 'string' ? sinceDate(value, now) : null
    default:
      return null
  }
}

/** Go on amd64 converts a float outside of int64 to the smallest value. */
const int64 = (value: number): number =>
  Math.abs(value) < 2 ** 63 ? Math.trunc(value) : -(2 ** 63)

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[-+]\d\d:\d\d)$/

function sinceDate(text: string, now: number): string {
  if (text === '' || text === 'null') return '<unknown>'
  return RFC_3339.test(text) ? since(text, now) : '<invalid>'
}

/** null as Go's text/template prints it. */
function printed(value: Json): string {
  if (value === null) return '<no value>'
  if (typeof value === 'object')
    return JSON.stringify(value).replace(
      /[<>&]/g,
      (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`,
    )
  return String(value)
}
