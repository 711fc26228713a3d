import {
  Composer,
  type Document,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Scalar,
} from 'yaml'
import { isJsonObject, type Json, type JsonObject } from '../../../engine/core/object'
import { MOST_NESTED } from '../../../engine/schema/nesting'
import { readYaml, YamlSyntaxError } from '../../../engine/schema/yaml/reader'
import { runAtOnce } from '../../state/slices'
import { YAML } from './texts'
import {
  BEGINS_WITH_OTHER_BLANK,
  copiedIn,
  type Mistake,
  NO_INDENTATION,
  yamlMistakes,
} from './yaml-mistakes'
import { shallowTokens } from './yaml-nesting'

export interface ManifestDocument {
  value: JsonObject
  /** 1-based. */
  line: number
  node: Node
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

/** A Problem's end column that means the rest of the line. */
const LINE_END = 1000

/**
 * Parses values as the server does (YAML 1.1 with Go's differences); the items of a `List` count as
 * documents.
 * @param of `values`: documents need not be objects, and are checked but not returned
 */
export const parseManifest = (text: string, of: 'objects' | 'values' = 'objects'): Manifest =>
  runAtOnce(manifestSteps(text, of))

/** Yields after each document. */
export function* manifestSteps(
  text: string,
  of: 'objects' | 'values' = 'objects',
): Generator<undefined, Manifest> {
  const lines = new LineCounter()
  const manifest: Manifest = { documents: [], problems: [], lines }
  // The package's own check for duplicate keys is quadratic.
  const composer = new Composer({
    lineCounter: lines,
    version: '1.1',
    prettyErrors: false,
    uniqueKeys: false,
  })
  try {
    for (const document of composer.compose(shallowTokens(text, lines.addNewLine))) {
      addDocument(manifest, text, document, of)
      yield
    }
  } catch (error) {
    if (!(error instanceof YamlSyntaxError)) throw error
    return { documents: [], problems: [lineProblem(1, YAML.tooDeep(MOST_NESTED))], lines }
  }
  return manifest
}

function addDocument(
  { documents, problems, lines }: Manifest,
  text: string,
  document: Document.Parsed,
  of: 'objects' | 'values',
): void {
  const mistakes = [
    ...yamlMistakes(text, document.errors, document.contents),
    ...keyMistakes(document.contents),
  ].map(({ at, message }) => rangeProblem(lines, ...at, message, 'error'))
  problems.push(...mistakes)
  if (mistakes.length > 0 || document.contents === null) return
  const line = lines.linePos(document.contents.range[0]).line
  try {
    const value = readYaml(text.slice(...textRange(document))).value
    if (value !== null && of === 'objects')
      documents.push(...objectsOf(value, document.contents, lines))
  } catch (error) {
    const begin = textRange(document)[0]
    const isText = error instanceof YamlSyntaxError || isScalar(document.contents)
    problems.push(
      unread(isText ? text.slice(...textRange(document)) : '', error, {
        first: lines.linePos(begin).line,
        line,
      }),
    )
  }
}

/** Duplicate keys, and keys without indentation. */
function keyMistakes(node: unknown): Mistake[] {
  if (isSeq(node)) return node.items.flatMap(keyMistakes)
  if (!isMap(node)) return []
  const known = new Set<unknown>()
  return node.items.flatMap(({ key, value }) => {
    const message = isScalar(key) ? keyMistake(key, known) : undefined
    const at = isScalar(key) ? key.range : undefined
    const own: Mistake[] = message === undefined || !at ? [] : [{ at: [at[0], at[1]], message }]
    return [...own, ...keyMistakes(value)]
  })
}

function keyMistake({ value, type }: Scalar, known: Set<unknown>): string | undefined {
  if (type === 'PLAIN' && typeof value === 'string' && BEGINS_WITH_OTHER_BLANK.test(value))
    return NO_INDENTATION
  if (known.has(value)) return YAML.duplicateKey
  known.add(value)
  return undefined
}

/**
 * @param text searched for copied artifacts
 * @param line first line of the content, for errors without a line
 */
function unread(
  text: string,
  error: unknown,
  { first, line }: { first: number; line: number },
): Problem {
  const message = error instanceof Error ? error.message : String(error)
  const rows = text.split('\n')
  const copied = rows.findIndex((row) => copiedIn(row) !== undefined)
  if (copied >= 0) return lineProblem(first + copied, copiedIn(rows[copied] ?? '') ?? message)
  // The reader counts lines from the document's start.
  const [, row, rest] = /^yaml: line (\d+): ([\s\S]*)$/.exec(message) ?? []
  return row === undefined
    ? lineProblem(line, message)
    : lineProblem(first + Number(row) - 1, rest ?? message)
}

/** Includes the directives above a document, but not the `---`. */
function textRange({ range, contents }: Document.Parsed): [start: number, end: number] {
  return [Math.min(range[0], contents?.range[0] ?? range[0]), range[1]]
}

/** @throws Error if the document is not an object */
function objectsOf(value: Json, node: Node, lines: LineCounter): ManifestDocument[] {
  if (!isJsonObject(value)) throw new Error(YAML.notObject)
  const { kind, items } = value
  if (typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items)) {
    const list = isMap(node) ? node.get('items', true) : undefined
    if (isSeq(list))
      return items.flatMap((item, index) => objectsOf(item, list.items[index] as Node, lines))
  }
  return [{ value, line: lines.linePos(node.range?.[0] ?? 0).line, node }]
}

