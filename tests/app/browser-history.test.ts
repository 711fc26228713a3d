/** Back and Forward lead between what was looked at. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { followHistory, type HistoryWindow } from '../../src/app/state/browser-history'
import { type SelectedObject, useView, WORKBENCH } from '../../src/app/state/view'

/** A window's history, as browsers keep it. */
class FakeWindow implements HistoryWindow {
  private entries: unknown[] = [null]
  private current = 0
  private heard: (event: { state: unknown }) => void = () => undefined
  onePane = false

  readonly history = {
    state: null,
    pushState: (state: unknown) => {
      this.entries = [...this.entries.slice(0, this.current + 1), structuredClone(state)]
      this.current++
    },
    replaceState: (state: unknown) => {
      this.entries[this.current] = structuredClone(state)
    },
  }

  matchMedia = () => ({ matches: this.onePane })

  addEventListener(_type: 'popstate', listener: (event: { state: unknown }) => void): void {
    this.heard = listener
  }

  /** @returns whether there was an entry to go to */
  go(by: -1 | 1): boolean {
    if (this.entries[this.current + by] === undefined) return false
    this.current += by
    this.heard({ state: this.entries[this.current] })
    return true
  }
}

const pods = {
  group: '',
  version: 'v1',
  resource: 'pods',
  kind: 'Pod',
  namespaced: true,
  verbs: [],
  shortNames: [],
  subresources: [],
}
const pod = (name: string): SelectedObject => ({ resource: pods, namespace: 'default', name })
const looksAt = () => {
  const { place, selected } = useView.getState()
  return [place, selected?.name]
}
const stay = () => vi.advanceTimersByTime(1000)

let target: FakeWindow

beforeEach(() => {
  vi.useFakeTimers()
  useView.setState({ place: WORKBENCH, pane: 'editor', selected: undefined, objectTab: 'now' })
  target = new FakeWindow()
  followHistory(target, '(max-width: 767px)')
})
afterEach(() => {
  vi.useRealTimers()
})

it('leads back through places and objects, and forward again', () => {
  useView.getState().set({ selected: pod('a') })
  stay()
  useView.getState().set({ place: 'access' })
  stay()
  expect(target.go(-1)).toBe(true)
  expect(looksAt()).toEqual([WORKBENCH, 'a'])
  stay()
  expect(target.go(-1)).toBe(true)
  expect(looksAt()).toEqual([WORKBENCH, undefined])
  stay()
  expect(target.go(-1)).toBe(false)
  target.go(1)
  target.go(1)
  expect(looksAt()).toEqual(['access', 'a'])
})

it('leaves out what was only passed', () => {
  for (const name of ['a', 'b', 'c']) useView.getState().set({ selected: pod(name) })
  stay()
  target.go(-1)
  expect(looksAt()).toEqual([WORKBENCH, undefined])
})

it('notes another tab of the same object without making a step of it', () => {
  useView.getState().set({ selected: pod('a') })
  stay()
  useView.getState().set({ objectTab: 'history' })
  stay()
  useView.getState().set({ selected: pod('b'), objectTab: 'now' })
  stay()
  target.go(-1)
  expect(looksAt()).toEqual([WORKBENCH, 'a'])
  expect(useView.getState().objectTab).toBe('history')
})

it('moves no panes where all are seen at once', () => {
  useView.getState().set({ selected: pod('a'), pane: 'object' })
  stay()
  target.go(-1)
  expect(useView.getState().pane).toBe('object')
})

it('goes back to the pane where one is seen at a time', () => {
  target = new FakeWindow()
  target.onePane = true
  followHistory(target, '(max-width: 767px)')
  useView.getState().set({ selected: pod('a'), pane: 'object' })
  stay()
  target.go(-1)
  expect(useView.getState().pane).toBe('editor')
  stay()
  target.go(1)
  expect([...looksAt(), useView.getState().pane]).toEqual([WORKBENCH, 'a', 'object'])
})

it('pays no heed to entries that are not of its making', () => {
  useView.getState().set({ selected: pod('a') })
  stay()
  target.history.pushState(null)
  target.history.pushState({ other: 1 })
  target.go(-1)
  expect(looksAt()).toEqual([WORKBENCH, 'a'])
})
