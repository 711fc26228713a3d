/** The state of a watch follows its connection. */
import { beforeEach, expect, it, vi } from 'vitest'

/** The requested streams: the test sends their events and ends them. */
const opened = vi.hoisted(
  () =>
    [] as {
      response: () => void
      end: (how: 'ended' | 'aborted') => void
      fail: (error: Error) => void
    }[],
)

vi.mock('../../src/app/state/client', () => ({
  ApiFailure: class extends Error {},
  stream: (_: unknown, __: unknown, response: () => void) =>
    new Promise<'ended' | 'aborted'>((end, fail) => void opened.push({ response, end, fail })),
}))

// Its paths hang on the page's address, and there is no page.
vi.mock('../../src/app/state/discovery', () => ({ pathOf: () => '/api/v1/pods' }))

vi.mock('../../src/app/state/connection', () => ({
  useConnection: {
    getState: () => ({ connection: { channel: { request: async () => ({ revision: 5 }) } } }),
  },
}))

// Test files share modules, and another one may have loaded these without the mocks.
vi.resetModules()
const { watchedPath, isConnected, useWatches } = await import(
  '../../src/app/features/watches/state'
)

const PODS = {
  group: '',
  version: 'v1',
  resource: 'pods',
  kind: 'Pod',
  namespaced: true,
  verbs: [],
  shortNames: [],
  subresources: [],
}
const OPTIONS = {
  resource: PODS,
  namespace: '',
  labelSelector: '',
  fieldSelector: '',
  resourceVersion: '',
  bookmarks: false,
}

async function started() {
  const id = useWatches.getState().start(OPTIONS)
  await vi.waitFor(() => expect(opened).toHaveLength(1))
  const watch = () => {
    const found = useWatches.getState().watches.find((one) => one.id === id)
    if (found === undefined) throw new Error('the watch is gone')
    return found
  }
  return { id, watch, connection: opened[0] }
}

beforeEach(() => {
  opened.length = 0
  useWatches.setState({ watches: [] })
})

it('is live when the server has responded, and not before', async () => {
  const { watch, connection } = await started()
  expect([watch().state, isConnected(watch())]).toEqual(['connecting', true])
  connection?.response()
  expect(watch().state).toBe('open')
})

it('cannot be held before there is anything to hold', async () => {
  const { id, watch } = await started()
  useWatches.getState().pause(id)
  expect(watch().state).toBe('connecting')
})

it('was never live when the server rejects it', async () => {
  const { watch, connection } = await started()
  connection?.fail(new Error('no way'))
  await vi.waitFor(() => expect(watch().state).toBe('failed'))
  expect(isConnected(watch())).toBe(false)
})

it('reconnects where it is resumed', async () => {
  const { id, watch, connection } = await started()
  connection?.response()
  connection?.end('ended')
  await vi.waitFor(() => expect(watch().state).toBe('ended'))
  useWatches.getState().resume(id, '7')
  expect(watch().state).toBe('connecting')
  await vi.waitFor(() => expect(opened).toHaveLength(2))
  opened[1]?.response()
  expect([watch().state, watch().connections.map(({ from }) => from)]).toEqual(['open', ['', '7']])
})

it('shows the request of the resumed connection, not of the first one', async () => {
  const { id, watch, connection } = await started()
  expect(watchedPath(watch())).toBe('/api/v1/pods?watch=1')
  connection?.end('ended')
  await vi.waitFor(() => expect(watch().state).toBe('ended'))
  useWatches.getState().resume(id, '41')
  expect(watchedPath(watch())).toBe('/api/v1/pods?watch=1&resourceVersion=41')
})
