/** A second try after a conflict loses nothing that was typed since the first. */
import { afterAll, beforeEach, expect, it, vi } from 'vitest'
import { useEditors } from '../../src/app/features/manifests/editors'
import { useResults } from '../../src/app/features/manifests/results'
import type { Result } from '../../src/app/features/manifests/run'

// Browser globals that the page's state reads when it is loaded.
vi.hoisted(() => {
  vi.stubGlobal('location', new URL('http://localhost/'))
  vi.stubGlobal('document', { baseURI: 'http://localhost/' })
  vi.stubGlobal('addEventListener', () => undefined)
})
afterAll(() => {
  vi.unstubAllGlobals()
})

const rejected: Result = {
  what: 'configmap/a',
  line: 1,
  outcome: '409',
  ok: false,
  causes: [],
  warnings: [],
}
/** Nothing that could be sent: how the try ends does not matter here. */
const SECOND = '# no document'

const text = () => useEditors.getState().tabs.find(({ id }) => id === 'bob')?.text
const wasTried = () => !useResults.getState().results.includes(rejected)

beforeEach(() => {
  useEditors.setState({
    tabs: [{ id: 'bob', title: 'bob.yaml', language: 'yaml', text: 'sent' }],
    active: 'bob',
  })
  useResults.setState({ tab: 'bob', text: 'sent', results: [rejected] })
})

it('puts the text that was sent into the file', async () => {
  await useResults.getState().settle(rejected, SECOND, false)
  expect([text(), wasTried()]).toEqual([SECOND, true])
})

it('does nothing where the file has changed', async () => {
  useEditors.getState().edit('bob', 'sent, and more')
  await useResults.getState().settle(rejected, SECOND, true)
  expect([text(), wasTried()]).toEqual(['sent, and more', false])
})

it('does nothing where the file was closed: it had its own manager', async () => {
  useEditors.getState().close('bob')
  await useResults.getState().settle(rejected, SECOND, true)
  expect(wasTried()).toBe(false)
})

it('keeps what is typed while the response is pending', async () => {
  const settling = useResults.getState().settle(rejected, SECOND, false)
  useEditors.getState().edit('bob', 'typed meanwhile')
  await settling
  expect([text(), wasTried()]).toEqual(['typed meanwhile', true])
})
