/** Progress as a file: it comes back, and never makes anything worse. */
import { afterAll, beforeEach, expect, it, vi } from 'vitest'
import { useSolutions } from '../../src/app/features/lessons/incident-progress'
import { noteProgress, useProgress } from '../../src/app/features/lessons/progress'
import {
  clearProgress,
  importProgress,
  progressText,
} from '../../src/app/features/lessons/progress-file'

// Browser globals that the page's state reads when it is loaded.
vi.hoisted(() => {
  vi.stubGlobal('location', new URL('http://localhost/'))
  vi.stubGlobal('document', { baseURI: 'http://localhost/' })
  vi.stubGlobal('addEventListener', () => undefined)
})
afterAll(() => {
  vi.unstubAllGlobals()
})

const solved = { milliseconds: 5000, writes: 1, hints: 0 }

beforeEach(() => clearProgress())

it('comes back from its file', () => {
  noteProgress('names-and-uids', 3)
  useSolutions.setState({ best: { 'no-endpoints': solved } })
  const text = progressText()
  clearProgress()
  expect(useProgress.getState().steps).toEqual({})
  importProgress(text)
  expect(useProgress.getState().steps).toEqual({ 'names-and-uids': 3 })
  expect(useSolutions.getState().best).toEqual({ 'no-endpoints': solved })
})

it('keeps what is better', () => {
  noteProgress('names-and-uids', 4)
  useSolutions.setState({ best: { a: { ...solved, milliseconds: 1 }, b: solved } })
  importProgress(
    JSON.stringify({
      kubetabProgress: 1,
      lessons: [{ id: 'names-and-uids', steps: 2 }],
      incidents: [
        { id: 'a', ...solved },
        { id: 'b', ...solved, milliseconds: 2 },
      ],
    }),
  )
  expect(useProgress.getState().steps).toEqual({ 'names-and-uids': 4 })
  const { best } = useSolutions.getState()
  expect([best.a?.milliseconds, best.b?.milliseconds]).toEqual([1, 2])
})

it.each([
  ['{', /JSON/],
  ['{"kubetabProgress":2,"lessons":[]}', /kubetabProgress/],
  ['{"kubetabProgress":1,"lessons":[{"id":"a","steps":-1}]}', /lessons\[0\]\.steps/],
])('rejects %s', (text, message) => {
  expect(() => importProgress(text)).toThrow(message)
})
