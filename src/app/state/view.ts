/** The shown panes and the selection, stored across reloads. */
import { create } from 'zustand'
import type { ServedResource } from './discovery'
import { load, store } from './stored'

export type Theme = 'system' | 'light' | 'dark'
/** An id of PLACES. */
export const WORKBENCH = 'workbench'
export type Pane = 'explorer' | 'editor' | 'object' | 'activity'
export type ObjectTab = 'now' | 'ownership' | 'history' | 'wire'
export type ActivityTab = 'results' | 'requests' | 'watches' | 'audit' | 'console' | 'output'

export interface SelectedObject {
  resource: ServedResource
  namespace: string
  name: string
}

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
  /** Id of the view that fills the window (`places.ts`). */
  place: string
  pane: Pane
  activity: ActivityTab
  /** Empty: all. */
  namespace: string
  /** The words for newcomers. */
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
    | 'release'
    | 'stored'
    | undefined
  /** The palette's initial text. */
  search: string
  question: Question | undefined
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

/** The document's attribute decides; `system` leaves it to the browser. */
export function showTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

/** Errors shown at the same time. */
const TROUBLES = 3
const SHOWN_MILLISECONDS = { good: 3500, bad: 10_000 }

/** Errors beyond the limit wait, so that each is shown for its full time. */
let waiting: string[] = []

/** Shows a toast for a time. A success replaces a success, never an error. */
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

/** Removes a toast. */
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
