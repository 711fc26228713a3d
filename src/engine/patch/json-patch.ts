/**
 * RFC 6902, as lenient as github.com/evanphx/json-patch: a replaced member may be missing, a
 * missing source of copy is null, a test against null passes for an absent member. Recorded from
 * kube-apiserver 1.31.
 */

import { equalJson, type Json, type JsonObject, setMember } from '../core/object'
import { type ApiError, failure } from '../http/status'
import { goQuote } from '../schema/go-text'
import type { DocumentDetails } from '../schema/json-parser'
import { MOST_NESTED, nestsDeeper } from '../schema/nesting'
import { isWrittenPlainly } from './json-patch-literals'
import {
  badIndex,
  containerOf,
  indexOf,
  JsonPatchFailure,
  lastOf,
  lookup,
  MISSING,
  MissingPath,
  missingPath,
  numberOf,
  type Opened,
  onTheWay,
  pointer,
} from './json-pointer'
import { LongLists } from './long-lists'
import { COPIED_NULL, isWrittenNull, plainNull, WRITTEN_NULL, withPlainNulls } from './written-null'

export { JsonPatchFailure } from './json-pointer'

/** A `test` found another value. */
export class FailedTest extends JsonPatchFailure {}
/** Characters of all copies in a patch: kube-apiserver's `JSONPatchMaxCopyBytes`. */
const MAX_COPIED = 3 * 1024 * 1024

const rejected = (): ApiError =>
  failure(422, 'Invalid', 'the server rejected our request due to an error in our request', {})

/**
 * The result shares parts. As in kube-apiserver 1.31, objects along paths of operations get sorted
 * members.
 * @param details number literals: `4` is not `4.0`
 * @throws ApiError 422
 */
export function applyJsonPatch(
  target: JsonObject,
  operations: readonly JsonObject[],
  details?: DocumentDetails,
): Json {
  const containers: Containers = {
    opened: new Set([target]),
    own: new Set(),
    lists: new LongLists(),
  }
  try {
    return sorted(run(target, operations, details, containers), containers.opened)
  } catch (error) {
    throw error instanceof JsonPatchFailure ? rejected() : error
  }
}

function sorted(value: Json, opened: Opened): Json {
  if (isWrittenNull(value)) return null
  if (typeof value !== 'object' || value === null || !opened.has(value)) return value
  if (Array.isArray(value)) return value.map((item) => sorted(item, opened))
  const result: JsonObject = {}
  for (const name of Object.keys(value).sort())
    setMember(result, name, sorted(value[name] as Json, opened))
  return result
}

function openWhole(value: Json, opened: Opened): void {
  if (typeof value !== 'object' || value === null) return
  opened.add(value)
  for (const member of Object.values(value)) openWhole(member, opened)
}

/** @throws JsonPatchFailure */
export function applyOperations(target: JsonObject, operations: readonly JsonObject[]): Json {
  const containers: Containers = { opened: new Set(), own: new Set(), lists: new LongLists() }
  return withPlainNulls(run(target, operations, undefined, containers), containers.opened)
}

interface Containers {
  opened: Opened
  /** Copies of this run, changed in place. */
  own: Set<Json>
  lists: LongLists
}

function run(
  target: JsonObject,
  operations: readonly JsonObject[],
  details: DocumentDetails | undefined,
  containers: Containers,
): Json {
  let document: Json = target
  let copied = 0
  let moves = false
  for (const operation of operations) {
    if (operation.op === 'copy') copied += sizeToCopy(document, operation, containers)
    if (copied > MAX_COPIED)
      throw new JsonPatchFailure(
        `Unable to complete the copy, the accumulated size increase of copy is ${copied}, exceeding the limit ${MAX_COPIED}`,
      )
    document = applyOperation(document, operation, { details, containers })
    moves ||= operation.op === 'move'
  }
  containers.lists.settle(document)
  // Checking each moved value would be quadratic.
  if (moves && nestsDeeper(document, MOST_NESTED)) throw tooDeep()
  return document
}

