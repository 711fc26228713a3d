/** Short messages: none is replaced before it could be read that a person must not miss. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { dismiss, type Notice, notify, useView } from '../../src/app/state/view'

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

it('keeps an error next to the next one, and next to a success', () => {
  notify('The database was removed', 'bad')
  notify('Three objects could not be read', 'bad')
  notify('Saved')
  expect(shown()).toEqual(['The database was removed', 'Three objects could not be read', 'Saved'])
})

it('shows a repeated error once, and restarts its time', () => {
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

it('queues a fourth error: each is shown for its full time', () => {
  for (const number of [1, 2, 3, 4, 5]) notify(`Error ${number}`, 'bad')
  expect(shown()).toEqual(['Error 1', 'Error 2', 'Error 3'])
  notify('Saved')
  expect(shown()).toEqual(['Error 1', 'Error 2', 'Error 3', 'Saved'])
  vi.advanceTimersByTime(10_000)
  expect(shown()).toEqual(['Error 4', 'Error 5'])
  vi.advanceTimersByTime(9000)
  expect(shown()).toEqual(['Error 4', 'Error 5'])
  vi.advanceTimersByTime(1000)
  expect(shown()).toEqual([])
})

it('makes room when one was read', () => {
  for (const number of [1, 2, 3, 4]) notify(`Error ${number}`, 'bad')
  const [first] = useView.getState().notices
  dismiss(first as Notice)
  expect(shown()).toEqual(['Error 2', 'Error 3', 'Error 4'])
})

it('queues the same error once', () => {
  for (const text of ['One', 'Two', 'Three', 'Four', 'Four', 'Two']) notify(text, 'bad')
  expect(shown()).toEqual(['One', 'Three', 'Two'])
  vi.advanceTimersByTime(10_000)
  expect(shown()).toEqual(['Four'])
})
