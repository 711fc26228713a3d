/**
 * Compares two objects field by field, for field ownership. See sigs.k8s.io/structured-merge-diff,
 * typed/tofieldset.go and typed/compare.go.
 */

import { equalJson, isJsonObject, type Json, type JsonObject } from '../core/object'
import { isDecodedAsStored } from '../schema/decoded-equality'
import type { ListType, TypeNode } from '../schema/model'
import { EMPTY, type FieldSet, fieldSet, LEAF } from './field-set'
import {
  haveSameElements,
  itemElement,
  itemsByElement,
  memberElement,
  memberOf,
  type Shape,
  shapeOf,
} from './typed-value'

type MapShape = Extract<Shape, { kind: 'map' }>
type Children = Map<string, FieldSet>

/** The paths that an applied value sets: leaves, null and empty members, list items, map keys. */
export function fieldSetOf(value: Json, type: TypeNode | undefined): FieldSet {
  const shape = shapeOf(type, value)
  if (shape.kind === 'leaf') return LEAF
  if (shape.kind === 'map')
    return isJsonObject(value) ? fieldSet(false, membersNamed(value, shape)) : EMPTY
  return Array.isArray(value) ? fieldSet(false, itemsNamed(value, shape.list)) : EMPTY
}

function membersNamed(value: JsonObject, shape: MapShape): Children {
  const children: Children = new Map()
  for (const name in value) {
    const member = value[name]
    if (member === undefined) continue
    const { type, named } = shape.member(name)
    const below = fieldSetOf(member, type)
    const isMember = below.member || !named || member === null || isEmptyObject(member)
    if (isMember || below.children.size > 0)
      children.set(memberElement(name), asMember(below, isMember))
  }
  return children
}

const isEmptyObject = (value: Json): boolean =>
  isJsonObject(value) && Object.keys(value).length === 0

const asMember = (set: FieldSet, member: boolean): FieldSet =>
  set.member === member ? set : fieldSet(member, set.children)

/** Nothing below a repeated element is in the set. */
function itemsNamed(items: Json[], list: ListType): Children {
  const children: Children = new Map()
  for (const [element, found] of itemsByElement(list, items)) {
    children.set(
      element,
      found.length === 1 ? asMember(fieldSetOf(found[0] as Json, list.items), true) : LEAF,
    )
  }
  return children
}

/** Includes structures, which are added or removed with the value. */
function everyPathOf(value: Json, type: TypeNode | undefined): FieldSet {
  const shape = shapeOf(type, value)
  const children: Children = new Map()
  if (shape.kind === 'map' && isJsonObject(value)) {
    for (const name in value) {
      const member = value[name]
      if (member !== undefined)
        children.set(memberElement(name), everyPathOf(member, shape.member(name).type))
    }
  } else if (shape.kind === 'list' && Array.isArray(value)) {
    for (const [element, found] of itemsByElement(shape.list, value)) {
      children.set(
        element,
        found.length === 1 ? everyPathOf(found[0] as Json, shape.list.items) : LEAF,
      )
    }
  }
  return fieldSet(true, children)
}

export interface Comparison {
  added: FieldSet
  modified: FieldSet
  removed: FieldSet
}

const SAME: Comparison = { added: EMPTY, modified: EMPTY, removed: EMPTY }
const ANOTHER: Comparison = { added: EMPTY, modified: LEAF, removed: EMPTY }

/** `undefined`: absent. Shared subtrees are skipped. */
export function compare(
  before: Json | undefined,
  after: Json | undefined,
  type: TypeNode | undefined,
): Comparison {
  if (before === after) return SAME
  if (before === undefined)
    return { added: everyPathOf(after as Json, type), modified: EMPTY, removed: EMPTY }
  if (after === undefined)
    return { added: EMPTY, modified: EMPTY, removed: everyPathOf(before, type) }
  if (typeof before !== 'object' && typeof after !== 'object') return ANOTHER
  const shape = shapeOf(type, after)
  const former = shapeOf(type, before)
  // An untyped object that becomes a scalar loses members and is itself modified.
  return shape.kind === former.kind
    ? compareAs(shape, before, after)
    : both(compareAs(former, before, after), compareAs(shape, before, after))
}

