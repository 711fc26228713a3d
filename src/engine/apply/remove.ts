/**
 * Removes a set of fields from an object. See sigs.k8s.io/structured-merge-diff, typed/remove.go.
 */
import { isJsonObject, type Json, type JsonObject, setMember } from '../core/object'
import type { ListType, TypeNode } from '../schema/model'
import { type FieldSet, fieldSet } from './field-set'
import { elementsOf, memberElement, type Shape, shapeOf } from './typed-value'

/** A part that loses its last member or item becomes null. */
export function removePaths(value: Json, remove: FieldSet, type: TypeNode | undefined): Json {
  if (remove.children.size === 0) return value
  const shape = shapeOf(type, value)
  if (shape.kind === 'map' && isJsonObject(value)) return removeMembers(value, remove, shape)
  if (shape.kind === 'list' && Array.isArray(value)) return removeItems(value, remove, shape.list)
  return value
}

function removeMembers(
  value: JsonObject,
  remove: FieldSet,
  shape: Extract<Shape, { kind: 'map' }>,
): Json {
  const kept: JsonObject = {}
  let count = 0
  let changed = false
  for (const name in value) {
    const member = value[name] as Json
    const below = remove.children.get(memberElement(name))
    const rest =
      below === undefined
        ? member
        : below.member
          ? undefined
          : removePaths(member, below, shape.member(name).type)
    changed ||= rest !== member
    if (rest === undefined) continue
    setMember(kept, name, rest)
    count++
  }
  if (count === 0) return null
  return changed ? kept : value
}

function removeItems(items: Json[], remove: FieldSet, list: ListType): Json {
  const elements = elementsOf(list, items)
  const kept: Json[] = []
  for (const [index, item] of items.entries()) {
    const element = elements[index]
    const below = element === undefined ? undefined : remove.children.get(element)
    if (below?.member) continue
    kept.push(below === undefined ? item : removePaths(item, below, list.items))
  }
  if (kept.length === 0) return null
  return kept.length === items.length && kept.every((item, index) => item === items[index])
    ? items
    : kept
}

/** Adds structures above named fields, which are removed with their last field. */
export function withNamedFields(set: FieldSet, type: TypeNode | undefined): FieldSet {
  if (set.children.size === 0) return set
  const shape = shapeOf(type, undefined)
  const children = new Map<string, FieldSet>()
  for (const [element, child] of set.children) {
    const isName = element.startsWith('f:')
    const member = isName && shape.kind === 'map' ? shape.member(element.slice(2)) : undefined
    const below = withNamedFields(
      child,
      isName ? member?.type : shape.kind === 'list' ? shape.list.items : undefined,
    )
    children.set(
      element,
      member?.named === true && !below.member ? fieldSet(true, below.children) : below,
    )
  }
  return fieldSet(set.member, children)
}
