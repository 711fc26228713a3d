/** The editors' tabs: manifests and scripts. Every keystroke is kept, so a reload loses nothing. */
import { create } from 'zustand'
import { SAMPLES } from '../manifests/samples'
import { recall, remember } from './stored'

export interface EditorTab {
  id: string
  title: string
  language: 'yaml' | 'typescript'
  text: string
}

interface EditorState {
  tabs: EditorTab[]
  active: string
  /** The browser keeps nothing: said once, in the editor's bar. */
  unsaved: boolean
  open(tab: Omit<EditorTab, 'id'>): string
  close(id: string): void
  activate(id: string): void
  edit(id: string, text: string): void
  rename(id: string, title: string): void
  replaceAll(tabs: EditorTab[], active?: string): void
}

const first: EditorTab = { id: 'first', title: SAMPLES[0]?.title ?? 'manifest.yaml', language: 'yaml', text: SAMPLES[0]?.text ?? '' }
const saved = recall<{ tabs: EditorTab[]; active: string }>('editors', { tabs: [first], active: first.id })

export const useEditors = create<EditorState>((set, get) => {
  const change = (next: Partial<EditorState>) => {
    set(next)
    const { tabs, active } = get()
    set({ unsaved: !remember('editors', { tabs, active }) })
  }
  return {
    tabs: saved.tabs.length > 0 ? saved.tabs : [first],
    active: saved.active,
    unsaved: false,
    open(tab) {
      const id = `tab-${Date.now().toString(36)}-${get().tabs.length}`
      change({ tabs: [...get().tabs, { ...tab, id, title: freeTitle(tab.title, get().tabs) }], active: id })
      return id
    },
    close(id) {
      const { tabs, active } = get()
      const left = tabs.filter((tab) => tab.id !== id)
      const next = left.length > 0 ? left : [{ ...first, id: `tab-${Date.now().toString(36)}`, title: 'untitled.yaml', text: '' }]
      change({ tabs: next, active: active === id ? (next[Math.max(0, tabs.findIndex((tab) => tab.id === id) - 1)]?.id ?? '') : active })
    },
    activate: (active) => change({ active }),
    edit: (id, text) => change({ tabs: get().tabs.map((tab) => (tab.id === id ? { ...tab, text } : tab)) }),
    rename: (id, title) => change({ tabs: get().tabs.map((tab) => (tab.id === id ? { ...tab, title } : tab)) }),
    replaceAll: (tabs, active) => change({ tabs, active: active ?? tabs[0]?.id ?? '' }),
  }
})

function freeTitle(title: string, tabs: readonly EditorTab[]): string {
  if (!tabs.some((tab) => tab.title === title)) return title
  const [, stem = title, ending = ''] = /^(.*?)(\.[a-z]+)?$/.exec(title) ?? []
  for (let n = 2; ; n++) {
    const candidate = `${stem}-${n}${ending}`
    if (!tabs.some((tab) => tab.title === candidate)) return candidate
  }
}

export function activeTab(state: Pick<EditorState, 'tabs' | 'active'>): EditorTab {
  return state.tabs.find((tab) => tab.id === state.active) ?? (state.tabs[0] as EditorTab)
}
