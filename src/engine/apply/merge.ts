/** The result shares unchanged parts. See sigs.k8s.io/structured-merge-diff, typed/merge.go. */
import { equalJson, isJsonObject, type Json, type JsonObject, setMember } from '../core/object'
import type { ListType, TypeNode } from '../schema/model'
import { copyNumberLiterals } from '../schema/number-literals'
import { elementsOf, haveSameElements, memberOf, type Shape, shapeOf } from './typed-value'

/** An applied null or empty object does not replace live members. */
export function merge(live: Json | undefined, applied: Json, type: TypeNode | undefined): Json {
  if (live === undefined || live === applied) return applied
  if (typeof live !== 'object' && typeof applied !== 'object') return applied
  const shape = shapeOf(type, applied)
  if (shape.kind === 'map' && isJsonObject(live)) return mergeObjects(live, applied, shape)
  if (shape.kind === 'list' && Array.isArray(live)) return mergeLists(live, applied, shape.list)
  return replaced(live, applied)
}

const replaced = (live: Json, applied: Json): Json => (equalJson(live, applied) ? live : applied)

function mergeObjects(
  live: JsonObject,
  applied: Json,
  shape: Extract<Shape, { kind: 'map' }>,
): Json {
  if (!isJsonObject(applied)) return Object.keys(live).length > 0 ? live : applied
  let merged: JsonObject | undefined
  for (const name in applied) {
    const before = memberOf(live, name)
    const after = merge(before, applied[name] as Json, shape.member(name).type)
    if (after === before) continue
    merged ??= { ...live }
    setMember(merged, name, after)
  }
  if (merged !== undefined) copyNumberLiterals(applied, merged)
  return merged ?? live
}

function mergeLists(live: Json[], applied: Json, list: ListType): Json {
  if (!Array.isArray(applied) || applied.length === 0)
    return live.length > 0 ? live : replaced(live, applied)
  if (live.length === 0) return applied
  if (haveSameElements(list, live, applied)) return mergePairwise(live, applied, list)
  const merged = new ListMerge(live, applied, list).merged()
  return merged.length === live.length && merged.every((item, index) => item === live[index])
    ? live
    : merged
}

function mergePairwise(live: Json[], applied: Json[], { items }: ListType): Json[] {
  let merged: Json[] | undefined
  for (let i = 0; i < live.length; i++) {
    const before = live[i] as Json
    const after = merge(before, applied[i] as Json, items)
    if (after === before) continue
    merged ??= live.slice()
    merged[i] = after
  }
  return merged ?? live
}

/**
 * Merges in the applied order. Live-only items stay near their neighbors, as early as possible:
 * live a b c d, applied d x b -> a c d x b.
 */
class ListMerge {
  private readonly liveElements: (string | undefined)[]
  private readonly appliedElements: (string | undefined)[]
  /** -1 for a repeated element, which merges with nothing. */
  private readonly liveIndex = new Map<string, number>()
  private readonly appliedIndex = new Map<string, number>()
  private readonly out: Json[] = []
  private readonly taken = new Set<string>()

  constructor(
    private readonly live: Json[],
    private readonly applied: Json[],
    private readonly list: ListType,
  ) {
    this.liveElements = elementsOf(list, live)
    this.appliedElements = elementsOf(list, applied)
    for (const [index, element] of this.liveElements.entries()) {
      if (element !== undefined)
        this.liveIndex.set(element, this.liveIndex.has(element) ? -1 : index)
    }
    for (const [index, element] of this.appliedElements.entries())
      if (element !== undefined) this.appliedIndex.set(element, index)
  }

  merged(): Json[] {
    const { live, applied } = this
    /** Live-only items precede the next of these shared elements. */
    const shared = this.appliedElements.filter(
      (element) => element !== undefined && this.liveIndex.has(element),
    )
    let next = 0
    let l = 0
    let a = 0
    while (l < live.length || a < applied.length) {
      const mine = this.liveElements[l]
      const theirs = this.appliedElements[a]
      const isShared = mine !== undefined && this.appliedIndex.has(mine)
      if (l < live.length && a < applied.length) {
        if (mine !== undefined && mine === theirs) {
          this.take(a++)
          l++
          next++
          continue
        }
        if (isShared && next < shared.length && shared[next] !== mine) {
          l++
          continue
        }
      }
      if (l < live.length && !isShared) {
        this.out.push(live[l++] as Json)
        continue
      }
      if (l < live.length && mine !== undefined && this.taken.has(mine)) l++
      if (a < applied.length) {
        this.take(a++)
        if (theirs !== undefined && theirs === shared[next]) next++
      }
    }
    return this.out
  }

  private take(appliedIndex: number): void {
    const item = this.applied[appliedIndex] as Json
    const element = this.appliedElements[appliedIndex]
    const at = element === undefined ? undefined : this.liveIndex.get(element)
    if (element !== undefined) this.taken.add(element)
    this.out.push(
      at === undefined ? item : merge(at < 0 ? null : this.live[at], item, this.list.items),
    )
  }
}
