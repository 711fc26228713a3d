import { beforeAll, expect, test } from 'vitest'
import type { JsonObject, KubeObject } from '../../src/engine/core/object'
import { loadTables } from '../../src/engine/release-tables/load-tables'
import { testServer } from '../registry/server'
import { configMap } from '../support/server'

interface Status extends KubeObject {
  message?: string
  reason?: string
}

const MAPS = '/api/v1/namespaces/default/configmaps'

beforeAll(() => loadTables('1.35'))

test.each([
  ['1.31', 500, undefined],
  ['1.35', 400, 'BadRequest'],
])('at %s unreadable options of a deletion are %i', async (release, code, reason) => {
  const server = testServer({ release })
  await server.send('POST', MAPS, configMap('a'))
  const { status, body } = await server.send<Status>('DELETE', `${MAPS}/a`, {
    gracePeriodSeconds: 'x',
  })
  expect([status, body.reason]).toEqual([code, reason])
})

test.each([
  ['1.31', 500, undefined],
  ['1.35', 400, 'BadRequest'],
])('at %s options of another kind are %i', async (release, code, reason) => {
  const server = testServer({ release })
  await server.send('POST', MAPS, configMap('a'))
  const { status, body } = await server.send<Status>('DELETE', `${MAPS}/a`, configMap('a'))
  expect([status, body.reason]).toEqual([code, reason])
})

test.each([
  ['1.31', 1],
  ['1.35', 2],
])('at %s a continued list at version 0 has %i items', async (release, count) => {
  const server = testServer({ release })
  for (const name of ['a', 'b', 'c']) await server.send('POST', MAPS, configMap(name))
  const first = await server.send<KubeObject & { metadata: JsonObject }>('GET', `${MAPS}?limit=1`)
  const more = `continue=${first.body.metadata.continue}&limit=1&resourceVersion=0`
  const { body } = await server.send<KubeObject & { items: JsonObject[] }>('GET', `${MAPS}?${more}`)
  expect(body.items).toHaveLength(count)
})
