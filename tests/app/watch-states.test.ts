/** What the page says of a watch, from asking for it until it ends: live is what has been answered. */
import { afterAll, expect, it, vi } from 'vitest'
import { useWatches } from '../../src/app/state/watches'

// What the page's state asks of a browser when it is loaded.
vi.hoisted(() => {
  vi.stubGlobal('location', new URL('http://localhost/'))
  vi.stubGlobal('document', { baseURI: 'http://localhost/' })
  vi.stubGlobal('addEventListener', () => undefined)
})
afterAll(() => {
  vi.unstubAllGlobals()
})

const RESOURCE = {
  group: '',
  version: 'v1',
  resource: 'configmaps',
  kind: 'ConfigMap',
  namespaced: true,
  verbs: [],
  shortNames: [],
  subresources: [],
}

const stateOf = (id: number) => useWatches.getState().watches.find((watch) => watch.id === id)?.state

it('is live when the server has answered, not when it is asked', async () => {
  let answer: (response: Response) => void = () => undefined
  let end: () => void = () => undefined
  const asked = vi.fn(() => new Promise<Response>((resolve) => (answer = resolve)))
  vi.stubGlobal('fetch', asked)
  const { start, pause } = useWatches.getState()
  const id = start({ resource: RESOURCE, namespace: '', labelSelector: '', fieldSelector: '', resourceVersion: '', bookmarks: false })
  await vi.waitFor(() => expect(asked).toHaveBeenCalled())
  pause(id)
  expect(stateOf(id)).toBe('asked')

  answer(new Response(new ReadableStream({ start: (controller) => (end = () => controller.close()) })))
  await vi.waitFor(() => expect(stateOf(id)).toBe('open'))
  end()
  await vi.waitFor(() => expect(stateOf(id)).toBe('ended'))
})
