/** The duration of watches that begin with the current objects (KEP-3157). */
import { expect, it } from 'vitest'
import { readExposition } from '../support/exposition'
import { configMap, sendRequest, testServer } from '../support/server'

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'
const INITIAL =
  'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true'

it('counts a watch list when its initial events are sent', async () => {
  let now = 0
  const server = testServer({ featureGates: { WatchList: true }, stopwatch: () => (now += 30) })
  await sendRequest(server, { method: 'POST', path: CONFIG_MAPS, body: configMap('a') })
  for (const path of [`${CONFIG_MAPS}?${INITIAL}`, `${CONFIG_MAPS}?watch=true`]) {
    const headers = { authorization: 'Bearer admin' }
    const { status, body } = await server.fetch(new Request(`http://localhost${path}`, { headers }))
    expect(status).toBe(200)
    await body?.cancel()
  }
  const families = readExposition((await sendRequest(server, { path: '/metrics' })).text)
  const { samples = [] } =
    families.find(({ name }) => name === 'apiserver_watch_list_duration_seconds') ?? {}
  const labels = { group: '', version: 'v1', resource: 'configmaps', scope: 'namespace' }
  expect(samples.find(({ name }) => name.endsWith('_count'))).toMatchObject({ labels, value: 1 })
  expect(samples.find(({ name }) => name.endsWith('_sum'))?.value).toBeGreaterThan(0)
})
