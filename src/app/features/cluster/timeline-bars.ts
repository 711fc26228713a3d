import type { Change } from '../../../hosts/shared/channel'

/** Each bar covers the same number of revisions. */
const BARS = 240

/** -1 without a change up to the revision. */
export const indexOf = (changes: readonly Change[], revision: number): number =>
  changes.findLastIndex((change) => change.revision <= revision)

export interface ScrubBar {
  key: number
  /** Percent. */
  height: number
  kind: 'made' | 'changed' | 'removed'
}

/** Creations and deletions make a bar higher. */
export function barsOf(changes: readonly Change[]): ScrubBar[] {
  const size = Math.max(1, Math.ceil(changes.length / BARS))
  const bars: ScrubBar[] = []
  for (let i = 0; i < changes.length; i += size) {
    const part = changes.slice(i, i + size)
    const count = (type: Change['type']) => part.filter((change) => change.type === type).length
    const [made, removed] = [count('ADDED'), count('DELETED')]
    const kind = removed > 0 && removed >= made ? 'removed' : made > 0 ? 'made' : 'changed'
    bars.push({
      key: part[0]?.revision ?? i,
      height: kind === 'changed' ? 34 : 52 + (48 * Math.max(made, removed)) / part.length,
      kind,
    })
  }
  return bars
}
