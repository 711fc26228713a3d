import { create } from 'zustand'
import type { Release } from '../../../engine/releases/release'
import { useView } from '../../state/view'

export type ReleasesTab = 'change' | 'compare' | 'manifests' | 'policy'

interface ReleasesState {
  tab: ReleasesTab
  target: Release | undefined
  set(change: Partial<Pick<ReleasesState, 'tab' | 'target'>>): void
}

export const useReleases = create<ReleasesState>((set) => ({
  tab: 'change',
  target: undefined,
  set,
}))

export function showChange(target: Release): void {
  useReleases.getState().set({ tab: 'change', target })
  useView.getState().set({ place: 'releases', dialog: undefined })
}

export function showSideBySide(): void {
  useReleases.getState().set({ tab: 'compare' })
  useView.getState().set({ place: 'releases', dialog: undefined })
}
