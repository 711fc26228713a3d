/**
 * * Formats text as github.com/google/go-cmp does (cmp/report_text.go): nodes that fit stay on one
 * line, others align their keys.
 */
import { largest } from '../core/lists'

export type Mark = '' | '-' | '+'

export type TextNode = string | { prefix: string; inner: TextNode; suffix: string } | TextList

export interface TextList {
  records: TextRecord[]
}

export interface TextRecord {
  mark: Mark
  key: string
  value: TextNode
  /** `5 identical fields` */
  comment?: string
}

export const ELLIPSIS = '...'
const MAX_LINE = 80

export function layOut(node: TextNode): string {
  return `  ${expanded(compact(node, '').node, '', 0)}\n`
}

/** The one-line text of a node, and the node with its one-line parts joined. */
function compact(node: TextNode, mark: Mark): { text: string; node: TextNode } {
  if (typeof node === 'string') return { text: node, node }
  if ('records' in node) return compactList(node, mark)
  const inner = compact(node.inner, mark)
  const text = node.prefix + inner.text + node.suffix
  return { text, node: typeof inner.node === 'string' ? text : { ...node, inner: inner.node } }
}

function compactList({ records }: TextList, mark: Mark): { text: string; node: TextNode } {
  const parts = records.map((record) => ({ record, ...compact(record.value, record.mark || mark) }))
  const text = parts
    .map(({ record, text }) => (record.key === '' ? text : `${record.key}: ${text}`))
    .join(', ')
  const spread =
    parts.some(
      ({ record, node }) =>
        record.mark !== '' || record.comment !== undefined || typeof node !== 'string',
    ) ||
    (mark !== '' && text.length > MAX_LINE)
  return {
    text,
    node: spread
      ? { records: parts.map(({ record, node }) => ({ ...record, value: node })) }
      : text,
  }
}

function expanded(node: TextNode, mark: Mark, depth: number): string {
  if (typeof node === 'string') return node
  if (!('records' in node)) return node.prefix + expanded(node.inner, mark, depth) + node.suffix
  const { records } = node
  const end = `\n${indent(mark, depth)}`
  if (records.every(isPlain)) return batched(records, mark, depth + 1) + end
  const padding = keyPadding(records)
  const lines = records.map((record, i) => {
    const own = record.mark || mark
    const key = record.key === '' ? '' : `${record.key}: `
    const comma = record.value === ELLIPSIS ? '' : ','
    const comment = record.comment === undefined ? '' : ` // ${record.comment}`
    return `\n${indent(own, depth + 1)}${key}${' '.repeat(padding[i] ?? 0)}${expanded(record.value, own, depth + 1)}${comma}${comment}`
  })
  return lines.join('') + end
}

const indent = (mark: Mark, depth: number): string => `${mark || ' '} ${'\t'.repeat(depth)}`

const isPlain = ({ mark, key, value, comment }: TextRecord): boolean =>
  mark === '' && key === '' && typeof value === 'string' && comment === undefined

function batched(records: TextRecord[], mark: Mark, depth: number): string {
  const lines: string[] = []
  let line = ''
  for (const { value } of records) {
    if (line !== '' && line.length + String(value).length + 2 > MAX_LINE) {
      lines.push(line)
      line = ''
    }
    line += `${value}, `
  }
  return [...lines, line].map((text) => `\n${indent(mark, depth)}${text.trimEnd()}`).join('')
}

function keyPadding(records: TextRecord[]): number[] {
  const padding: number[] = records.map(() => 0)
  let start = 0
  for (let i = 0; i <= records.length; i++) {
    const record = records[i]
    if (record !== undefined && record.key !== '' && typeof record.value === 'string') continue
    const widest = largest(
      records.slice(start, i).map(({ key }) => key.length),
      0,
    )
    for (let j = start; j < i; j++) padding[j] = widest - (records[j]?.key.length ?? 0)
    start = i + 1
  }
  return padding
}
