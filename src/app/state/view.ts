/** Stored across reloads. */
import { create } from 'zustand'
import type { ServedResource } from './discovery'
import { load, store } from './stored'

export type Theme = 'system' | 'light' | 'dark'
/** Id of one of PLACES. */
export const WORKBENCH = 'workbench'
export type Pane = 'explorer' | 'editor' | 'object' | 'activity'
export const OBJECT_TABS = [
  'now',
  'status',
  'events',
  'logs',
  'related',
  'manifest',
  'ownership',
  'history',
  'wire',
] as const
export type ObjectTab = (typeof OBJECT_TABS)[number]
/** In the order of the page. */
export const ACTIVITY_TABS = [
  'results',
  'requests',
  'watches',
  'audit',
  'console',
  'output',
] as const
export type ActivityTab = (typeof ACTIVITY_TABS)[number]

export interface SelectedObject {
  resource: ServedResource
  namespace: string
  name: string
}

/** A confirmation dialog. */
export interface Question {
  title: string
  text: string
  choices: { title: string; danger?: boolean; run(): void }[]
  onCancel?(): void
}

export interface Notice {
  text: string
  tone: 'good' | 'bad'
}

interface ViewState {
  theme: Theme
  place: string
  /** The pane of the one-pane layout. */
  pane: Pane
  activity: ActivityTab
  /** Empty: all. */
  namespace: string
  welcome: boolean
  selected: SelectedObject | undefined
  objectTab: ObjectTab
  dialog:
    | 'palette'
    | 'shortcuts'
    | 'about'
    | 'share'
    | 'watch'
    | 'workspaces'
    | 'merge'
    | 'release'
    | 'stored'
    | undefined
  search: string
  question: Question | undefined
  /** Toasts, the newest last. */
  notices: readonly Notice[]
  set(change: Partial<Omit<ViewState, 'set'>>): void
}

type StoredView = Pick<ViewState, 'theme' | 'place' | 'activity' | 'namespace' | 'welcome'>
const FIRST: StoredView = {
  theme: 'system',
  place: WORKBENCH,
  activity: 'results',
  namespace: '',
  welcome: true,
}

export const useView = create<ViewState>((set, get) => ({
  ...FIRST,
  ...load<Partial<StoredView>>('view', {}),
  pane: 'editor',
  selected: undefined,
  objectTab: 'now',
  dialog: undefined,
  search: '',
  question: undefined,
  notices: [],
  set(change) {
    // Panes belong to the workbench: requesting one shows it.
    set(
      change.pane !== undefined && change.place === undefined
        ? { ...change, place: WORKBENCH }
        : change,
    )
    const { theme, place, activity, namespace, welcome } = get()
    store('view', { theme, place, activity, namespace, welcome })
    if (change.theme) showTheme(change.theme)
  },
}))

/** `system` removes the attribute, so that the browser decides. */
export function showTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

const TROUBLES = 3
const SHOWN_MILLISECONDS = { good: 3500, bad: 10_000 }

/** Errors beyond `TROUBLES` wait until there is room. */
let waiting: string[] = []

/** The next toast replaces a success, never an error. */
export function notify(text: string, tone: Notice['tone'] = 'good'): void {
  const troubles = useView
    .getState()
    .notices.filter((other) => other.tone === 'bad' && other.text !== text)
  if (tone === 'bad' && troubles.length >= TROUBLES) {
    waiting = [...waiting.filter((other) => other !== text), text]
    return
  }
  const notice: Notice = { text, tone }
  useView.setState({ notices: [...troubles, notice] })
  setTimeout(() => dismiss(notice), SHOWN_MILLISECONDS[tone])
}

export function dismiss(notice: Notice): void {
  const { notices } = useView.getState()
  if (!notices.includes(notice)) return
  useView.setState({ notices: notices.filter((other) => other !== notice) })
  const [next, ...later] = waiting
  if (next === undefined || notice.tone === 'good') return
  waiting = later
  notify(next, 'bad')
}

export function selectObject(selected: SelectedObject): void {
  useView.getState().set({ selected, pane: 'object' })
}
