/**
 * JSON Patch (RFC 6902) with the real server's leniencies (recorded): a replaced member need not exist, a copied one that does not
 * is null, a test against null passes on an absent member, and a path loses what stands before its first slash.
 */
import { type ApiError, badRequest, failure } from '../http/status'
import { equalJson, isJsonObject, type Json, type JsonObject, setMember } from '../object'
import { goQuote } from '../schema/go-text'
import type { DocumentDetails } from '../schema/json-parser'
import { MOST_NESTED, nestsDeeper } from '../schema/nesting'
import {
  badIndex,
  containerOf,
  decoded,
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

export { JsonPatchFailure } from './json-pointer'

const MAX_OPERATIONS = 10_000
/**
 * What the copies of one patch may come to, in characters of JSON: the real server's `JSONPatchMaxCopyBytes`, as large as a body may
 * be. Ten copies of what grew by the one before would else make a thousandfold of it.
 */
const MAX_COPIED = 3 * 1024 * 1024
const MEMBERS = new Set(['op', 'path', 'from', 'value'])
/** Members of an operation that must be text, in the order in which the real server finds fault with them. */
const TEXTS = ['op', 'path', 'from'] as const

/** Clients are told the same of every patch that fails to apply. */
const rejected = (): ApiError =>
  failure(422, 'Invalid', 'the server rejected our request due to an error in our request', {})

/**
 * Reads a patch.
 * @param patch null is a patch of nothing
 * @param validated unknown members and members of a wrong type are looked for
 * @param details knows which operations name a member more than once
 * @returns the operations, and what strict validation has against them: `json patch unknown field "[0].comment"`
 * @throws ApiError 400 no list of operations, 413 too many
 */
export function readJsonPatch(
  patch: Json,
  validated = true,
  details?: Pick<DocumentDetails, 'repeated'>,
): { operations: JsonObject[]; problems: string[] } {
  if (patch === null) return { operations: [], problems: [] }
  const misread = (value: Json, target: string): ApiError => undecodable(value, target, validated)
  if (!Array.isArray(patch))
    throw misread(
      patch,
      `Go value of type ${validated ? '[]handlers.jsonPatchOp' : 'jsonpatch.Patch'}`,
    )
  const problems: string[] = []
  const operations = patch.map((entry, index) => {
    if (entry === null) return {}
    if (!isJsonObject(entry))
      throw misread(
        entry,
        `Go value of type ${validated ? 'handlers.jsonPatchOp' : 'jsonpatch.Operation'}`,
      )
    if (!validated) return entry
    for (const name of TEXTS) {
      const value = entry[name]
      if (value !== undefined && value !== null && typeof value !== 'string') {
        throw misread(value, `Go struct field jsonPatchOp.${name} of type string`)
      }
    }
    const names = details?.repeated.get(entry)?.map(([name]) => name) ?? Object.keys(entry)
    for (const problem of memberProblems(names))
      problems.push(`json patch ${problem[0]} field "[${index}].${problem[1]}"`)
    return entry
  })
  if (operations.length > MAX_OPERATIONS) {
    throw failure(
      413,
      'RequestEntityTooLarge',
      `Request entity too large: The allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}, got ${operations.length}`,
    )
  }
  return { operations, problems }
}

/** Problems in the order in which an operation's members are written, each once. Nobody looks into values. */
function memberProblems(names: readonly string[]): [kind: 'unknown' | 'duplicate', name: string][] {
  const seen = new Set<string>()
  const repeated = new Set<string>()
  const problems: [kind: 'unknown' | 'duplicate', name: string][] = []
  for (const name of names) {
    if (!seen.has(name)) {
      if (!MEMBERS.has(name)) problems.push(['unknown', name])
    } else if (MEMBERS.has(name) && !repeated.has(name)) {
      problems.push(['duplicate', name])
      repeated.add(name)
    }
    seen.add(name)
  }
  return problems
}

/** Only who validates says what it was that failed (asked of the real server). */
function undecodable(value: Json, target: string, validated: boolean): ApiError {
  const kind =
    value === null
      ? 'null'
      : Array.isArray(value)
        ? 'array'
        : typeof value === 'boolean'
          ? 'bool'
          : typeof value
  return badRequest(
    `${validated ? 'error decoding patch: ' : ''}json: cannot unmarshal ${kind} into ${target}`,
  )
}

/**
 * Applies the operations one after another. The target is not changed; what no operation touches is shared with the result. Objects
 * on the way to what an operation names have their members sorted in the result, all others keep the order they were written in:
 * that is how the real server shows them in errors and orders its warnings (recorded).
 * @param details how the patch's numbers are written: a test compares the texts, `4` is not `4.0`
 * @throws ApiError 422 an operation fails
 */
export function applyJsonPatch(
  target: JsonObject,
  operations: readonly JsonObject[],
  details?: DocumentDetails,
): Json {
  const opened: Opened = new Set([target])
  try {
    return sorted(applyOperations(target, operations, details, opened), opened)
  } catch (error) {
    throw error instanceof JsonPatchFailure ? rejected() : error
  }
}

function sorted(value: Json, opened: Opened): Json {
  if (typeof value !== 'object' || value === null || !opened.has(value)) return value
  if (Array.isArray(value)) return value.map((item) => sorted(item, opened))
  const result: JsonObject = {}
  for (const name of Object.keys(value).sort())
    setMember(result, name, sorted(value[name] as Json, opened))
  return result
}

/** A comparison looks into all of what it compares. */
function openWhole(value: Json, opened: Opened): void {
  if (typeof value !== 'object' || value === null) return
  opened.add(value)
  for (const member of Object.values(value)) openWhole(member, opened)
}

/** As `applyJsonPatch`. @throws JsonPatchFailure an operation fails */
export function applyOperations(
  target: JsonObject,
  operations: readonly JsonObject[],
  details?: DocumentDetails,
  opened: Opened = new Set(),
): Json {
  let document: Json = target
  let copied = 0
  for (const operation of operations) {
    if (operation.op === 'copy') copied += sizeToCopy(document, operation)
    if (copied > MAX_COPIED)
      throw new JsonPatchFailure(
        `Unable to complete the copy, the accumulated size increase of copy is ${copied}, exceeding the limit ${MAX_COPIED}`,
      )
    document = applyOperation(document, operation, { details, opened })
  }
  return document
}

/** Nothing for a copy that fails. */
function sizeToCopy(document: Json, operation: JsonObject): number {
  try {
    return JSON.stringify(lookup(document, pointer(textOf(operation, 'from'))) ?? null).length
  } catch (error) {
    if (error instanceof JsonPatchFailure) return 0
    throw error
  }
}

/** What operations need besides the document. */
interface About {
  details: DocumentDetails | undefined
  opened: Opened
}

/** What is said when there is no way to a place, and when nothing can be done there. */
interface Words {
  missing: string
  failed(reason: string): string
}

/** Does a part of an operation, and says of which place a failure is. */
function at<Result>({ missing, failed }: Words, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (error instanceof MissingPath) throw new JsonPatchFailure(`${missing}: ${MISSING}`)
    throw error instanceof JsonPatchFailure ? new JsonPatchFailure(failed(error.message)) : error
  }
}

