/** Concurrent writes to one object run interleaved, and none is lost. */
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/engine/core/object'
import { createMemoryStorage } from '../../src/engine/storage/memory'
import { CONFIG_MAPS, configMap, testServer } from './server'

const MERGE = 'application/merge-patch+json'
const JSON_PATCH = 'application/json-patch+json'
const STRATEGIC = 'application/strategic-merge-patch+json'
const APPLY = 'application/apply-patch+yaml'

const SHARED = `${CONFIG_MAPS}/shared`
const DATA_OF_ALL = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, `v${i}`]))

/** A server that counts attempts to write to the store. */
function counting() {
  const storage = createMemoryStorage({ freeze: true })
  const transaction = storage.transaction.bind(storage)
  const tried = { count: 0 }
  storage.transaction = (...given) => {
    tried.count++
    return transaction(...given)
  }
  return { server: testServer({ storage }), tried }
}

/** The i-th of many changes to one object, each to a field of its own. */
const CHANGES: Record<
  string,
  { target(i: number): string; type: string; body(i: number): unknown }
> = {
  'merge patches': {
    target: () => SHARED,
    type: MERGE,
    body: (i) => ({ data: { [`k${i}`]: `v${i}` } }),
  },
  'JSON patches': {
    target: () => SHARED,
    type: JSON_PATCH,
    body: (i) => [{ op: 'add', path: `/data/k${i}`, value: `v${i}` }],
  },
  'strategic merge patches': {
    target: () => SHARED,
    type: STRATEGIC,
    body: (i) => ({ data: { [`k${i}`]: `v${i}` } }),
  },
  'applies of many managers': {
    target: (i) => `${SHARED}?fieldManager=manager-${i}`,
    type: APPLY,
    body: (i) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'shared' },
      data: { [`k${i}`]: `v${i}` },
    }),
  },
}

describe('Many changes of one object at one time', () => {
  it.each(Object.entries(CHANGES))(
    '%s: each is made, and retried at most once',
    async (_, { target, type, body }) => {
      const { server, tried } = counting()
      await server.send('POST', CONFIG_MAPS, configMap('shared', { first: 'yes' }))
      const before = tried.count
      const responses = await Promise.all(
        Array.from({ length: 120 }, (_, i) =>
          server.send('PATCH', target(i), body(i) as JsonObject, type),
        ),
      )
      expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200))
      const { body: after } = await server.send('GET', SHARED)
      expect(after.data).toEqual({ first: 'yes', ...DATA_OF_ALL(120) })
      expect(tried.count - before).toBeLessThanOrEqual(2 * 120)
    },
  )

  it('PUTs without a resourceVersion: each gets a resourceVersion of its own', async () => {
    const { server } = counting()
    await server.send('POST', CONFIG_MAPS, configMap('shared'))
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        server.send('PUT', SHARED, configMap('shared', { by: String(i) })),
      ),
    )
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200))
    expect(new Set(responses.map(({ body }) => body.metadata.resourceVersion)).size).toBe(50)
  })

  it('PUTs with one resourceVersion: one succeeds, the others get 409', async () => {
    const { server } = counting()
    const { body: created } = await server.send('POST', CONFIG_MAPS, configMap('shared'))
    const { resourceVersion = '' } = created.metadata
    const replacement = (i: number) => ({
      ...configMap('shared', { by: String(i) }),
      metadata: { name: 'shared', resourceVersion },
    })
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, i) => server.send('PUT', SHARED, replacement(i))),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([
      200,
      ...Array.from({ length: 19 }, () => 409),
    ])
  })
})

describe('Many creates of one object at one time', () => {
  it('one succeeds, the others get 409', async () => {
    const { server } = counting()
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        server.send('POST', CONFIG_MAPS, configMap('shared', { by: String(i) })),
      ),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([
      201,
      ...Array.from({ length: 19 }, () => 409),
    ])
  })

  it('applies of many managers: one creates the object, the others update it', async () => {
    const { server } = counting()
    const { target, type, body } = CHANGES['applies of many managers'] as (typeof CHANGES)[string]
    const responses = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        server.send('PATCH', target(i), body(i) as JsonObject, type),
      ),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([
      ...Array.from({ length: 39 }, () => 200),
      201,
    ])
    const { body: after } = await server.send('GET', SHARED)
    expect(after.data).toEqual(DATA_OF_ALL(40))
    expect(after.metadata.managedFields).toHaveLength(40)
  })
})
