/** A second try after a conflict loses nothing that was typed since the first. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Result } from '../../src/app/manifests/run'
import { useEditors } from '../../src/app/state/editors'
import { useResults } from '../../src/app/state/results'

/** What the page's state asks of a browser when it is loaded. */
const runOne = vi.hoisted(() => {
  vi.stubGlobal('location', new URL('http://localhost/'))
  vi.stubGlobal('document', { baseURI: 'http://localhost/' })
  vi.stubGlobal('addEventListener', () => undefined)
  return vi.fn()
})
vi.mock('../../src/app/manifests/run', () => ({ runOne }))

const refused: Result = { what: 'configmap/a', line: 1, outcome: '409', ok: false, causes: [], warnings: [] }
const applied: Result = { ...refused, outcome: 'applied', ok: true }
const text = () => useEditors.getState().tabs.find(({ id }) => id === 'bob')?.text

beforeEach(() => {
  useEditors.setState({ tabs: [{ id: 'bob', title: 'bob.yaml', language: 'yaml', text: 'sent' }], active: 'bob' })
  useResults.setState({ tab: 'bob', text: 'sent', results: [refused] })
  runOne.mockResolvedValue(applied)
})
afterEach(() => runOne.mockReset())

it('puts the text that was sent into the file', async () => {
  await useResults.getState().settle(refused, 'without the field', false)
  expect(text()).toBe('without the field')
  expect(useResults.getState().results).toEqual([applied])
})

it('does nothing where the file has changed', async () => {
  useEditors.getState().edit('bob', 'sent, and more')
  await useResults.getState().settle(refused, 'without the field', true)
  expect(text()).toBe('sent, and more')
  expect(runOne).not.toHaveBeenCalled()
})

it('does nothing where the file was closed: it had its own manager', async () => {
  useEditors.getState().close('bob')
  await useResults.getState().settle(refused, 'sent', true)
  expect(runOne).not.toHaveBeenCalled()
})

it('keeps what is typed while the answer is awaited', async () => {
  runOne.mockImplementation(async () => {
    useEditors.getState().edit('bob', 'typed meanwhile')
    return applied
  })
  await useResults.getState().settle(refused, 'without the field', false)
  expect(text()).toBe('typed meanwhile')
})
