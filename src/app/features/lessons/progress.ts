/** Shared by all workspaces of this browser. */

import { create } from 'zustand'
import { entryOf } from '../../../engine/core/object'
import { load, onStored, store } from '../../state/stored'

const KEY = 'lessons'

interface ProgressState {
  /** Most completed steps, by lesson id. */
  steps: Readonly<Record<string, number>>
  clear(): void
}

export const useProgress = create<ProgressState>((set) => ({
  steps: load<Record<string, number>>(KEY, {}),
  clear() {
    set({ steps: {} })
    store(KEY, {})
  },
}))

onStored(KEY, () => useProgress.setState({ steps: load<Record<string, number>>(KEY, {}) }))

export function noteProgress(id: string, done: number): void {
  const { steps } = useProgress.getState()
  const next = { ...steps, [id]: Math.max(entryOf(steps, id) ?? 0, done) }
  useProgress.setState({ steps: next })
  store(KEY, next)
}