/** Every operation puts it a little differently. @param failing what its reason is told behind */
const words = (missing: string, failing: string): Words => ({
  missing,
  failed: (reason) => `${failing}: ${reason}`,
})

function applyOperation(document: Json, operation: JsonObject, { details, opened }: About): Json {
  const path = textOf(operation, 'path')
  const value = operation.value ?? null
  const fails = `${operation.op} operation does not apply:`
  const inError = `error in ${operation.op} for path: '${path}'`
  switch (operation.op) {
    case 'add':
      return at(words(`${fails} doc is missing path: ${goQuote(path)}`, inError), () =>
        add(document, path, value, opened),
      )
    case 'remove':
      return at(words(`${fails} doc is missing path: ${goQuote(path)}`, inError), () =>
        remove(document, path, opened),
      )
    case 'replace':
      return at(
        {
          missing: `${fails} doc is missing path: ${path}`,
          failed: () => `${fails} doc is missing key: ${path}: ${MISSING}`,
        },
        () => {
          if (path === '' && operation.value === undefined) throw missingPath()
          return replace(document, path, value, opened)
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
          moved: lookup(document, pointer(from), opened) ?? null,
          rest: remove(document, from, opened),
        }),
      )
      return at(words(`${fails} doc is missing destination path: ${path}`, inError), () =>
        add(rest, path, moved, opened),
      )
    }
    case 'copy': {
      const from = textOf(operation, 'from')
      const copied = at(
        words(`${fails} doc is missing from path: ${from}`, `error in copy for from: '${from}'`),
        () => lookup(document, pointer(from), opened) ?? null,
      )
      return at(
        words(
          `${fails} doc is missing destination path: ${path}`,
          'error while adding value during copy',
        ),
        () => {
          // The way to the place is looked into first; what is opened later is the original, not its copy (recorded).
          containerOf(document, pointer(path), opened)
          return add(document, path, structuredClone(sorted(copied, opened)), opened)
        },
      )
    }
    case 'test': {
      const found = at(words(`${fails} is missing path: ${path}`, inError), () =>
        path === '' ? document : lookup(document, pointer(path), opened),
      )
      openWhole(found ?? null, opened)
      if (!equalJson(found ?? null, value) || !isWrittenPlainly(operation, 'value', details))
        throw new JsonPatchFailure(`testing value ${path} failed: test failed`)
      return document
    }
    default:
      throw new JsonPatchFailure(`Unexpected kind: ${operation.op}`)
  }
}

