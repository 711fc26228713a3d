/** The Releases view: its tab and the release that it shows a change to. */
import { create } from 'zustand'
import type { Release } from '../../../engine/releases/release'
import { useView } from '../../state/view'

export type ReleasesTab = 'change' | 'compare' | 'manifests' | 'policy'

interface ReleasesState {
  tab: ReleasesTab
  /** The release to change to; undefined until one is selected. */
  target: Release | undefined
  set(change: Partial<Pick<ReleasesState, 'tab' | 'target'>>): void
}

export const useReleases = create<ReleasesState>((set) => ({
  tab: 'change',
  target: undefined,
  set,
}))

/** Shows what a change to the release does, before it is done. */
export function showChange(target: Release): void {
  useReleases.getState().set({ tab: 'change', target })
  useView.getState().set({ place: 'releases', dialog: undefined })
}
