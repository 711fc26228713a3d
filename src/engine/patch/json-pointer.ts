/** RFC 6901, as lenient as json-patch. Recorded from kube-apiserver 1.31. */
import { isJsonObject, type Json } from '../core/object'
import { goQuote } from '../schema/go-text'
import type { LongLists } from './long-lists'
import { WRITTEN_NULL } from './written-null'

/** With the message of json-patch. */
export class JsonPatchFailure extends Error {}

export const MISSING = 'missing value'
/** A parent along the path does not exist. */
export class MissingPath extends JsonPatchFailure {}
export const missingPath = (): MissingPath => new MissingPath(MISSING)
export const badIndex = (index: number): JsonPatchFailure =>
  new JsonPatchFailure(`Unable to access invalid index: ${index}: invalid index referenced`)

/** @throws JsonPatchFailure if not a 64-bit integer */
export function numberOf(part: string): number {
  const problem = !/^[-+]?\d+$/.test(part)
    ? 'invalid syntax'
    : BigInt.asIntN(64, BigInt(part.replace('+', ''))) === BigInt(part.replace('+', ''))
      ? undefined
      : 'value out of range'
  if (problem !== undefined)
    throw new JsonPatchFailure(`strconv.Atoi: parsing ${goQuote(part)}: ${problem}`)
  return Number(part)
}

export type Opened = Set<Json>

/** `/a~1b/0` is [`a/b`, `0`]; never empty. */
export function pointer(path: string): [string, ...string[]] {
  const [, first, ...rest] = path.split('/')
  if (first === undefined) throw missingPath()
  return [decoded(first), ...rest.map(decoded)]
}

export const decoded = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~')
export const lastOf = (path: string): string => decoded(path.slice(path.lastIndexOf('/') + 1))

/** Negative indices count from the end. */
export function indexOf(part: string, length: number): number {
  const given = numberOf(part)
  const index = given < 0 ? given + length : given
  if (index < 0 || index >= length) throw badIndex(given)
  return index
}

function memberOf(container: Json, part: string, lists: LongLists): Json | undefined {
  if (Array.isArray(container))
    return lists.item(container, indexOf(part, lists.lengthOf(container)))
  if (!isJsonObject(container)) throw missingPath()
  return Object.hasOwn(container, part) ? container[part] : undefined
}

/** A scalar on the path is a missing path, too. */
export function onTheWay(container: Json, part: string, lists: LongLists): Json {
  let next: Json | undefined
  try {
    next = memberOf(container, part, lists)
  } catch (error) {
    throw error instanceof JsonPatchFailure ? missingPath() : error
  }
  if (next === undefined || next === null || next === WRITTEN_NULL) throw missingPath()
  return next
}

/** undefined if only the last part is absent. */
export const lookup = (
  document: Json,
  path: readonly [string, ...string[]],
  lists: LongLists,
  opened?: Opened,
): Json | undefined =>
  memberOf(containerOf(document, path, lists, opened), path[path.length - 1] as string, lists)

export function containerOf(
  document: Json,
  path: readonly string[],
  lists: LongLists,
  opened?: Opened,
): Json {
  let at = document
  for (const part of path.slice(0, -1)) {
    opened?.add(at)
    at = onTheWay(at, part, lists)
  }
  opened?.add(at)
  return at
}
