/** Numbers that look random and are the same for the same seed, wherever they are requested. */

export interface Chance {
  /** A whole number from 0 to below `end`. */
  below(end: number): number
  /** Whether something that happens so often (0 to 1) happens now. */
  happens(share: number): boolean
  pick<Item>(items: readonly [Item, ...Item[]]): Item
}

/**
 * A stream of its own for every list of parts, so that what one actor does shifts no number of another.
 *
 * @param parts the seed and what the stream is for
 */
export function chanceOf(...parts: (string | number)[]): Chance {
  let state = mixed(parts.join('/'))
  // Mulberry32: 32 bits of state, good enough to shuffle with.
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  const below = (end: number) => Math.floor(next() * end)
  return {
    below,
    happens: (share) => next() < share,
    pick: (items) => items[below(items.length)] ?? items[0],
  }
}

/** FNV-1a. */
function mixed(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}
