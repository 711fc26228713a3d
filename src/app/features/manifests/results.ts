import { create } from 'zustand'
import { useActors } from '../../state/actors'
import { useConnection } from '../../state/connection'
import { ONE_PANE } from '../../state/layout'
import { load, store } from '../../state/stored'
import { throttle } from '../../state/throttle'
import { useView } from '../../state/view'
import type { FieldValidation } from '../copy-as/verbs'
import { activeTab, useEditors } from './editors'
import type { Action, ApplySide, Result, RunOptions } from './run'

interface ResultState {
  running: boolean
  /** Documents of the run with these results; 0 while the results are of the previous run. */
  count: number
  /** Aborted: the run ends after the request in flight. */
  canceling: AbortController
  /** Positions are valid while the tab's text equals the sent one. */
  tab: string
  text: string
  action: Action
  results: Result[]
  fieldValidation: FieldValidation
  side: ApplySide
  /** Not stored: it applies to the next run only. */
  force: boolean
  /** @param tab defaults to the active one */
  run(action: Action, tab?: string): Promise<void>
  cancel(): void
  /**
   * Applies one document again and replaces its result. Does nothing if the file has changed since.
   */
  settle(result: Result, text: string, force: boolean): Promise<void>
  /** For a document that was sent otherwise. Does nothing if the file has changed since. */
  replace(result: Result, settled: Result, text: string): void
  set(change: Partial<Pick<ResultState, 'side' | 'force'>>): void
  setFieldValidation(validation: FieldValidation): void
}

const PACE = { leadingMs: 16, intervalMs: 150 }

export const useResults = create<ResultState>((set, get) => ({
  running: false,
  count: 0,
  canceling: new AbortController(),
  tab: '',
  text: '',
  action: 'apply',
  results: [],
  fieldValidation: load<FieldValidation>('fieldValidation', 'Strict'),
  side: load<ApplySide>('applySide', 'server'),
  force: false,
  async run(action, which) {
    if (get().running) return
    const editors = useEditors.getState()
    const { id: tab, text } = editors.tabs.find(({ id }) => id === which) ?? activeTab(editors)
    const canceling = new AbortController()
    set({ running: true, count: 0, canceling })
    // Before the responses arrive, because the user may navigate meanwhile.
    const { place, set: show } = useView.getState()
    show({
      activity: 'results',
      ...(matchMedia(ONE_PANE).matches ? { pane: 'activity', place } : {}),
    })
    try {
      // Before discovery, every kind would be unknown.
      const [{ runManifest }] = await Promise.all([import('./run'), useConnection.getState().ready])
      const results: Result[] = []
      let count = 0
      const { schedule } = throttle(() => {
        if (get().canceling === canceling && get().running)
          set({ results: [...results], count, action, tab, text })
      }, PACE)
      const all = await runManifest(text, action, optionsFor(tab), {
        signal: canceling.signal,
        onDocuments: (all) => {
          count = all
        },
        onResult: (result) => {
          results.push(result)
          schedule()
        },
      })
      set({ results: all, count: count || all.length, action, tab, text, running: false })
      selectFirst(action, all)
    } finally {
      set({ running: false })
    }
  },
  cancel() {
    get().canceling.abort()
  },
  async settle(result, text, force) {
    const { running, tab, action, text: sent } = get()
    if (running || textOf(tab) !== sent) return
    set({ running: true })
    try {
      const { runOne } = await import('./run')
      const settled = await runOne(text, result.line, action, { ...optionsFor(tab), force })
      set(({ results }) => replaced(results, result, settled, sent, text))
      if (textOf(tab) === sent) useEditors.getState().edit(tab, text)
    } finally {
      set({ running: false })
    }
  },
  replace(result, settled, text) {
    const { running, tab, text: sent } = get()
    if (running || textOf(tab) !== sent) return
    set(({ results }) => replaced(results, result, settled, sent, text))
    useEditors.getState().edit(tab, text)
  },
  set(change) {
    set(change)
    store('applySide', get().side)
  },
  setFieldValidation(fieldValidation) {
    set({ fieldValidation })
    store('fieldValidation', fieldValidation)
  },
}))

/** Later documents move with the text. */
function replaced(
  results: readonly Result[],
  result: Result,
  settled: Result,
  sent: string,
  text: string,
): Pick<ResultState, 'results' | 'text'> {
  const moved = linesOf(text) - linesOf(sent)
  const placed = (other: Result) =>
    other.line > result.line ? { ...other, line: other.line + moved } : other
  return { text, results: results.map((other) => (other === result ? settled : placed(other))) }
}

const linesOf = (text: string): number => text.split('\n').length

/** undefined: the file was closed. */
const textOf = (tab: string): string | undefined =>
  useEditors.getState().tabs.find(({ id }) => id === tab)?.text

function optionsFor(tab: string): RunOptions {
  const { side, force, fieldValidation } = useResults.getState()
  return { fieldManager: managerOf(tab), fieldValidation, side, force: force && side === 'server' }
}

/** Empty: kubectl's default manager of the command. */
export function managerOf(tab: string): string {
  return (
    useEditors.getState().tabs.find(({ id }) => id === tab)?.manager ||
    useActors.getState().fieldManager
  )
}

function selectFirst(action: Action, results: readonly Result[]): void {
  const stored =
    action === 'dry-run' || action === 'delete'
      ? undefined
      : results.find(({ target }) => target)?.target
  const view = useView.getState()
  if (stored && view.selected === undefined) view.set({ selected: stored })
}
