/** The changes that one can go back to: none that has come is missing, however they fall into each other. */
import { beforeEach, expect, it, vi } from 'vitest'
import type { Change, Timeline } from '../../src/hosts/shared/channel'

/** Responses of the server, in the order of their requests; the test decides when each resolves. */
const requested = vi.hoisted(
  () => [] as { after: number; response: (timeline: Timeline) => void }[],
)

vi.mock('../../src/app/state/connection', () => {
  const request = (_: 'timeline', { after }: { after: number }) =>
    new Promise<Timeline>((response) => void requested.push({ after, response }))
  return { useConnection: { getState: () => ({ connection: { channel: { request } } }) } }
})

// Test files share modules, and another one may have loaded these without the mocks.
vi.resetModules()
const { useTimeline } = await import('../../src/app/state/timeline')

const change = (revision: number): Change => ({
  revision,
  type: 'MODIFIED',
  kind: 'ConfigMap',
  namespace: 'default',
  name: 'paint',
  at: 0,
})
const revisions = () => useTimeline.getState().changes.map(({ revision }) => revision)
const response = (index: number, newest: number, changes: Change[], oldest = 1) =>
  requested[index]?.response({ oldest, newest, changes })

beforeEach(() => {
  requested.length = 0
  useTimeline.setState({ changes: [change(2)], oldest: 1 })
})

it('requests again after changes during a pending request', async () => {
  const { read } = useTimeline.getState()
  const reading = read()
  // Two more writes meanwhile cause one more request, not two.
  await read()
  await read()
  expect(requested.map(({ after }) => after)).toEqual([2])
  response(0, 3, [change(3)])
  await reading
  expect(revisions()).toEqual([2, 3])
  expect(requested.map(({ after }) => after)).toEqual([2, 3])
  response(1, 5, [change(4), change(5)])
  await vi.waitFor(() => expect(revisions()).toEqual([2, 3, 4, 5]))
  expect(requested).toHaveLength(2)
})

it('drops compacted revisions, and all of a replaced cluster', async () => {
  const { read } = useTimeline.getState()
  const first = read()
  response(0, 6, [change(6)], 5)
  await first
  expect(revisions()).toEqual([6])
  const second = read()
  response(1, 4, [])
  await second
  expect(revisions()).toEqual([])
})
