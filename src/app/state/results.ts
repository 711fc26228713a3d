/** What came of the last run of a manifest, and how manifests are sent. */
import { create } from 'zustand'
import type { FieldValidation } from '../kubectl/verbs'
import type { Action, Result } from '../manifests/run'
import { useActors } from './actors'
import { useConnection } from './connection'
import { useDiscovery } from './discovery'
import { activeTab, useEditors } from './editors'
import { recall, remember } from './stored'
import { useView } from './view'

interface ResultState {
  running: boolean
  /** The editor tab that was sent, and its text then: places in it are only right while it is unchanged. */
  tab: string
  text: string
  action: Action
  results: Result[]
  /** How the server is to take unknown fields. */
  fieldValidation: FieldValidation
  run(action: Action): Promise<void>
  setFieldValidation(validation: FieldValidation): void
}

export const useResults = create<ResultState>((set, get) => ({
  running: false,
  tab: '',
  text: '',
  action: 'apply',
  results: [],
  fieldValidation: recall<FieldValidation>('fieldValidation', 'Strict'),
  async run(action) {
    if (get().running) return
    const { id: tab, text } = activeTab(useEditors.getState())
    set({ running: true, action, tab, text })
    try {
      // Before the server has said what it serves, every kind would look unknown.
      const [{ runManifest }] = await Promise.all([import('../manifests/run'), useConnection.getState().ready])
      const { fieldManager } = useActors.getState()
      const { resources } = useDiscovery.getState()
      const results = await runManifest(text, action, { fieldManager, fieldValidation: get().fieldValidation, resources })
      set({ results })
      show(action, results)
    } finally {
      set({ running: false })
    }
  },
  setFieldValidation(fieldValidation) {
    set({ fieldValidation })
    remember('fieldValidation', fieldValidation)
  },
}))

/** Results come to the front; the first object that was stored is shown, unless another one is being looked at. */
function show(action: Action, results: readonly Result[]): void {
  const view = useView.getState()
  const stored = action === 'dry-run' || action === 'delete' ? undefined : results.find(({ target }) => target)?.target
  view.set({ activity: 'results', ...(stored && view.selected === undefined ? { selected: stored } : {}) })
}
