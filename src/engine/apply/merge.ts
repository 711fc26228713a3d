/** Structured merge: an applied value laid over the live one, and the removal of paths from a value. */
import { isJsonObject, type Json, type JsonObject } from '../object'
import type { ListType, TypeNode } from '../schema/model'
import type { FieldSet } from './field-set'
import { itemsByElement, memberElement, shapeOf } from './typed-value'

/** The applied value wins where both say something; what only one side has stays. Inputs are not changed. */
export function merge(live: Json | undefined, applied: Json | undefined, type: TypeNode | undefined): Json {
  if (applied === undefined) return live as Json
  if (live === undefined) return applied
  const shape = shapeOf(type, applied ?? live)
  if (shape.kind === 'map' && isJsonObject(live) && isJsonObject(applied)) {
    const merged: JsonObject = { ...live }
    for (const name in applied) merged[name] = merge(live[name], applied[name], shape.member(name).type)
    return merged
  }
  if (shape.kind === 'list' && Array.isArray(live) && Array.isArray(applied)) return mergeLists(live, applied, shape.type)
  return applied
}

/**
 * The order of the applied list rules; live items that it does not name keep their place among their neighbours.
 *
 * Example: live a b c d, applied d x b -> a c d x b: a and c come when the live side is ahead of the next shared item.
 */
function mergeLists(live: Json[], applied: Json[], list: ListType): Json[] {
  const liveItems = itemsByElement(list, live)
  const appliedItems = itemsByElement(list, applied)
  const left = [...liveItems.keys()]
  const right = [...appliedItems.keys()]
  const shared = right.filter((element) => liveItems.has(element))
  const out: Json[] = []
  let l = 0
  let r = 0
  let s = 0
  const take = (element: string) => out.push(merge(liveItems.get(element), appliedItems.get(element), list.items))
  while (l < left.length || r < right.length) {
    const mine = left[l]
    const theirs = right[r]
    if (mine !== undefined && theirs !== undefined) {
      if (mine === theirs) {
        take(theirs)
        l++
        r++
        s++
        continue
      }
      // A shared item whose turn has not come (or is over): the applied list places it.
      if (appliedItems.has(mine) && shared[s] !== mine) {
        l++
        continue
      }
    }
    if (mine !== undefined && !appliedItems.has(mine)) {
      take(mine)
      l++
    } else if (theirs !== undefined) {
      take(theirs)
      if (theirs === shared[s]) s++
      r++
    } else l++
  }
  return out
}

/** The value without the paths of the set. What becomes empty by it becomes `null`, as the merge expects. */
export function removePaths(value: Json, remove: FieldSet, type: TypeNode | undefined): Json {
  const shape = shapeOf(type, value)
  if (shape.kind === 'map' && isJsonObject(value)) {
    const kept: JsonObject = {}
    let count = 0
    for (const name in value) {
      const below = remove.children.get(memberElement(name))
      if (below?.member) continue
      const member = value[name] as Json
      kept[name] = below === undefined ? member : removePaths(member, below, shape.member(name).type)
      count++
    }
    return count === 0 ? null : kept
  }
  if (shape.kind === 'list' && Array.isArray(value)) {
    const kept: Json[] = []
    for (const [element, item] of itemsByElement(shape.type, value)) {
      const below = remove.children.get(element)
      if (below?.member) continue
      kept.push(below === undefined ? item : removePaths(item, below, shape.type.items))
    }
    return kept.length === 0 ? null : kept
  }
  return value
}

/** Makes every named field that has owned paths below it a path of the set too, so that it can be removed as a whole. */
export function withNamedFields(set: FieldSet, type: TypeNode | undefined): FieldSet {
  if (set.children.size === 0) return set
  const children = new Map<string, FieldSet>()
  for (const [element, child] of set.children) {
    const { type: below, named } = typeBelow(type, element)
    const deeper = withNamedFields(child, below)
    children.set(element, named && !deeper.member ? { member: true, children: deeper.children } : deeper)
  }
  return { member: set.member, children }
}

function typeBelow(type: TypeNode | undefined, element: string): { type: TypeNode | undefined; named: boolean } {
  if (element.startsWith('f:')) {
    const shape = shapeOf(type, {})
    return shape.kind === 'map' ? shape.member(element.slice(2)) : { type: undefined, named: false }
  }
  return { type: type?.type === 'list' ? type.items : undefined, named: false }
}
