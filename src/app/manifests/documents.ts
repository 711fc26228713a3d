/** A manifest's text as documents with positions, so that whatever goes wrong can be shown at its line. */
import { type Document, isMap, isScalar, isSeq, LineCounter, type Node, parseAllDocuments } from 'yaml'
import { isJsonObject, type Json, type JsonObject } from '../../engine/object'

export interface ManifestDocument {
  value: JsonObject
  /** 1-based line on which the document begins. */
  line: number
  node: Document.Parsed
}

export interface Problem {
  message: string
  severity: 'error' | 'warning'
  startLine: number
  startColumn: number
  endLine: number
  endColumn: number
}

export interface Manifest {
  documents: ManifestDocument[]
  problems: Problem[]
  lines: LineCounter
}

export function parseManifest(text: string): Manifest {
  const lines = new LineCounter()
  const problems: Problem[] = []
  const documents: ManifestDocument[] = []
  for (const node of parseAllDocuments(text, { lineCounter: lines, version: '1.1', prettyErrors: false })) {
    if ('empty' in node) continue
    for (const error of node.errors) problems.push(rangeProblem(lines, error.pos[0], error.pos[1], error.message, 'error'))
    if (node.errors.length > 0) continue
    const value = toJson(node)
    if (value === undefined || value === null) continue
    const line = lines.linePos(node.contents?.range?.[0] ?? 0).line
    if (isJsonObject(value)) documents.push({ value, line, node })
    else
      problems.push({
        message: 'a manifest is a mapping with apiVersion, kind and metadata',
        severity: 'error',
        startLine: line,
        startColumn: 1,
        endLine: line,
        endColumn: 200,
      })
  }
  return { documents, problems, lines }
}

function toJson(node: Document.Parsed): Json | undefined {
  try {
    return node.toJSON() as Json
  } catch {
    return undefined
  }
}

export function rangeProblem(lines: LineCounter, start: number, end: number, message: string, severity: Problem['severity']): Problem {
  const from = lines.linePos(start)
  const to = lines.linePos(Math.max(end, start + 1))
  return { message, severity, startLine: from.line, startColumn: from.col, endLine: to.line, endColumn: to.col }
}

/** `spec.containers[0].image` -> [`spec`, `containers`, 0, `image`] */
export function fieldPath(field: string): (string | number)[] {
  const parts: (string | number)[] = []
  for (const [, index, name] of field.matchAll(/\[([^\]]*)\]|([^.[\]]+)/g)) {
    if (name !== undefined) parts.push(name)
    else if (index !== undefined) parts.push(/^\d+$/.test(index) ? Number(index) : index.replace(/^"|"$/g, ''))
  }
  return parts
}

/** The deepest part of a field's path that the document has: where to point when the server speaks of the field. */
export function locate(document: ManifestDocument, field: string): [start: number, end: number] | undefined {
  let node: Node | null | undefined = document.node.contents
  let range: [number, number] | undefined
  for (const part of fieldPath(field)) {
    const step = child(node, part)
    if (step === undefined) break
    range = step.range
    node = step.value
  }
  return range
}

function child(node: Node | null | undefined, part: string | number): { value: Node | null; range: [number, number] } | undefined {
  if (isMap(node)) {
    const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(part))
    if (pair === undefined) return undefined
    const key = pair.key as Node
    return { value: pair.value as Node | null, range: [key.range?.[0] ?? 0, key.range?.[1] ?? 0] }
  }
  if (isSeq(node) && typeof part === 'number') {
    const item = node.items[part] as Node | undefined
    if (item === undefined) return undefined
    return { value: item, range: [item.range?.[0] ?? 0, item.range?.[1] ?? 0] }
  }
  return undefined
}
