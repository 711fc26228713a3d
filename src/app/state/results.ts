/** What came of the last run of a manifest. */
import { create } from 'zustand'
import { type Action, type Result, runManifest } from '../manifests/run'
import { useConnection } from './connection'
import { activeTab, useEditors } from './editors'
import { useView } from './view'

interface ResultState {
  running: boolean
  tab: string
  action: Action
  results: Result[]
  run(action: Action): Promise<void>
}

export const useResults = create<ResultState>((set, get) => ({
  running: false,
  tab: '',
  action: 'apply',
  results: [],
  async run(action) {
    if (get().running) return
    const tab = activeTab(useEditors.getState())
    set({ running: true, action, tab: tab.id })
    // The first press may come before the server has started: it waits instead of failing.
    await useConnection.getState().ready
    const results = await runManifest(tab.text, action)
    set({ running: false, results })
    const stored = action !== 'dry-run' && action !== 'delete' ? results.find(({ target }) => target)?.target : undefined
    if (stored && useView.getState().selected === undefined) useView.getState().set({ selected: stored })
    useView.getState().set({ activity: 'results' })
  },
}))
