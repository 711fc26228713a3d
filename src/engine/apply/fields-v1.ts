/**
 * Reads and writes `fieldsV1`, the JSON of a set of fields. See sigs.k8s.io/structured-merge-diff,
 * fieldpath/serialize.go.
 */
import { isJsonObject, type JsonObject } from '../core/object'
import { type FieldSet, fieldSet, sortedChildren } from './field-set'
import { PathElementError, parseElement } from './path-elements'

/** A path that is a member itself and has longer paths below it. */
const SELF = '.'

/** `{ "f:spec": { "f:replicas": {} } }` */
export function encodeFields(set: FieldSet): JsonObject {
  set.written ??= encodeSet(set)
  return set.written
}

function encodeSet(set: FieldSet): JsonObject {
  const fields: JsonObject = set.member && set.children.size > 0 ? { [SELF]: {} } : {}
  for (const [element, child] of sortedChildren(set)) fields[element] = encodeFields(child)
  return fields
}

/** Ignores elements of unknown kinds. @throws PathElementError for a malformed element */
export function decodeFields(fields: JsonObject): FieldSet {
  return fieldSet(false, decodeChildren(fields))
}

function decodeChildren(fields: JsonObject): Map<string, FieldSet> {
  const children = new Map<string, FieldSet>()
  for (const name in fields) {
    if (name === SELF) continue
    const element = parseElement(name)
    if (element === undefined) continue
    const below = fields[name]
    if (below !== null && !isJsonObject(below))
      throw new PathElementError(`expected an object at ${name}`)
    children.set(element, decodeBelow(below ?? {}))
  }
  return children
}

function decodeBelow(fields: JsonObject): FieldSet {
  const children = decodeChildren(fields)
  return fieldSet(children.size === 0 || Object.hasOwn(fields, SELF), children)
}
