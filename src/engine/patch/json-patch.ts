/**
 * JSON Patch (RFC 6902) with the real server's leniencies (recorded): a replaced map key need not exist, a copied absent key is
 * null, a test against null passes on an absent key, a path without its leading slash loses its first part.
 */

import { type ApiError, badRequest, failure } from '../http/status'
import { equalJson, isJsonObject, type Json, type JsonObject } from '../object'

const MAX_OPERATIONS = 10_000

interface Operation {
  op?: Json
  path?: Json
  from?: Json
  value?: Json
}

/** Every way a patch can fail to apply has the same answer. */
const rejected = (): ApiError => failure(422, 'Invalid', 'the server rejected our request due to an error in our request', {})

/** @throws ApiError 400 no list of operations, 413 too many, 422 an operation fails */
export function applyJsonPatch(target: JsonObject, patch: Json): Json {
  if (patch === null) return target
  if (!Array.isArray(patch))
    throw badRequest(`error decoding patch: json: cannot unmarshal ${goKind(patch)} into Go value of type []handlers.jsonPatchOp`)
  if (patch.length > MAX_OPERATIONS) {
    throw failure(
      413,
      'RequestEntityTooLarge',
      `Request entity too large: The allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}, got ${patch.length}`,
    )
  }
  const result = patch.map(operationOf).reduce(applyOperation, target as Json)
  if (typeof result !== 'object' || result === null) throw rejected()
  return result
}

function operationOf(entry: Json): Operation {
  if (entry === null) return {}
  if (!isJsonObject(entry))
    throw badRequest(`error decoding patch: json: cannot unmarshal ${goKind(entry)} into Go value of type handlers.jsonPatchOp`)
  for (const name of ['op', 'path', 'from']) {
    const text = entry[name]
    if (text === undefined || text === null || typeof text === 'string') continue
    throw badRequest(`error decoding patch: json: cannot unmarshal ${goKind(text)} into Go struct field jsonPatchOp.${name} of type string`)
  }
  return entry as Operation
}

function goKind(value: Json): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value === 'boolean' ? 'bool' : typeof value
}

function applyOperation(document: Json, operation: Operation): Json {
  const path = pointer(operation.path)
  switch (operation.op) {
    case 'add':
      return add(document, path, givenValue(operation))
    case 'remove':
      return remove(document, path)
    case 'replace':
      return replace(document, path, givenValue(operation))
    case 'move': {
      const from = pointer(operation.from)
      const value = lookup(document, from)
      if (value === undefined) throw rejected()
      return add(remove(document, from), path, value)
    }
    case 'copy':
      return add(document, path, lookup(document, pointer(operation.from)) ?? null)
    case 'test':
      return test(document, path, operation.value ?? null)
    default:
      throw rejected()
  }
}

const givenValue = (operation: Operation): Json => operation.value ?? null

/** `/a~1b/0` -> [`a/b`, `0`]; the empty pointer is the whole document. */
function pointer(path: Json | undefined): string[] {
  if (typeof path !== 'string') throw rejected()
  if (path === '') return []
  return path
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** Negative indices count from the end; leading zeros do not matter. */
function indexOf(part: string, length: number): number {
  if (!/^[-+]?\d+$/.test(part)) throw rejected()
  const index = Number(part)
  return index < 0 ? index + length : index
}

function lookup(document: Json, path: readonly string[]): Json | undefined {
  let at: Json | undefined = document
  for (const [depth, part] of path.entries()) {
    if (Array.isArray(at)) {
      at = at[indexOf(part, at.length)]
      if (at === undefined) throw rejected()
    } else if (isJsonObject(at)) at = at[part]
    else throw rejected()
    if (at === undefined && depth < path.length - 1) throw rejected()
  }
  return at
}

/** Rebuilds the containers on the way to the last part; the rest is shared. */
function change(document: Json, path: readonly string[], edit: (container: Json, last: string) => Json): Json {
  const [part, ...rest] = path as [string, ...string[]]
  if (rest.length === 0) return edit(document, part)
  if (Array.isArray(document)) {
    const index = indexOf(part, document.length)
    const child = document[index]
    if (child === undefined) throw rejected()
    return document.map((item, position) => (position === index ? change(child, rest, edit) : item))
  }
  const child = isJsonObject(document) ? document[part] : undefined
  if (child === undefined || child === null) throw rejected()
  return { ...(document as JsonObject), [part]: change(child, rest, edit) }
}

function add(document: Json, path: string[], value: Json): Json {
  if (path.length === 0) return value
  return change(document, path, (container, last) => {
    if (Array.isArray(container)) {
      const index = last === '-' ? container.length : insertIndex(last, container.length)
      return [...container.slice(0, index), value, ...container.slice(index)]
    }
    if (!isJsonObject(container)) throw rejected()
    return { ...container, [last]: value }
  })
}

function insertIndex(part: string, length: number): number {
  if (!/^[-+]?\d+$/.test(part)) throw rejected()
  const given = Number(part)
  const index = given < 0 ? given + length + 1 : given
  if (index < 0 || index > length) throw rejected()
  return index
}

function remove(document: Json, path: string[]): Json {
  if (path.length === 0) throw rejected()
  return change(document, path, (container, last) => {
    if (Array.isArray(container)) {
      const index = indexOf(last, container.length)
      if (index < 0 || index >= container.length) throw rejected()
      return container.filter((_, position) => position !== index)
    }
    if (!isJsonObject(container) || !Object.hasOwn(container, last)) throw rejected()
    const { [last]: _removed, ...rest } = container
    return rest
  })
}

function replace(document: Json, path: string[], value: Json): Json {
  if (path.length === 0) return value
  return change(document, path, (container, last) => {
    if (Array.isArray(container)) {
      const index = indexOf(last, container.length)
      if (index < 0 || index >= container.length) throw rejected()
      return container.map((item, position) => (position === index ? value : item))
    }
    if (!isJsonObject(container)) throw rejected()
    return { ...container, [last]: value }
  })
}

function test(document: Json, path: string[], expected: Json): Json {
  const found = lookup(document, path) ?? null
  if (!equalJson(found, expected)) throw rejected()
  return document
}
