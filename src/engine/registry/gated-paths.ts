import { entryOf, isJsonObject, type Json } from '../core/object'
import type { GateStates } from './strategy'

interface Segment {
  name: string
  /** The rest of the path is about its items or values. */
  isMany: boolean
}

interface GatedPath {
  above: readonly Segment[]
  last: string
}

export interface GatedPaths {
  gate: string
  paths: readonly GatedPath[]
}

/**
 * @param members paths by gate, `[]` for items, `{}` for map values:
 * `spec.devices[].capacity{}.requestPolicy`
 */
export const gatedPaths = (members: Readonly<Record<string, readonly string[]>>): GatedPaths[] =>
  Object.entries(members).map(([gate, paths]) => ({ gate, paths: paths.map(parsed) }))

function parsed(path: string): GatedPath {
  const segments = path.split('.')
  const last = segments.pop() ?? ''
  const above = segments.map((segment) => ({
    name: segment.replace(/(?:\[\]|\{\})$/, ''),
    isMany: /[\]}]$/.test(segment),
  }))
  return { above, last }
}

/** Keeps members if the stored object uses the same gate. Ignores gates that the release lacks. */
export function dropGatedPaths(
  gates: GateStates,
  gated: readonly GatedPaths[],
  object: object,
  old?: object,
): void {
  for (const { gate, paths } of gated) {
    if (entryOf(gates, gate) !== false) continue
    if (old !== undefined && paths.some((path) => holders(old, path).length > 0)) continue
    for (const path of paths) for (const holder of holders(object, path)) delete holder[path.last]
  }
}

type Members = Record<string, unknown>

const isMembers = (value: unknown): value is Members => isJsonObject(value as Json)

function holders(object: object, { above, last }: GatedPath): Members[] {
  let found: unknown[] = [object]
  for (const { name, isMany } of above) {
    found = found.flatMap((one): unknown[] => {
      const value = isMembers(one) ? entryOf(one, name) : undefined
      if (value === undefined || value === null) return []
      if (!isMany) return [value]
      return Array.isArray(value) ? value : Object.values(value as object)
    })
    if (found.length === 0) return []
  }
  return found.filter((one): one is Members => isMembers(one) && entryOf(one, last) !== undefined)
}
