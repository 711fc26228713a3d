/** Field sets of values: what one value consists of, and how one differs from another. */
import { equalJson, isJsonObject, type Json, type JsonObject } from '../object'
import type { ListType, TypeNode } from '../schema/model'
import { type FieldSet, FieldSetBuilder } from './field-set'
import { itemsByElement, memberElement, type Shape, shapeOf } from './typed-value'

/**
 * The paths that an applied value names. Leaves, empty members, items of lists and keys of maps are in the set; structs with
 * members are not, only what is below them.
 */
export function fieldSetOf(value: Json, type: TypeNode | undefined): FieldSet {
  const builder = new FieldSetBuilder()
  collect(value, type, builder)
  return builder.build()
}

function collect(value: Json, type: TypeNode | undefined, into: FieldSetBuilder): void {
  const shape = shapeOf(type, value)
  if (shape.kind === 'map') {
    if (isJsonObject(value)) collectMembers(value, shape, into)
  } else if (shape.kind === 'list') {
    if (!Array.isArray(value)) return
    for (const [element, item] of itemsByElement(shape.type, value)) {
      const below = into.child(element)
      below.member = true
      collect(item, shape.type.items, below)
    }
  } else into.member = true
}

function collectMembers(value: JsonObject, shape: Extract<Shape, { kind: 'map' }>, into: FieldSetBuilder): void {
  for (const name in value) {
    const member = value[name]
    if (member === undefined) continue
    const { type, named } = shape.member(name)
    const below = into.child(memberElement(name))
    if (!named || member === null || (isJsonObject(member) && Object.keys(member).length === 0)) below.member = true
    collect(member, type, below)
  }
}

export interface Comparison {
  added: FieldSet
  modified: FieldSet
  removed: FieldSet
}

/** What changed from one value to another of the same type. Subtrees that both share are skipped. */
export function compare(before: Json | undefined, after: Json | undefined, type: TypeNode): Comparison {
  const changes = { added: new FieldSetBuilder(), modified: new FieldSetBuilder(), removed: new FieldSetBuilder() }
  walk(before, after, type, { ...changes })
  return { added: changes.added.build(), modified: changes.modified.build(), removed: changes.removed.build() }
}

interface Builders {
  added: FieldSetBuilder
  modified: FieldSetBuilder
  removed: FieldSetBuilder
}

/** `undefined`: the path does not exist on that side. */
function walk(before: Json | undefined, after: Json | undefined, type: TypeNode | undefined, at: Builders): void {
  if (before === after) return
  const shape = shapeOf(type, after ?? before)
  const descends =
    shape.kind === 'map' ? walkMembers(before, after, shape, at) : shape.kind === 'list' && walkItems(before, after, shape.type, at)
  if (before === undefined) at.added.member = true
  else if (after === undefined) at.removed.member = true
  else if (!descends && !equalJson(before, after)) at.modified.member = true
}

function below(at: Builders, element: string): Builders {
  return { added: at.added.child(element), modified: at.modified.child(element), removed: at.removed.child(element) }
}

const emptyObject = (value: Json | undefined): boolean => !isJsonObject(value) || Object.keys(value).length === 0

/** @returns false if both sides are empty: then the difference between empty and null is one of the whole */
function walkMembers(before: Json | undefined, after: Json | undefined, shape: Extract<Shape, { kind: 'map' }>, at: Builders): boolean {
  if (emptyObject(before) && emptyObject(after)) return false
  const old = isJsonObject(before) ? before : {}
  const now = isJsonObject(after) ? after : {}
  for (const name in old) {
    const left = old[name]
    const right = now[name]
    if (left !== undefined && left !== right) walk(left, right, shape.member(name).type, below(at, memberElement(name)))
  }
  for (const name in now) {
    const right = now[name]
    if (right !== undefined && old[name] === undefined) walk(undefined, right, shape.member(name).type, below(at, memberElement(name)))
  }
  return true
}

const emptyList = (value: Json | undefined): boolean => !Array.isArray(value) || value.length === 0

function walkItems(before: Json | undefined, after: Json | undefined, list: ListType, at: Builders): boolean {
  if (emptyList(before) && emptyList(after)) return false
  const old = itemsByElement(list, Array.isArray(before) ? before : [])
  const now = itemsByElement(list, Array.isArray(after) ? after : [])
  for (const [element, left] of old) walk(left, now.get(element), list.items, below(at, element))
  for (const [element, right] of now) if (!old.has(element)) walk(undefined, right, list.items, below(at, element))
  return true
}
