/** Which fields changed their manager in a write. */
import type { KubeObject } from '../../../engine/core/object'
import { keyOf } from '../ownership/field-paths'
import { claimsOf } from '../ownership/owners'

export interface TakenField {
  /** `spec.replicas` */
  field: string
  from: string
  to: string
}

export function fieldsTaken(before: KubeObject, after: KubeObject): TakenField[] {
  const [old, young] = [managersOf(before), managersOf(after)]
  return [...old].flatMap(([key, { field, names }]) => {
    const now = young.get(key)?.names
    if (now === undefined) return []
    const from = [...names].filter((name) => !now.has(name))
    const to = [...now].filter((name) => !names.has(name))
    return from.length > 0 && to.length > 0
      ? [{ field, from: from.join(', '), to: to.join(', ') }]
      : []
  })
}

function managersOf(object: KubeObject): Map<string, { field: string; names: Set<string> }> {
  const managers = new Map<string, { field: string; names: Set<string> }>()
  for (const { path, itself, owner } of claimsOf(object)) {
    if (itself) continue
    const key = keyOf(path)
    const known = managers.get(key) ?? { field: textOf(path), names: new Set<string>() }
    managers.set(key, known)
    known.names.add(owner.name)
  }
  return managers
}

/** Elements of FieldsV1: `f:spec`, `k:{"name":"web"}`. */
const textOf = (path: readonly string[]): string =>
  path.map((element) => element.replace(/^[fkv]:/, '')).join('.')