/** Length of the JSON that a copy operation duplicates; 0 if the copy fails. */
function sizeToCopy(document: Json, operation: JsonObject, { lists }: Containers): number {
  try {
    const copied = lookup(document, pointer(textOf(operation, 'from')), lists) ?? null
    lists.settle(copied)
    if (copied === null || nestsDeeper(copied, MOST_NESTED)) return 0
    return JSON.stringify(plainNull(copied)).length
  } catch (error) {
    if (error instanceof JsonPatchFailure) return 0
    throw error
  }
}

interface About {
  details: DocumentDetails | undefined
  containers: Containers
}

interface Words {
  missing: string
  failed(reason: string): string
}

function at<Result>({ missing, failed }: Words, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (error instanceof MissingPath) throw new JsonPatchFailure(`${missing}: ${MISSING}`)
    throw error instanceof JsonPatchFailure ? new JsonPatchFailure(failed(error.message)) : error
  }
}

const words = (missing: string, failing: string): Words => ({
  missing,
  failed: (reason) => `${failing}: ${reason}`,
})

function applyOperation(
  document: Json,
  operation: JsonObject,
  { details, containers }: About,
): Json {
  const { opened, lists } = containers
  const path = textOf(operation, 'path')
  const value = operation.value ?? null
  const written = operation.value === null ? WRITTEN_NULL : value
  const fails = `${operation.op} operation does not apply:`
  const inError = `error in ${operation.op} for path: '${path}'`
  switch (operation.op) {
    case 'add':
      return at(words(`${fails} doc is missing path: ${goQuote(path)}`, inError), () =>
        add(document, path, written, containers),
      )
    case 'remove':
      return at(words(`${fails} doc is missing path: ${goQuote(path)}`, inError), () =>
        remove(document, path, containers),
      )
    case 'replace':
      return at(
        {
          missing: `${fails} doc is missing path: ${path}`,
          failed: () => `${fails} doc is missing key: ${path}: ${MISSING}`,
        },
        () => {
          if (path === '' && operation.value === undefined) throw missingPath()
          return replace(document, path, path === '' ? value : written, containers)
        },
      )
    case 'move': {
      const from = textOf(operation, 'from')
      const { moved, rest } = at(
        words(
          `${fails} doc is missing from path: ${from}`,
          `error in move for path: '${lastOf(from)}'`,
        ),
        () => ({
          moved: lookup(document, pointer(from), lists, opened) ?? null,
          rest: remove(document, from, containers),
        }),
      )
      return at(words(`${fails} doc is missing destination path: ${path}`, inError), () =>
        insert(rest, pointer(path), moved, containers),
      )
    }
    case 'copy': {
      const from = textOf(operation, 'from')
      const copied = at(
        words(`${fails} doc is missing from path: ${from}`, `error in copy for from: '${from}'`),
        () => lookup(document, pointer(from), lists, opened) ?? null,
      )
      return at(
        words(
          `${fails} doc is missing destination path: ${path}`,
          'error while adding value during copy',
        ),
        () => {
          // Copies the original, before the target path is opened. Recorded from kube-apiserver
          // 1.31.
          containerOf(document, pointer(path), lists, opened)
          checkDepth([], copied)
          const copy = isWrittenNull(copied) ? COPIED_NULL : structuredClone(sorted(copied, opened))
          return add(document, path, copy, containers)
        },
      )
    }
    case 'test': {
      const found = at(words(`${fails} is missing path: ${path}`, inError), () =>
        path === '' ? document : lookup(document, pointer(path), lists, opened),
      )
      lists.settle(found ?? null)
      openWhole(found ?? null, opened)
      const passes =
        found === WRITTEN_NULL ? operation.value === null : equalJson(found ?? null, value)
      if (!passes || !isWrittenPlainly(operation, 'value', details))
        throw new FailedTest(`testing value ${path} failed: test failed`)
      return document
    }
    default:
      throw new JsonPatchFailure(`Unexpected kind: ${operation.op}`)
  }
}

