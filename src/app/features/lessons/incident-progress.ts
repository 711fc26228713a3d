/** Which incidents were solved in this browser, and how. */
import { create } from 'zustand'
import { entryOf } from '../../../engine/core/object'
import { MOST_SEED } from '../../../lessons/incident'
import { load, onStored, store } from '../../state/stored'

export interface Solved {
  /** Simulated. */
  milliseconds: number
  writes: number
  hints: number
}

const KEY = 'incidents'

interface Solutions {
  /** The fastest one, by incident id. */
  best: Readonly<Record<string, Solved>>
  clear(): void
}

const stored = () => ({ best: load<Record<string, Solved>>(KEY, {}) })

export const useSolutions = create<Solutions>((set) => ({
  ...stored(),
  clear() {
    set({ best: {} })
    store(KEY, {})
  },
}))

onStored(KEY, () => useSolutions.setState(stored()))

export function noteSolved(id: string, solved: Solved): void {
  const { best } = useSolutions.getState()
  const before = entryOf(best, id)
  if (before !== undefined && before.milliseconds <= solved.milliseconds) return
  const next = { ...best, [id]: solved }
  useSolutions.setState({ best: next })
  store(KEY, next)
}

/** Never that of the shown incident. */
export function otherSeed(seed?: number): number {
  const drawn = 1 + Math.floor(Math.random() * MOST_SEED)
  return drawn === seed ? otherSeed(seed) : drawn
}
