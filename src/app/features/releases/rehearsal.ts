import { create } from 'zustand'
import type { Release } from '../../../engine/releases'
import { load, store } from '../../state/stored'
import type { Report } from './findings'
import { readManifests } from './manifests'
import { SAMPLE, SAMPLE_RELEASES } from './sample'

interface RehearsalState {
  text: string
  from: Release
  to: Release
  /** The release that is running; undefined: none. */
  loading: Release | undefined
  report: Report | undefined
  failure: string | undefined
  set(change: Partial<Pick<RehearsalState, 'text' | 'from' | 'to'>>): void
  run(): Promise<void>
}

type StoredRehearsal = Pick<RehearsalState, 'text' | 'from' | 'to'>
const FIRST: StoredRehearsal = { text: SAMPLE, ...SAMPLE_RELEASES }

export const useRehearsal = create<RehearsalState>((set, get) => ({
  ...FIRST,
  ...load<Partial<StoredRehearsal>>('rehearsal', {}),
  loading: undefined,
  report: undefined,
  failure: undefined,
  set(change) {
    set(change)
    const { text, from, to } = get()
    store('rehearsal', { text, from, to })
  },
  async run() {
    const { text, from, to } = get()
    set({ failure: undefined, loading: from })
    try {
      const { checkUpgrade } = await import('./check')
      const read = readManifests({ name: 'manifests', text })
      set({
        report: await checkUpgrade({ ...read, from, to, onRelease: (loading) => set({ loading }) }),
      })
    } catch (error) {
      set({ failure: error instanceof Error ? error.message : String(error), report: undefined })
    } finally {
      set({ loading: undefined })
    }
  },
}))
