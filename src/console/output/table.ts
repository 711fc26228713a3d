/** Server-side tables with kubectl's columns: namespaces, kinds, labels, watch events. */

import { entryOf, isJsonObject, type Json, type JsonObject } from '../../engine/core/object'
import { since } from '../../engine/encoding/duration'
import type { ServedResource } from '../discovery'
import { Columns } from './columns'
import { printable } from './custom-columns'

export interface TableLook {
  wide: boolean
  noHeaders: boolean
  withNamespace: boolean
  /** `deployment.apps/web` instead of `web`. */
  withKind: boolean
  /** `-L` */
  labels: readonly string[]
  showLabels: boolean
}

export const TABLE_ACCEPT =
  'application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json'

interface TableColumn {
  name: string
  type: string
  format: string
  priority: number
}

/** Tables of one type share a header; later rows align with earlier ones. */
export class TablePrinter {
  private readonly columns = new Columns()
  private known: TableColumn[] = []
  private headed = false

  constructor(
    private readonly look: TableLook,
    private readonly resource: ServedResource,
    private readonly now: () => number,
  ) {}

  /** @param event the type of the watch event: `ADDED` */
  print(response: JsonObject, event?: string): string {
    return this.columns.lines(this.rows(response, event))
  }

  /** Aligns several responses together. */
  printAll(responses: readonly JsonObject[]): string {
    return this.columns.lines(responses.flatMap((response) => this.rows(response, undefined)))
  }

  private rows(response: JsonObject, event: string | undefined): string[][] {
    const table = isTable(response) ? response : tableOf(response, this.now())
    const columns = columnsOf(table)
    // Only a watch's first event has column definitions.
    const described = columns.length > 0
    if (described && JSON.stringify(columns) !== JSON.stringify(this.known)) {
      this.known = columns
      this.headed = false
    }
    const rows = (Array.isArray(table.rows) ? table.rows.filter(isJsonObject) : []).map((row) =>
      this.row(row, event),
    )
    if (rows.length === 0) return []
    const heading = this.headed || this.look.noHeaders ? [] : [this.heading(event)]
    this.headed = true
    return [...heading, ...rows]
  }

  private heading(event: string | undefined): string[] {
    const { withNamespace, labels, showLabels } = this.look
    return [
      ...(event === undefined ? [] : ['EVENT']),
      ...(withNamespace ? ['NAMESPACE'] : []),
      ...this.known.filter((column) => this.shown(column)).map(({ name }) => name.toUpperCase()),
      ...labels.map((label) => (label.split('/').at(-1) ?? '').toUpperCase()),
      ...(showLabels ? ['LABELS'] : []),
    ]
  }

  private row(row: JsonObject, event: string | undefined): string[] {
    const { withNamespace, labels, showLabels } = this.look
    const cells = Array.isArray(row.cells) ? row.cells : []
    const metadata =
      isJsonObject(row.object) && isJsonObject(row.object.metadata) ? row.object.metadata : {}
    const own = isJsonObject(metadata.labels) ? metadata.labels : {}
    return [
      ...(event === undefined ? [] : [entryOf(EVENTS, event) ?? event]),
      ...(withNamespace ? [String(metadata.namespace ?? '')] : []),
      ...this.known.flatMap((column, at) =>
        this.shown(column) ? [this.cell(column, cells[at])] : [],
      ),
      ...labels.map((label) => String(own[label] ?? '')),
      ...(showLabels ? [labelText(own)] : []),
    ]
  }

  private shown({ priority }: TableColumn): boolean {
    return this.look.wide || priority === 0
  }

  private cell({ format, type }: TableColumn, value: Json | undefined): string {
    const text = value === null || value === undefined ? '' : oneLine(String(value))
    return this.look.withKind && format === 'name' && type === 'string'
      ? `${kindName(this.resource)}/${text}`
      : text
  }
}

/** Padded, so that the column does not move. */
const EVENTS: Record<string, string> = {
  ADDED: 'ADDED   ',
  MODIFIED: 'MODIFIED',
  DELETED: 'DELETED ',
  ERROR: 'ERROR   ',
}

export const isTable = ({ kind }: JsonObject): boolean => kind === 'Table'

const kindName = ({ kind, group }: ServedResource): string =>
  (group === '' ? kind : `${kind}.${group}`).toLowerCase()

function columnsOf({ columnDefinitions }: JsonObject): TableColumn[] {
  return (Array.isArray(columnDefinitions) ? columnDefinitions.filter(isJsonObject) : []).map(
    ({ name, type, format, priority }) => ({
      name: String(name),
      type: String(type),
      format: String(format ?? ''),
      priority: Number(priority ?? 0),
    }),
  )
}

function oneLine(text: string): string {
  const end = text.search(/[\f\n\r]/)
  return end < 0 ? printable(text) : `${printable(text.slice(0, end))}...`
}

/** `a=b,c=d`, sorted as whole texts: `a-b=c` precedes `a=c`. */
export function labelText(labels: JsonObject): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}=${value}`)
  return pairs.sort().join(',') || '<none>'
}

/** Names and ages: aggregated servers need not support tables. */
function tableOf(response: JsonObject, now: number): JsonObject {
  const objects = Array.isArray(response.items) ? response.items.filter(isJsonObject) : [response]
  return {
    kind: 'Table',
    columnDefinitions: [
      { name: 'Name', type: 'string', format: 'name', priority: 0 },
      { name: 'Age', type: 'string', format: '', priority: 0 },
    ],
    rows: objects.map((object) => {
      const metadata = isJsonObject(object.metadata) ? object.metadata : {}
      const { creationTimestamp: created } = metadata
      return {
        cells: [
          String(metadata.name ?? ''),
          since(typeof created === 'string' ? created : undefined, now),
        ],
        object,
      }
    }),
  }
}
