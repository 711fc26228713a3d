/** Short messages: none is replaced before it could be read that a person must not miss. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { notify, useView } from '../../src/app/state/view'

const shown = () => useView.getState().notices.map(({ text }) => text)

beforeEach(() => {
  vi.useFakeTimers()
  useView.setState({ notices: [] })
})
afterEach(() => {
  vi.runAllTimers()
  vi.useRealTimers()
})

it('shows the newest of what went well', () => {
  notify('Copied')
  notify('Saved')
  expect(shown()).toEqual(['Saved'])
})

it('keeps a trouble beside the next one, and beside what went well', () => {
  notify('The database was removed', 'bad')
  notify('Three objects could not be read', 'bad')
  notify('Saved')
  expect(shown()).toEqual(['The database was removed', 'Three objects could not be read', 'Saved'])
})

it('says the same trouble once, for as long as it was last said', () => {
  notify('No connection', 'bad')
  vi.advanceTimersByTime(6000)
  notify('No connection', 'bad')
  expect(shown()).toEqual(['No connection'])
  vi.advanceTimersByTime(6000)
  expect(shown()).toEqual(['No connection'])
})

it('lets each go by itself, what went well sooner', () => {
  notify('The database was removed', 'bad')
  notify('Saved')
  vi.advanceTimersByTime(4000)
  expect(shown()).toEqual(['The database was removed'])
  vi.advanceTimersByTime(7000)
  expect(shown()).toEqual([])
})

it('shows the newest three where there are many', () => {
  for (const number of [1, 2, 3, 4]) notify(`Trouble ${number}`, 'bad')
  expect(shown()).toEqual(['Trouble 2', 'Trouble 3', 'Trouble 4'])
  notify('Saved')
  expect(shown()).toEqual(['Trouble 2', 'Trouble 3', 'Trouble 4', 'Saved'])
})