function textOf(operation: JsonObject, name: 'path' | 'from'): string {
  const value = operation[name]
  if (typeof value !== 'string')
    throw new JsonPatchFailure(
      `${operation.op} operation failed to decode ${name}: operation, missing ${name} field: ${MISSING}`,
    )
  return value
}

/** @returns the document, or its copy */
function change(
  document: Json,
  path: readonly string[],
  containers: Containers,
  edit: (container: Json[] | JsonObject, last: string) => Json,
  at = 0,
): Json {
  const part = path[at] as string
  if (typeof document !== 'object' || document === null) throw missingPath()
  if (at === path.length - 1) return edit(document, part)
  if (at > MOST_NESTED) throw tooDeep()
  const next = onTheWay(document, part, containers.lists)
  const changed = change(next, path, containers, edit, at + 1)
  if (changed === next && containers.own.has(document)) return document
  if (!Array.isArray(document)) return withMember(document, part, changed, containers)
  return withItem(document, part, changed, containers)
}

function ownOf<Container extends Json[] | JsonObject>(
  container: Container,
  { opened, own }: Containers,
): Container {
  if (own.has(container)) return container
  const copy = (Array.isArray(container) ? container.slice() : { ...container }) as Container
  own.add(copy)
  opened.add(copy)
  return copy
}

function withItem(list: Json[], part: string, value: Json, containers: Containers): Json[] {
  const { lists } = containers
  const index = indexOf(part, lists.lengthOf(list))
  const own = ownOf(list, containers)
  lists.replace(own, index, value)
  return own
}

/** json-patch panics when it writes to a copied null. */
function withMember(
  object: JsonObject,
  name: string,
  value: Json,
  containers: Containers,
): JsonObject {
  if (object === COPIED_NULL) throw missingPath()
  const own = ownOf(object, containers)
  setMember(own, name, value)
  return own
}

const tooDeep = (): JsonPatchFailure => new JsonPatchFailure(`exceeded max depth of ${MOST_NESTED}`)

/** @throws JsonPatchFailure if too deep */
function checkDepth(path: readonly string[], value: Json): void {
  if (nestsDeeper(value, MOST_NESTED - path.length)) throw tooDeep()
}

function add(document: Json, path: string, value: Json, containers: Containers): Json {
  const parts = pointer(path)
  checkDepth(parts, value)
  return insert(document, parts, value, containers)
}

function insert(
  document: Json,
  path: readonly string[],
  value: Json,
  containers: Containers,
): Json {
  return change(document, path, containers, (container, last) => {
    if (!Array.isArray(container)) return withMember(container, last, value, containers)
    const length = containers.lists.lengthOf(container)
    const index = last === '-' ? length : insertionIndex(last, length)
    const own = ownOf(container, containers)
    containers.lists.insert(own, index, value)
    return own
  })
}

function insertionIndex(part: string, length: number): number {
  const given = at(
    { missing: '', failed: (reason) => `value was not a proper array index: '${part}': ${reason}` },
    () => numberOf(part),
  )
  const index = given < 0 ? given + length + 1 : given
  if (index < 0 || index > length) throw badIndex(given)
  return index
}

function remove(document: Json, path: string, containers: Containers): Json {
  return change(document, pointer(path), containers, (container, last) => {
    if (Array.isArray(container)) {
      const index = indexOf(last, containers.lists.lengthOf(container))
      const own = ownOf(container, containers)
      containers.lists.remove(own, index)
      return own
    }
    if (!Object.hasOwn(container, last))
      throw new JsonPatchFailure(`Unable to remove nonexistent key: ${last}: ${MISSING}`)
    const own = ownOf(container, containers)
    delete own[last]
    return own
  })
}

function replace(document: Json, path: string, value: Json, containers: Containers): Json {
  // A scalar document is ignored, as in json-patch.
  if (path === '') return typeof value === 'object' && value !== null ? value : document
  const parts = pointer(path)
  checkDepth(parts, value)
  return change(document, parts, containers, (container, last) =>
    Array.isArray(container)
      ? withItem(container, last, value, containers)
      : withMember(container, last, value, containers),
  )
}
