import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { KubeObject } from '../../src/engine/core/object'
import { CONFIG_MAPS, configMap, type TestServer, testServer } from './server'

interface List {
  metadata: { resourceVersion: string; continue?: string; remainingItemCount?: number }
  items: KubeObject[]
  message?: string
}

/** The objects of one namespace: their label by name. */
type State = Map<string, string>

const NAMES = ['a', 'aa', 'b', 'b.c', 'd', 'e']
const write = fc.record({
  name: fc.constantFrom(...NAMES),
  label: fc.constantFrom('x', 'y', undefined),
})
const scenario = fc.record({
  before: fc.array(write, { maxLength: 12 }),
  between: fc.array(fc.array(write, { maxLength: 3 }), { maxLength: 6 }),
  limit: fc.integer({ min: 1, max: 4 }),
  selector: fc.constantFrom('', 'l=x', 'l!=x', 'l in (x,y)', '!l'),
})

const selects: Record<string, (label: string) => boolean> = {
  '': () => true,
  'l=x': (label) => label === 'x',
  'l!=x': (label) => label !== 'x',
  'l in (x,y)': (label) => label === 'x' || label === 'y',
  '!l': (label) => label === '',
}

/** Creates, relabels or (without label) deletes the object, and updates the model. */
async function apply(
  server: TestServer,
  target: string,
  state: State,
  { name, label }: { name: string; label: string | undefined },
) {
  if (label === undefined) {
    if (state.delete(name)) await server.send('DELETE', `${target}/${name}`)
  } else if (state.has(name)) {
    await server.send('PUT', `${target}/${name}`, configMap(name, {}, { l: label }))
    state.set(name, label)
  } else {
    await server.send('POST', target, configMap(name, {}, { l: label }))
    state.set(name, label)
  }
}

describe('a paginated list', () => {
  it('shows the state of its first page, whatever changes between pages', async () => {
    const server = testServer()
    let run = 0
    await fc.assert(
      fc.asyncProperty(scenario, async ({ before, between, limit, selector }) => {
        const namespace = `n${run++}`
        await server.send('POST', '/api/v1/namespaces', { metadata: { name: namespace } })
        const target = `/api/v1/namespaces/${namespace}/configmaps`
        const state: State = new Map()
        for (const one of before) await apply(server, target, state, one)
        const snapshot = [...state]
          .filter(([, label]) => selects[selector]?.(label))
          .map(([name]) => name)
        const revision = server.api.storage.currentRevision()

        const query = `limit=${limit}&labelSelector=${encodeURIComponent(selector)}`
        const listed: string[] = []
        let token: string | undefined
        let chunk = 0
        do {
          const { status, body } = await server.send<List>(
            'GET',
            `${target}?${query}${token ? `&continue=${token}` : ''}`,
          )
          expect(status).toBe(200)
          expect(body.items.length).toBeLessThanOrEqual(limit)
          listed.push(...body.items.map(({ metadata }) => metadata.name ?? ''))
          if (selector === '' && body.metadata.continue)
            expect(body.metadata.remainingItemCount).toBe(snapshot.length - listed.length)
          if (selector !== '') expect(body.metadata.remainingItemCount).toBeUndefined()
          token = body.metadata.continue
          for (const one of between[chunk++] ?? []) await apply(server, target, state, one)
        } while (token)
        expect(listed).toEqual(snapshot.sort())

        const exact = await server.send<List>(
          'GET',
          `${target}?resourceVersion=${revision}&resourceVersionMatch=Exact&labelSelector=${encodeURIComponent(selector)}`,
        )
        expect(exact.body.items.map(({ metadata }) => metadata.name)).toEqual(snapshot)
        const now = await server.send<List>('GET', `${target}?resourceVersion=0&limit=1`)
        expect(now.body.items.map(({ metadata }) => metadata.name)).toEqual(
          [...state.keys()].sort(),
        )
      }),
      { numRuns: 60 },
    )
  }, 60_000)

  it('returns an inconsistent continue token after expiry', async () => {
    const server = testServer()
    for (const name of ['a', 'b', 'c']) await server.send('POST', CONFIG_MAPS, configMap(name))
    const first = await server.send<List>('GET', `${CONFIG_MAPS}?limit=1`)
    await server.send('DELETE', `${CONFIG_MAPS}/b`)
    await server.send('POST', CONFIG_MAPS, configMap('bb'))
    await server.api.storage.compact(server.api.storage.currentRevision())
    const expired = await server.send<List>(
      'GET',
      `${CONFIG_MAPS}?limit=5&continue=${first.body.metadata.continue}`,
    )
    expect(expired).toMatchObject({ status: 410, body: { reason: 'Expired' } })
    const rest = await server.send<List>(
      'GET',
      `${CONFIG_MAPS}?limit=5&continue=${expired.body.metadata.continue}`,
    )
    expect(
      rest.body.items
        .map(({ metadata }) => metadata.name)
        .filter((name) => name !== 'kube-root-ca.crt'),
    ).toEqual(['bb', 'c'])
  })
})
