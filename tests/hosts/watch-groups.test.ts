/**
 * Watches with the same events share a group. Each watch is opened on a host with groups and on one
 * without, and both must yield the same text.
 */
import { EventEmitter } from 'node:events'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { StreamSink } from '../../src/engine/http/messages'
import {
  WatchFlushScheduler,
  type WatchOutlet,
  WatchWriter,
} from '../../src/hosts/node/watch-writer'
import { configMap, TABLE, testServer } from '../registry/server'

class Outlet extends EventEmitter {
  /** @param slow makes writes slow, as of a socket, so that events are batched */
  constructor(private readonly slow = false) {
    super()
  }

  destroyed = false
  readonly writableLength = 0
  text = ''
  write(chunk: Uint8Array): void {
    const until = performance.now() + (this.slow ? 0.05 : 0)
    while (performance.now() < until);
    this.text += Buffer.from(chunk).toString()
  }
  end(): void {
    this.text += '(end)'
  }
  destroy(): void {
    this.destroyed = true
  }
}

/** The writer uses only the members that `Outlet` has. */
const writerTo = (outlet: object, scheduler: WatchFlushScheduler): WatchWriter =>
  new WatchWriter(outlet as WatchOutlet, scheduler)

const NAMESPACES = ['default', 'kube-public']
const configMaps = (namespace: number) => `/api/v1/namespaces/${NAMESPACES[namespace]}/configmaps`
/** More watchers than the limit of immediate delivery. */
const CROWD = 20
const TARGETS = [
  `${configMaps(0)}?watch=1`,
  `${configMaps(0)}?watch=1&allowWatchBookmarks=1&timeoutSeconds=90`,
  `${configMaps(1)}?watch=1&resourceVersion=0`,
  '/api/v1/configmaps?watch=1&allowWatchBookmarks=1',
  `${configMaps(0)}?watch=1&labelSelector=on`,
  `${configMaps(0)}?watch=1&fieldSelector=metadata.name%3Dn1`,
  `${configMaps(0)}?watch=1&pretty=true`,
]
const FORMS = [
  undefined,
  undefined,
  TABLE,
  'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
]

type Step =
  | { do: 'open'; target: number; form: number }
  | { do: 'close'; stream: number }
  | { do: 'write' | 'delete'; namespace: number; name: number; labelled: boolean }
  | { do: 'wait'; seconds: number }
  | { do: 'turn' }

const name = { namespace: fc.nat(1), name: fc.nat(2), labelled: fc.boolean() }
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('open' as const),
      target: fc.nat(TARGETS.length - 1),
      form: fc.nat(FORMS.length - 1),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('close' as const), stream: fc.nat(8) }) },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constantFrom('write' as const, 'delete' as const), ...name }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('wait' as const), seconds: fc.constantFrom(1, 30, 61) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('turn' as const) }) },
)

/** The same writer without support for groups. */
const alone = (writer: WatchWriter): StreamSink => ({
  write: (chunk) => writer.write(chunk),
  end: () => writer.end(),
  abort: () => writer.abort(),
})

it('a stream gets the same events in a group and alone', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      // The timeout of a watch without timeoutSeconds is random. None ends in this time.
      const server = testServer({ timeLimits: { watch: 100_000 } })
      const flushScheduler = new WatchFlushScheduler()
      const crowd = Array.from({ length: CROWD }, () => writerTo(new Outlet(true), flushScheduler))
      for (const writer of crowd) await server.open(`${configMaps(0)}?watch=1`, writer)
      const streams: { target: string; outlets: [Outlet, Outlet]; leave(): unknown }[] = []
      for (const [i, one] of steps.entries()) {
        if (one.do === 'open') {
          const target = TARGETS[one.target] as string
          const outlets: [Outlet, Outlet] = [new Outlet(), new Outlet()]
          const [together, single] = outlets.map((outlet) => writerTo(outlet, flushScheduler))
          const form = FORMS[one.form]
          const leave = [
            await server.open(target, together as WatchWriter, form),
            await server.open(target, alone(single as WatchWriter), form),
          ]
          streams.push({ target, outlets, leave: () => leave.map((run) => run()) })
        } else if (one.do === 'close') streams[one.stream]?.leave()
        else if (one.do === 'wait') server.clock.advance(one.seconds * 1000)
        else if (one.do === 'turn') await new Promise(setImmediate)
        else if (one.do === 'write') {
          const labels: Record<string, string> = one.labelled ? { on: 'yes' } : {}
          const body = configMap(`n${one.name}`, { i: String(i) }, labels)
          await server.send(
            'PATCH',
            `${configMaps(one.namespace)}/n${one.name}?fieldManager=t&force=true`,
            body,
            'application/apply-patch+yaml',
          )
        } else await server.send('DELETE', `${configMaps(one.namespace)}/n${one.name}`)
      }
      await server.api.close()
      await new Promise((resolve) => setTimeout(resolve, 20))
      for (const { target, outlets } of streams)
        expect([target, outlets[0].text]).toEqual([target, outlets[1].text])
    }),
    { numRuns: 60 },
  )
}, 60_000)

it('metrics count the events of a group for each of its streams', async () => {
  const server = testServer()
  const flushScheduler = new WatchFlushScheduler()
  const opened = () =>
    server.open(`${configMaps(0)}?watch=1`, writerTo(new Outlet(), flushScheduler))
  const [leave] = [await opened(), await opened(), await opened()]
  const counted = async () => {
    const { body } = await server.api.handle({
      method: 'GET',
      target: '/metrics',
      header: (header) => (header === 'authorization' ? 'Bearer admin-token' : undefined),
      headerNames: () => ['authorization'],
      body: () => Promise.resolve(new Uint8Array()),
    })
    const line = String(body)
      .split('\n')
      .find((one) => one.startsWith('apiserver_watch_events_total') && one.includes('ConfigMap'))
    return Number(line?.split(' ').pop() ?? 0)
  }
  const before = await counted()
  await server.send('POST', configMaps(0), configMap('a'))
  expect((await counted()) - before).toBe(3)
  leave?.()
  await server.send('POST', configMaps(0), configMap('b'))
  expect((await counted()) - before).toBe(5)
})
