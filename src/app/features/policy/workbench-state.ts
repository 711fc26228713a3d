import { create } from 'zustand'
import { load, store } from '../../state/stored'
import policies from './samples/policies.yaml?raw'
import tests from './samples/tests.yaml?raw'
import type { TestTexts } from './test-sets'

export const FIRST_SET: TestTexts = {
  policies,
  tests,
}

interface WorkbenchState {
  texts: TestTexts
  change(change: Partial<TestTexts>): void
}

const KEY = 'policy-workbench'

export const useWorkbench = create<WorkbenchState>((set, get) => ({
  texts: { ...FIRST_SET, ...load<Partial<TestTexts>>(KEY, {}) },
  change(change) {
    const texts = { ...get().texts, ...change }
    set({ texts })
    store(KEY, texts)
  },
}))
