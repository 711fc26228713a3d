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

export function goToPolicy(tab: PolicyTab): void {
  usePolicyView.getState().show(tab)
  useView.getState().set({ place: 'policy' })
}
