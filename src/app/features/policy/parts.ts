import type { InspectedOutcome, Part, PartOutcome } from '../../../engine/cel/inspection/inspect'

export interface PartRow {
  part: Part
  outcome: PartOutcome | undefined
  depth: number
  hasParts: boolean
  expanded: boolean
}

/** @param folded ids of parts whose children are hidden */
export function rowsOf(
  parts: readonly Part[],
  outcome: InspectedOutcome | undefined,
  folded: ReadonlySet<number>,
): PartRow[] {
  const depths = new Map<number, number>()
  const hidden = new Set<number>()
  const parents = new Set(parts.map(({ parent }) => parent))
  return parts.flatMap((part) => {
    const { id, parent } = part
    depths.set(id, parent === undefined ? 0 : (depths.get(parent) ?? 0) + 1)
    if (parent !== undefined && (hidden.has(parent) || folded.has(parent))) {
      hidden.add(id)
      return []
    }
    return [
      {
        part,
        outcome: outcome?.parts[id],
        depth: depths.get(id) ?? 0,
        hasParts: parents.has(id),
        expanded: !folded.has(id),
      },
    ]
  })
}

/** Folds paths such as `object.spec.replicas` into one row. */
export function firstFolded(parts: readonly Part[]): Set<number> {
  return new Set(parts.filter(({ kind }) => kind === 'select').map(({ id }) => id))
}

export function ancestorsOf(parts: readonly Part[], id: number): number[] {
  const parent = parts[id]?.parent
  return parent === undefined ? [] : [parent, ...ancestorsOf(parts, parent)]
}

export function partAt(parts: readonly Part[], offset: number): Part | undefined {
  let found: Part | undefined
  for (const part of parts) {
    if (part.start > offset || offset > part.end) continue
    // At a border, the part that begins there.
    if (
      found === undefined ||
      part.end - part.start < found.end - found.start ||
      (part.start === offset && found.end === offset)
    )
      found = part
  }
  return found
}

/** From 1 to 5, by the share of the whole cost; 0 without cost. */
export function heatOf(cost: number, whole: number): 0 | 1 | 2 | 3 | 4 | 5 {
  if (cost <= 0 || whole <= 0) return 0
  const share = cost / whole
  if (share > 0.5) return 5
  if (share > 0.25) return 4
  if (share > 0.1) return 3
  return share > 0.03 ? 2 : 1
}

export interface HeatPiece {
  part: Part
  cost: number
  heat: ReturnType<typeof heatOf>
}

export function heatStrip(parts: readonly Part[], outcome: InspectedOutcome): HeatPiece[] {
  const pieces = parts
    .map((part) => ({ part, cost: outcome.parts[part.id]?.ownCost ?? 0 }))
    .filter(({ cost }) => cost > 0)
  return pieces
    .sort((a, b) => a.part.start - b.part.start || b.part.end - a.part.end)
    .map(({ part, cost }) => ({ part, cost, heat: heatOf(cost, outcome.cost) }))
}
