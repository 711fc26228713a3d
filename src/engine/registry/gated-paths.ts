import { entryOf, isJsonObject, type Json } from '../core/object'
import type { GateStates } from './strategy'

type Members = Record<string, unknown>

/** The paths below a member as a tree, so that an object is visited once for all of them. */
export interface GatedPaths {
  /** Members at the end of a path, with their gates. */
  ends: { member: string; gate: string }[]
  /** `isMany`: the rest of the path is about the items or values of the member. */
  below: { member: string; isMany: boolean; paths: GatedPaths }[]
}

interface Use {
  gate: string
  holder: Members
  member: string
}

/**
 * @param members paths by gate, `[]` for items, `{}` for map values:
 * `spec.devices[].capacity{}.requestPolicy`
 */
export function gatedPaths(members: Readonly<Record<string, readonly string[]>>): GatedPaths {
  const root: GatedPaths = { ends: [], below: [] }
  for (const [gate, paths] of Object.entries(members))
    for (const path of paths) {
      const segments = path.split('.')
      const member = segments.pop() ?? ''
      segments.reduce(pathsBelow, root).ends.push({ member, gate })
    }
  return root
}

function pathsBelow({ below }: GatedPaths, segment: string): GatedPaths {
  const isMany = /[\]}]$/.test(segment)
  const member = isMany ? segment.slice(0, -2) : segment
  const known = below.find((one) => one.member === member && one.isMany === isMany)
  if (known !== undefined) return known.paths
  const paths: GatedPaths = { ends: [], below: [] }
  below.push({ member, isMany, paths })
  return paths
}

/** Keeps members if the stored object uses the same gate. Ignores gates that the release lacks. */
export function dropGatedPaths(
  gates: GateStates,
  gated: GatedPaths,
  object: object,
  old?: object,
): void {
  const uses: Use[] = []
  findUses(gates, gated, object, uses)
  if (uses.length === 0) return
  const before: Use[] = []
  if (old !== undefined) findUses(gates, gated, old, before)
  const kept = new Set(before.map(({ gate }) => gate))
  for (const { gate, holder, member } of uses) if (!kept.has(gate)) delete holder[member]
}

/** Adds the members of disabled gates to `uses`. */
function findUses(
  gates: GateStates,
  { ends, below }: GatedPaths,
  object: unknown,
  uses: Use[],
): void {
  if (!isMembers(object)) return
  for (const { member, gate } of ends)
    if (entryOf(object, member) !== undefined && entryOf(gates, gate) === false)
      uses.push({ gate, holder: object, member })
  for (const { member, isMany, paths } of below) {
    const value = entryOf(object, member)
    if (value === undefined || value === null) continue
    if (!isMany) findUses(gates, paths, value, uses)
    else
      for (const item of Array.isArray(value) ? value : Object.values(value))
        findUses(gates, paths, item, uses)
  }
}

const isMembers = (value: unknown): value is Members => isJsonObject(value as Json)