function both(a: Comparison, b: Comparison): Comparison {
  const pick = (left: FieldSet, right: FieldSet): FieldSet =>
    fieldSet(left.member || right.member, left.children.size > 0 ? left.children : right.children)
  return {
    added: pick(a.added, b.added),
    modified: pick(a.modified, b.modified),
    removed: pick(a.removed, b.removed),
  }
}

function compareAs(shape: Shape, before: Json, after: Json): Comparison {
  if (shape.kind === 'map') {
    const old = isJsonObject(before) ? before : {}
    const now = isJsonObject(after) ? after : {}
    return hasMembers(old) || hasMembers(now)
      ? compareMembers(old, now, shape)
      : compareEmpties(before, after)
  }
  if (shape.kind === 'list') {
    const old = Array.isArray(before) ? before : []
    const now = Array.isArray(after) ? after : []
    return old.length > 0 || now.length > 0
      ? compareItems(old, now, shape.list)
      : compareEmpties(before, after)
  }
  return compareWholes(before, after)
}

const compareEmpties = (before: Json, after: Json): Comparison =>
  equalJson(before, after) ? SAME : ANOTHER

/** In decoded form (recording `reports-d07/empty-members-of-atomic-lists`). */
const compareWholes = (before: Json, after: Json): Comparison =>
  equalJson(before, after) && isDecodedAsStored(after) ? SAME : ANOTHER

function hasMembers(object: JsonObject): boolean {
  for (const name in object) if (object[name] !== undefined) return true
  return false
}

function compareMembers(before: JsonObject, after: JsonObject, shape: MapShape): Comparison {
  const changes = new Changes()
  for (const name in before) {
    const left = before[name]
    if (left === undefined) continue
    const right = memberOf(after, name)
    if (left === right) continue
    const change = compare(left, right, shape.member(name).type)
    if (change !== SAME) changes.add(memberElement(name), change)
  }
  for (const name in after) {
    const right = after[name]
    if (right !== undefined && memberOf(before, name) === undefined) {
      changes.add(memberElement(name), compare(undefined, right, shape.member(name).type))
    }
  }
  return changes.comparison()
}

const NO_ITEMS: Json[] = []

function compareItems(before: Json[], after: Json[], list: ListType): Comparison {
  const changes = new Changes()
  if (haveSameElements(list, before, after)) {
    for (let i = 0; i < after.length; i++) {
      const item = after[i] as Json
      const change = compare(before[i], item, list.items)
      if (change !== SAME) changes.add(itemElement(list, item), change)
    }
    return changes.comparison()
  }
  const old = itemsByElement(list, before)
  const now = itemsByElement(list, after)
  for (const [element, items] of old)
    compareRepeated(changes, element, items, now.get(element) ?? NO_ITEMS, list.items)
  for (const [element, items] of now)
    if (!old.has(element)) compareRepeated(changes, element, NO_ITEMS, items, list.items)
  return changes.comparison()
}

/** Items that repeat an element count as one whole. */
function compareRepeated(
  changes: Changes,
  element: string,
  before: Json[],
  after: Json[],
  type: TypeNode,
): void {
  if (before.length < 2 && after.length < 2)
    changes.add(element, compare(before[0], after[0], type))
  else if (before.length >= 2 && after.length >= 2)
    changes.add(element, compareWholes(before, after))
  else if (before.length >= 2)
    changes.add(element, { ...compare(undefined, after[0], type), removed: LEAF })
  else changes.add(element, { ...compare(before[0], undefined, type), added: LEAF })
}

class Changes {
  private added: Children | undefined
  private modified: Children | undefined
  private removed: Children | undefined

  add(element: string, { added, modified, removed }: Comparison): void {
    if (added !== EMPTY) this.added = (this.added ?? new Map()).set(element, added)
    if (modified !== EMPTY) this.modified = (this.modified ?? new Map()).set(element, modified)
    if (removed !== EMPTY) this.removed = (this.removed ?? new Map()).set(element, removed)
  }

  comparison(): Comparison {
    if (this.added === undefined && this.modified === undefined && this.removed === undefined)
      return SAME
    return {
      added: fieldSet(false, this.added),
      modified: fieldSet(false, this.modified),
      removed: fieldSet(false, this.removed),
    }
  }
}
