/** FieldsV1: how a field set is written in metadata.managedFields (document 1, "Field ownership"; details recorded). */
import { isJsonObject, type JsonObject } from '../object'
import { type FieldSet, fieldSet, sortedChildren } from './field-set'
import { PathElementError, parseElement } from './path-elements'

/** Says of a path with longer paths below it that it is itself in the set. */
const SELF = '.'

/** `{ "f:spec": { "f:replicas": {} } }` */
export function encodeFields(set: FieldSet): JsonObject {
  set.written ??= written(set)
  return set.written
}

/** A path that ends here says so by being there; where longer paths follow it has to be said. */
function written(set: FieldSet): JsonObject {
  const fields: JsonObject = set.member && set.children.size > 0 ? { [SELF]: {} } : {}
  for (const [element, child] of sortedChildren(set)) fields[element] = encodeFields(child)
  return fields
}

/** @throws PathElementError if an element is malformed; elements of unknown kinds are passed over */
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

/** Nothing that is known below a path means that the path itself is in the set. */
function decodeBelow(fields: JsonObject): FieldSet {
  const children = decodeChildren(fields)
  return fieldSet(children.size === 0 || Object.hasOwn(fields, SELF), children)
}
