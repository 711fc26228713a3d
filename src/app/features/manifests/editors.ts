/** Every keystroke is stored, so a reload loses nothing. */
import { create } from 'zustand'
import { load, onStored, store } from '../../state/stored'
import { ownKey } from '../../state/workspace'
import { SAMPLES } from './samples'

export interface EditorTab {
  id: string
  title: string
  language: 'yaml' | 'typescript'
  text: string
  /** The field manager of this file's applies; defaults to the actor's. */
  manager?: string
  /** The sender of a file from a shared link, unverified; set until its first run. */
  from?: string
}

interface EditorState {
  tabs: EditorTab[]
  active: string
  pair: readonly [string, string] | undefined
  /** The browser stores nothing: shown in the editor. */
  unsaved: boolean
  open(tab: Omit<EditorTab, 'id'>): string
  /** Replaces all open files. @param active index */
  openInstead(tabs: readonly Omit<EditorTab, 'id'>[], active?: number): void
  close(id: string): void
  activate(id: string): void
  edit(id: string, text: string): void
  rename(id: string, title: string): void
  setManager(id: string, manager: string): void
  /** Removes the warning about a file from a shared link. */
  trust(id: string): void
  setPair(pair: EditorState['pair']): void
}

const KEY = ownKey('editors')
const [sample] = SAMPLES
const FIRST: EditorTab = {
  id: 'first',
  title: sample?.title ?? 'manifest.yaml',
  language: 'yaml',
  text: sample?.text ?? '',
}

const newId = (): string =>
  `tab-${Date.now().toString(36)}${Math.floor(Math.random() * 1e6).toString(36)}`

function saved(): { tabs: EditorTab[]; active: string } {
  const { tabs, active } = load<{ tabs: EditorTab[]; active: string }>(KEY, {
    tabs: [],
    active: '',
  })
  return tabs.length > 0 ? { tabs, active } : { tabs: [FIRST], active: FIRST.id }
}

export const useEditors = create<EditorState>((set, get) => {
  const change = (
    next:
      | Pick<EditorState, 'tabs'>
      | Pick<EditorState, 'active'>
      | Pick<EditorState, 'tabs' | 'active'>,
  ) => {
    set(next)
    const { tabs, active, unsaved } = get()
    const kept = store(KEY, { tabs, active })
    if (kept === unsaved) set({ unsaved: !kept })
  }
  const update = (id: string, part: Partial<EditorTab>) =>
    change({ tabs: get().tabs.map((tab) => (tab.id === id ? { ...tab, ...part } : tab)) })
  return {
    ...saved(),
    pair: undefined,
    unsaved: false,
    open(tab) {
      const id = newId()
      change({
        tabs: [...get().tabs, { ...tab, id, title: freeTitle(tab.title, get().tabs) }],
        active: id,
      })
      return id
    },
    openInstead(given, at = 0) {
      const tabs = given.map((tab) => ({ ...tab, id: newId() }))
      const front = tabs[at] ?? tabs[0]
      if (front !== undefined) change({ tabs, active: front.id })
    },
    close(id) {
      const { tabs, active } = get()
      const at = tabs.findIndex((tab) => tab.id === id)
      const left = tabs.filter((tab) => tab.id !== id)
      const next =
        left.length > 0
          ? left
          : [{ id: newId(), title: 'untitled.yaml', language: 'yaml' as const, text: '' }]
      change({ tabs: next, active: active === id ? (next[Math.max(0, at - 1)]?.id ?? '') : active })
    },
    activate: (active) => change({ active }),
    edit: (id, text) => {
      if (get().tabs.some((tab) => tab.id === id && tab.text !== text)) update(id, { text })
    },
    rename: (id, title) => update(id, { title }),
    setManager: (id, manager) => update(id, { manager }),
    trust: (id) =>
      change({
        tabs: get().tabs.map(({ from, ...tab }) =>
          tab.id === id || from === undefined ? tab : { ...tab, from },
        ),
      }),
    setPair: (pair) => set({ pair }),
  }
})

// Another browser tab changed the files; an older copy here would overwrite them.
onStored(KEY, () =>
  useEditors.setState(({ active }) => {
    const { tabs } = saved()
    return { tabs, active: tabs.some(({ id }) => id === active) ? active : (tabs[0]?.id ?? '') }
  }),
)

function freeTitle(title: string, tabs: readonly EditorTab[]): string {
  if (!tabs.some((tab) => tab.title === title)) return title
  const [, stem = title, ending = ''] = /^(.*?)(\.[a-z]+)?$/.exec(title) ?? []
  for (let n = 2; ; n++) {
    const candidate = `${stem}-${n}${ending}`
    if (!tabs.some((tab) => tab.title === candidate)) return candidate
  }
}

/** Two if the active one belongs to a pair. */
export function shownTabs(state: Pick<EditorState, 'tabs' | 'active' | 'pair'>): EditorTab[] {
  const pair = (state.pair ?? []).flatMap((id) => state.tabs.find((tab) => tab.id === id) ?? [])
  return pair.length === 2 && pair.some(({ id }) => id === state.active) ? pair : [activeTab(state)]
}

export function activeTab(state: Pick<EditorState, 'tabs' | 'active'>): EditorTab {
  return state.tabs.find((tab) => tab.id === state.active) ?? state.tabs[0] ?? FIRST
}
