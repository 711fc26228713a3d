import { describe, expect, it } from 'vitest'
import { CONFIG_MAPS, configMap, testServer, type WatchEvent } from './server'

const seen = (events: WatchEvent[]) =>
  events.map(({ type, object }) => `${type} ${object.metadata.name}`)

describe('a watch', () => {
  it.each([
    [undefined, 1_800],
    [{ watch: 60 }, 60],
  ])(
    'without timeoutSeconds lasts one to two times --min-request-timeout (%j)',
    async (timeLimits, seconds) => {
      const server = testServer(timeLimits && { timeLimits })
      const watches = await Promise.all(
        Array.from({ length: 20 }, () => server.watch(`${CONFIG_MAPS}?watch=1`)),
      )
      const ended = () => watches.filter((watch) => watch.ended()).length
      server.clock.advance(seconds * 1000 - 1)
      expect(ended()).toBe(0)
      server.clock.advance((seconds * 1000) / 2)
      expect(ended()).toBeGreaterThan(0)
      expect(ended()).toBeLessThan(20)
      server.clock.advance((seconds * 1000) / 2 + 1)
      expect(ended()).toBe(20)
    },
  )

  it('sends a thousand writes to a hundred watchers, each once and in order', async () => {
    const server = testServer()
    const watches = await Promise.all(
      Array.from({ length: 100 }, () => server.watch(`${CONFIG_MAPS}?watch=1`)),
    )
    await server.send('POST', CONFIG_MAPS, configMap('busy'))
    for (let i = 1; i < 1000; i++) {
      await server.send(
        'PATCH',
        `${CONFIG_MAPS}/busy`,
        { data: { i: String(i) } },
        'application/merge-patch+json',
      )
    }
    const wanted = Array.from({ length: 1000 }, (_, i) => (i === 0 ? 'ADDED' : `MODIFIED ${i}`))
    for (const { events, leave } of watches) {
      const own = events.filter(({ object }) => object.metadata.name === 'busy')
      expect(
        own.map(({ type, object }) =>
          type === 'ADDED' ? type : `${type} ${(object.data as { i: string }).i}`,
        ),
      ).toEqual(wanted)
      const revisions = own.map(({ object }) => Number(object.metadata.resourceVersion))
      expect(
        revisions.every((revision, i) => i === 0 || revision > (revisions[i - 1] as number)),
      ).toBe(true)
      leave()
    }
  }, 30_000)

  it('disconnects only a client that never reads', async () => {
    const server = testServer()
    const diligent = await server.watch(`${CONFIG_MAPS}?watch=1`)
    let held = 0
    let cut = false
    await server.open(`${CONFIG_MAPS}?watch=1`, {
      write(chunk) {
        held += chunk.length
        return false
      },
      end: () => {},
      abort() {
        cut = true
      },
    })
    const text = 'x'.repeat(500_000)
    await server.send('POST', CONFIG_MAPS, configMap('large', { text }))
    for (let i = 0; i < 60; i++) {
      await server.send(
        'PATCH',
        `${CONFIG_MAPS}/large`,
        { data: { i: String(i) } },
        'application/merge-patch+json',
      )
    }
    expect(cut).toBe(true)
    expect(held).toBeLessThan(18 * 1024 * 1024)
    expect(diligent.events.filter(({ object }) => object.metadata.name === 'large')).toHaveLength(
      61,
    )
  })

  it('fails a Fetch API client that never reads, instead of filling the memory', async () => {
    const server = testServer()
    const headers = { authorization: 'Bearer admin-token' }
    const response = await server.api.fetch(
      new Request(`http://localhost${CONFIG_MAPS}?watch=1`, { headers }),
    )
    const text = 'x'.repeat(500_000)
    await server.send('POST', CONFIG_MAPS, configMap('large', { text }))
    for (let i = 0; i < 60; i++) {
      await server.send(
        'PATCH',
        `${CONFIG_MAPS}/large`,
        { data: { i: String(i) } },
        'application/merge-patch+json',
      )
    }
    await expect(response.text()).rejects.toThrow('did not keep up')
  })

  it('sends ADDED for an object that begins to match, DELETED for one that ceases to', async () => {
    const server = testServer()
    const watch = await server.watch(`${CONFIG_MAPS}?watch=1&labelSelector=on`)
    await server.send('POST', CONFIG_MAPS, configMap('a', { v: '1' }))
    const label = (value: string | null, v: string) =>
      server.send(
        'PATCH',
        `${CONFIG_MAPS}/a`,
        { metadata: { labels: { on: value } }, data: { v } },
        'application/merge-patch+json',
      )
    await label('yes', '2')
    await label('still', '3')
    const left = await label(null, '4')
    expect(seen(watch.events)).toEqual(['ADDED a', 'MODIFIED a', 'DELETED a'])
    expect(watch.events[2]?.object).toMatchObject({
      data: { v: '3' },
      metadata: { resourceVersion: left.body.metadata.resourceVersion },
    })
  })

  it('ends at its timeout, after a bookmark if there was an event', async () => {
    const server = testServer()
    const { body } = await server.send('POST', CONFIG_MAPS, configMap('a'))
    const target = `${CONFIG_MAPS}?watch=1&timeoutSeconds=10&allowWatchBookmarks=1&resourceVersion=${body.metadata.resourceVersion}`
    const quiet = await server.watch(target)
    server.clock.advance(10_000)
    expect([quiet.events, quiet.ended()]).toEqual([[], true])
    const busy = await server.watch(target)
    await server.send('POST', '/api/v1/namespaces/default/secrets', { metadata: { name: 's' } })
    server.clock.advance(9_000)
    expect(busy.events.map(({ type }) => type)).toEqual(['BOOKMARK'])
  })

  it('sends no bookmark before the initial events, however slow the store is', async () => {
    const server = testServer()
    await server.send('POST', CONFIG_MAPS, configMap('a'))
    const { storage } = server.api
    const range = storage.range.bind(storage)
    let result = () => {}
    const requested = new Promise<void>((resolve) => {
      result = resolve
    })
    storage.range = async (prefix, options) => {
      if (prefix.startsWith('/registry/configmaps/')) await requested
      return range(prefix, options)
    }
    const opening = server.watch(`${CONFIG_MAPS}?watch=1&allowWatchBookmarks=1`)
    await new Promise(setImmediate)
    await server.send('POST', '/api/v1/namespaces/default/secrets', { metadata: { name: 'early' } })
    server.clock.advance(120_000)
    result()
    const watch = await opening
    await expect.poll(() => seen(watch.events)).toEqual(['ADDED a'])
    await server.send('POST', '/api/v1/namespaces/default/secrets', { metadata: { name: 's' } })
    server.clock.advance(120_000)
    expect(watch.events.map(({ type }) => type)).toEqual(['ADDED', 'BOOKMARK'])
  })
})

