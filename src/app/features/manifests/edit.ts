/** Removes or sets single fields of a manifest; keeps comments, order and other documents. */
import { Document, isCollection, isMap, isNode, isSeq, type Node, parseAllDocuments } from 'yaml'
import type { Json, JsonObject } from '../../../engine/core/object'
import { type Place, placeOf } from '../ownership/field-paths'
import { parseManifest } from './documents'

export interface FieldEdit {
  /** In FieldsV1 notation. */
  path: readonly string[]
  /** undefined removes the field. */
  value: Json | undefined
}

/**
 * @param line first line of the document
 * @returns the text unchanged without such a document; skips missing fields
 */
export function editedManifest(text: string, line: number, edits: readonly FieldEdit[]): string {
  return edited(text, line, (document) =>
    edits.flatMap(({ path, value }) => {
      const place = placeOf(document, path)
      return place && place.length > 0 ? [{ place, value }] : []
    }),
  )
}

export interface PlaceEdit {
  place: Place
  value: Json | undefined
}

/** The same by position; adds missing fields. */
export function manifestEditedAt(text: string, line: number, edits: readonly PlaceEdit[]): string {
  return edited(text, line, () => [...edits])
}

function edited(
  text: string,
  line: number,
  editsOf: (document: JsonObject) => PlaceEdit[],
): string {
  const document = parseManifest(text).documents.find((candidate) => candidate.line === line)
  const [start] = document?.node.range ?? []
  if (document === undefined || start === undefined) return text
  const placed = editsOf(document.value)
  const found = rootAround(text, start)
  if (found === undefined || placed.length === 0) return text
  const { root, node } = found
  for (const { place, value } of placed) if (value !== undefined) node.setIn([...place], value)
  // In reverse, so that earlier list indexes stay valid.
  const dropped = placed
    .filter(({ value }) => value === undefined)
    .sort((a, b) => comparePlaces(b.place, a.place))
  for (const { place } of dropped) drop(node, place)
  const [from, , to] = root.range ?? [0, 0, 0]
  const whole = text.slice(from, to)
  // Already part of the preceding text.
  const first = isMap(root) ? root.items[0]?.key : undefined
  for (const node of [root, first]) if (isNode(node)) node.commentBefore = null
  const end = whole.endsWith('\n') || to < text.length ? '\n' : ''
  return text.slice(0, from) + printed(root, whole).trimEnd() + end + text.slice(to)
}

type Collection = Node & {
  setIn(path: unknown[], value: unknown): void
  deleteIn(path: unknown[]): boolean
  getIn(path: unknown[]): unknown
}

/** The document at an offset, and the node there; an item of a `List` is inside its document. */
function rootAround(text: string, start: number): { root: Node; node: Collection } | undefined {
  const documents = parseAllDocuments(text, { version: '1.1', prettyErrors: false })
  if ('empty' in documents) return undefined
  const root = documents
    .map(({ contents }) => contents)
    .findLast((contents) => contents?.range && contents.range[0] <= start)
  const node = root && nodeAt(root, start)
  return root && node ? { root, node } : undefined
}

function nodeAt(node: Node, start: number): Collection | undefined {
  if (isMap(node) && node.range?.[0] === start) return node as unknown as Collection
  const below = isMap(node) ? node.items.map(({ value }) => value) : isSeq(node) ? node.items : []
  for (const child of below) {
    const found = isCollection(child) ? nodeAt(child as Node, start) : undefined
    if (found) return found
  }
  return undefined
}

/** Also removes parents that become empty. */
function drop(node: Collection, place: Place): void {
  node.deleteIn([...place])
  for (let length = place.length - 1; length > 0; length--) {
    const parent = node.getIn(place.slice(0, length))
    if (!isCollection(parent) || parent.items.length > 0) return
    node.deleteIn(place.slice(0, length))
  }
}

function comparePlaces(a: Place, b: Place): number {
  for (const [index, step] of a.entries()) {
    const other = b[index]
    if (other === undefined) return 1
    if (typeof step === 'number' && typeof other === 'number' && step !== other) return step - other
  }
  return a.length - b.length
}

/** Prints in the style of the source. */
function printed(root: Node, whole: string): string {
  return new Document(root, { version: '1.1' }).toString({
    lineWidth: 0,
    indentSeq: !/^( *)[^\s#-][^\n]*:[ \t]*\n\1- /m.test(whole),
    flowCollectionPadding: !/[{[]\S/.test(whole),
  })
}
