/** Which part of the place "Policy" is shown. */
import { create } from 'zustand'
import { recall, remember } from './stored'
import { useView } from './view'

export type PolicyTab = 'bench' | 'workbench' | 'designer'

interface PolicyViewState {
  tab: PolicyTab
  show(tab: PolicyTab): void
}

const KEY = 'policy-tab'

export const usePolicyView = create<PolicyViewState>((set) => ({
  tab: recall<PolicyTab>(KEY, 'bench'),
  show(tab) {
    set({ tab })
    remember(KEY, tab)
  },
}))

/** Goes to the place, and to a part of it. */
export function goToPolicy(tab: PolicyTab): void {
  usePolicyView.getState().show(tab)
  useView.getState().set({ place: 'policy' })
}