describe('the object of a bookmark', () => {
  it.each([
    ['/apis/apps/v1/statefulsets', { spec: { replicas: 0 } }],
    [
      '/apis/apps/v1/daemonsets',
      { metadata: { annotations: { 'deprecated.daemonset.template.generation': '0' } } },
    ],
    ['/api/v1/secrets', { kind: 'Secret', metadata: { creationTimestamp: null } }],
  ])('of %s has the required fields of its kind', async (path, output) => {
    const server = testServer({ featureGates: { WatchList: true } })
    const target = `${path}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`
    const { events } = await server.watch(target)
    expect(events[0]).toMatchObject({ type: 'BOOKMARK', object: output })
  })
})

describe('a streaming list', () => {
  const TARGET = `${CONFIG_MAPS}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`

  it('returns 422 while the feature gate is off', async () => {
    const { status, body } = await testServer().send<{ message: string }>(
      'GET',
      `${TARGET}&allowWatchBookmarks=true`,
    )
    expect(status).toBe(422)
    expect(body.message).toContain('unless the WatchList feature gate is enabled')
  })

  it('starts with the existing objects and a bookmark, then continues', async () => {
    const server = testServer({ featureGates: { WatchList: true } })
    await server.send('POST', CONFIG_MAPS, configMap('a', {}, { on: 'yes' }))
    await server.send('POST', CONFIG_MAPS, configMap('b'))
    const watch = await server.watch(`${TARGET}&allowWatchBookmarks=true&labelSelector=on`)
    await server.send('POST', CONFIG_MAPS, configMap('c', {}, { on: 'yes' }))
    expect(watch.events.map(({ type, object }) => [type, object.metadata.name])).toEqual([
      ['ADDED', 'a'],
      ['BOOKMARK', undefined],
      ['ADDED', 'c'],
    ])
    expect(watch.events[1]?.object).toEqual({
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: {
        resourceVersion: expect.any(String),
        creationTimestamp: null,
        annotations: { 'k8s.io/initial-events-end': 'true' },
      },
    })
  })

  it('of Events, which are not cached, sends no bookmark', async () => {
    const server = testServer()
    const { events } = await server.watch(
      '/api/v1/events?watch=1&timeoutSeconds=60&allowWatchBookmarks=true',
    )
    await server.send('POST', CONFIG_MAPS, configMap('other'))
    server.clock.advance(60_000)
    expect(events).toEqual([])
  })

  it('sends bookmarks and initial events only if the options request them', async () => {
    const server = testServer({ featureGates: { WatchList: true } })
    await server.send('POST', CONFIG_MAPS, configMap('a'))
    const without = await server.watch(TARGET)
    expect(without.events.map(({ type }) => type)).not.toContain('BOOKMARK')
    expect(seen(without.events)).toContain('ADDED a')
    const later = await server.watch(TARGET.replace('=true', '=false'))
    await server.send('POST', CONFIG_MAPS, configMap('b'))
    expect(seen(later.events)).toEqual(['ADDED b'])
  })

  it('waits for a future resourceVersion, and returns 504 after a timeout', async () => {
    const server = testServer({ featureGates: { WatchList: true } })
    const { body } = await server.send('POST', CONFIG_MAPS, configMap('a'))
    const next = Number(body.metadata.resourceVersion) + 1
    const waiting = server.watch(`${TARGET}&resourceVersion=${next}`)
    await server.send('POST', CONFIG_MAPS, configMap('b'))
    server.clock.advance(200)
    expect(seen((await waiting).events)).toContain('ADDED b')

    const never = server.send<{ message: string }>(
      'GET',
      `${TARGET}&resourceVersion=${next + 1000}`,
    )
    for (let i = 0; i < 40; i++) {
      await Promise.resolve()
      server.clock.advance(100)
      await new Promise((resolve) => setTimeout(resolve, 0))
    }
    expect(await never).toMatchObject({
      status: 504,
      body: { message: expect.stringContaining('Too large resource version') },
    })
  })
})
