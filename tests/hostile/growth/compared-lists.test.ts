/** A rejected change of a long list shows a comparison, whose work grows no faster than the list. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { loadTables } from '../../../src/engine/release-tables/load-tables'
import { testServer } from '../../registry/server'
import { growsTooFast, type Measured } from './measure'
import { WorkCounter } from './work'

let counter: WorkCounter
beforeAll(async () => {
  counter = await new WorkCounter().start()
})
afterAll(() => counter.stop())

const PODS = '/api/v1/namespaces/default/pods'
const ACCOUNTS = '/api/v1/namespaces/default/serviceaccounts'

function pod(size: number, suffix: string) {
  const hostAliases = Array.from({ length: size }, (_, index) => ({
    ip: `10.0.${index >> 8}.${index & 255}`,
    hostnames: [`${suffix}${index}`],
  }))
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p' },
    spec: { hostAliases, containers: [{ name: 'c', image: 'i' }] },
  }
}

it.each(['1.31', '1.37'] as const)('is linear at %s if every element changed', async (release) => {
  await loadTables(release)
  const measured: Measured[] = []
  // The first warms up.
  for (const size of [64, 256, 1024, 2048, 4096]) {
    const server = testServer({ release })
    await server.send('POST', ACCOUNTS, {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'default' },
    })
    await server.send('POST', PODS, pod(size, 'a'))
    measured.push({
      size,
      work: await counter.measure(async () => {
        const { status, body } = await server.send<{ message: string }>(
          'PUT',
          `${PODS}/p`,
          pod(size, 'b'),
        )
        expect(status).toBe(422)
        expect(body.message).toContain('pod updates may not change fields other than')
        return JSON.stringify(body)
      }),
    })
  }
  expect(growsTooFast(measured.slice(1))).toBe(false)
})
