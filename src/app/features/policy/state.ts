/** Which part of the place "Policy" is shown. */
import { create } from 'zustand'
import { load, store } from '../../state/stored'
import { useView } from '../../state/view'

export type PolicyTab = 'bench' | 'workbench' | 'designer'

interface PolicyViewState {
  tab: PolicyTab
  show(tab: PolicyTab): void
}

const KEY = 'policy-tab'

export const usePolicyView = create<PolicyViewState>((set) => ({
  tab: load<PolicyTab>(KEY, 'bench'),
  show(tab) {
    set({ tab })
    store(KEY, tab)
  },
}))

/** Goes to the place, and to a part of it. */
export function goToPolicy(tab: PolicyTab): void {
  usePolicyView.getState().show(tab)
  useView.getState().set({ place: 'policy' })
}