export function lineProblem(
  line: number,
  message: string,
  severity: Problem['severity'] = 'error',
): Problem {
  return { message, severity, startLine: line, startColumn: 1, endLine: line, endColumn: LINE_END }
}

export function rangeProblem(
  lines: LineCounter,
  start: number,
  end: number,
  message: string,
  severity: Problem['severity'],
): Problem {
  const from = lines.linePos(start)
  const to = lines.linePos(Math.max(end, start + 1))
  return {
    message,
    severity,
    startLine: from.line,
    startColumn: from.col,
    endLine: to.line,
    endColumn: to.col,
  }
}

/** A member, an index, or the key of a list item. */
export type FieldPart = string | number | JsonObject

/** An open bracket or quote extends to the end, so that matching stays linear. */
const FIELD_PART = /\[((?:"(?:[^"\\]|\\.)*(?:"|\\?$)|[^\]"])*)(?:\]|$)|([^.[\]]+)/gs

/** `name=value`, or text up to a comma. */
const KEY_MEMBER = /([^=,]*)(?:=("(?:[^"\\]|\\.)*"|[^,]*)|,|$)/g

/**
 * `spec.containers[0].image` -> [`spec`, `containers`, 0, `image`]
 * `metadata.labels[a.b/c]` -> [`metadata`, `labels`, `a.b/c`]
 * `.ports[containerPort=80,protocol="TCP"]` -> [`ports`, {containerPort: 80, protocol: `TCP`}]
 */
export function fieldPath(field: string): FieldPart[] {
  const parts: FieldPart[] = []
  for (const [, index, name] of field.matchAll(FIELD_PART)) {
    if (name !== undefined) parts.push(name)
    else if (index?.includes('=')) parts.push(keyOf(index))
    else if (index !== undefined)
      parts.push(/^\d+$/.test(index) ? Number(index) : index.replace(/^"|"$/g, ''))
  }
  return parts
}

/** `containerPort=80,protocol="TCP"`; a set item has only a value: `="x"`. */
function keyOf(text: string): JsonObject {
  const members = [...text.matchAll(KEY_MEMBER)].filter(([, , value]) => value !== undefined)
  return Object.fromEntries(members.map(([, name = '', value = '']) => [name, scalarOf(value)]))
}

function scalarOf(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}

/**
 * Finds the deepest existing part of the path.
 * @returns offsets of the key or item; undefined if the document lacks the first part
 */
export function locate(
  document: ManifestDocument,
  field: string,
): [start: number, end: number] | undefined {
  let node: Node | null | undefined = document.node
  let range: [number, number] | undefined
  const parts = fieldPath(field)
  for (let at = 0; at < parts.length; ) {
    const found = longest(node, parts.slice(at))
    if (found === undefined) break
    range = found.step.range
    node = found.step.value
    at += found.parts
  }
  return range
}

/** A name with dots, such as a label, spans several parts. */
function longest(
  node: Node | null | undefined,
  parts: readonly FieldPart[],
): { step: Step; parts: number } | undefined {
  for (let count = 1; count <= parts.length; count++) {
    const part =
      count === 1
        ? parts[0]
        : parts.slice(0, count).every((one) => typeof one === 'string')
          ? parts.slice(0, count).join('.')
          : undefined
    if (part === undefined) return undefined
    const step = child(node, part)
    if (step) return { step, parts: count }
  }
  return undefined
}

interface Step {
  value: Node | null
  range: [number, number]
}

function child(node: Node | null | undefined, part: FieldPart): Step | undefined {
  if (isMap(node)) {
    const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(part))
    if (pair === undefined) return undefined
    const key = pair.key as Node
    return { value: pair.value as Node | null, range: [key.range?.[0] ?? 0, key.range?.[1] ?? 0] }
  }
  if (!isSeq(node)) return undefined
  if (typeof part === 'object') {
    const item = itemKnownBy(node.items as Node[], part)
    return item && { value: item, range: [item.range?.[0] ?? 0, item.range?.[1] ?? 0] }
  }
  if (typeof part === 'number') {
    const item = node.items[part] as Node | undefined
    return item && { value: item, range: [item.range?.[0] ?? 0, item.range?.[1] ?? 0] }
  }
  // Decoding errors have no index: picks the first item that has the field.
  for (const item of node.items) {
    const step = child(item as Node, part)
    if (step) return step
  }
  return undefined
}

/** Omitted key members have their defaults; an item with the full key takes precedence. */
function itemKnownBy(items: readonly Node[], key: JsonObject): Node | undefined {
  const agrees = (item: Node, names: string[]) =>
    isScalar(item)
      ? item.value === key['']
      : isMap(item) && names.length > 0 && names.every((name) => item.get(name) === key[name])
  const stated = (item: Node) => Object.keys(key).filter((name) => isMap(item) && item.has(name))
  return (
    items.find((item) => agrees(item, Object.keys(key))) ??
    items.find((item) => agrees(item, stated(item)))
  )
}