/**
 * Number literals by what holds them in the patched document: a number that an operation brings comes to stand elsewhere, what it
 * brings as a whole holds its numbers still.
 */
export function placedLiterals(
  { literals }: DocumentDetails,
  operations: readonly JsonObject[],
  patched: Json,
): DocumentDetails {
  const placed = new Map(literals)
  for (const operation of operations) {
    const literal = literals.get(operation)?.get('value')
    if (literal === undefined || typeof operation.path !== 'string') continue
    const parts = operation.path.split('/').slice(1).map(decoded)
    const last = parts.pop() ?? ''
    const holder = parts.reduce<Json | undefined>(
      (at, part) => (typeof at === 'object' && at !== null ? (at as JsonObject)[part] : undefined),
      patched,
    )
    if (typeof holder !== 'object' || holder === null) continue
    const place = !Array.isArray(holder) ? last : last === '-' ? holder.length - 1 : Number(last)
    if ((holder as JsonObject)[place] === operation.value)
      placed.set(holder, new Map(placed.get(holder)).set(place, literal))
  }
  return { repeated: new Map(), literals: placed }
}

/** Whether every number of a value is written as the document writes it: a test compares the texts, `4` is not `4.0`. */
function isWrittenPlainly(
  holder: JsonObject | Json[],
  name: string | number,
  details: DocumentDetails | undefined,
): boolean {
  if (details === undefined) return true
  if (details.literals.get(holder)?.has(name)) return false
  const value = (holder as JsonObject)[name]
  if (Array.isArray(value))
    return value.every((_item, index) => isWrittenPlainly(value, index, details))
  return (
    !isJsonObject(value) ||
    Object.keys(value).every((member) => isWrittenPlainly(value, member, details))
  )
}

function textOf(operation: JsonObject, name: 'path' | 'from'): string {
  const value = operation[name]
  if (typeof value !== 'string')
    throw new JsonPatchFailure(
      `${operation.op} operation failed to decode ${name}: operation, missing ${name} field: ${MISSING}`,
    )
  return value
}

/** Rebuilds the containers on the way to the last part. */
function change(
  document: Json,
  path: readonly string[],
  opened: Opened,
  edit: (container: Json[] | JsonObject, last: string) => Json,
): Json {
  const changed = rebuilt(document, path, opened, edit)
  opened.add(changed)
  return changed
}

function rebuilt(
  document: Json,
  path: readonly string[],
  opened: Opened,
  edit: (container: Json[] | JsonObject, last: string) => Json,
): Json {
  const [part, ...rest] = path as [string, ...string[]]
  if (typeof document !== 'object' || document === null) throw missingPath()
  if (rest.length === 0) return edit(document, part)
  const changed = change(onTheWay(document, part), rest, opened, edit)
  if (Array.isArray(document)) return document.with(indexOf(part, document.length), changed)
  return withMember(document, part, changed)
}

function withMember(object: JsonObject, name: string, value: Json): JsonObject {
  const changed = { ...object }
  setMember(changed, name, value)
  return changed
}

/** @throws JsonPatchFailure what goes to the path would lie deeper than objects may nest */
function checkDepth(path: readonly string[], value: Json): void {
  if (nestsDeeper(value, MOST_NESTED - path.length))
    throw new JsonPatchFailure(`exceeded max depth of ${MOST_NESTED}`)
}

function add(document: Json, path: string, value: Json, opened: Opened): Json {
  const parts = pointer(path)
  checkDepth(parts, value)
  return change(document, parts, opened, (container, last) => {
    if (!Array.isArray(container)) return withMember(container, last, value)
    return container.toSpliced(
      last === '-' ? container.length : insertionIndex(last, container.length),
      0,
      value,
    )
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

function remove(document: Json, path: string, opened: Opened): Json {
  return change(document, pointer(path), opened, (container, last) => {
    if (Array.isArray(container)) return container.toSpliced(indexOf(last, container.length), 1)
    if (!Object.hasOwn(container, last))
      throw new JsonPatchFailure(`Unable to remove nonexistent key: ${last}: ${MISSING}`)
    const { [last]: _removed, ...rest } = container
    return rest
  })
}

function replace(document: Json, path: string, value: Json, opened: Opened): Json {
  // A scalar in the place of the whole is passed over, as by the real server's library.
  if (path === '') return typeof value === 'object' && value !== null ? value : document
  const parts = pointer(path)
  checkDepth(parts, value)
  return change(document, parts, opened, (container, last) =>
    Array.isArray(container)
      ? container.with(indexOf(last, container.length), value)
      : withMember(container, last, value),
  )
}
