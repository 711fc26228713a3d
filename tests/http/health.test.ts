/** /healthz, /livez and /readyz (kubernetes.io, "Kubernetes API health endpoints"). */
import { describe, expect, it } from 'vitest'
import { sendRequest, testServer } from '../support/server'

const ending = testServer({
  health: (check) => (check === 'shutdown' ? 'process is shutting down' : undefined),
})

it('a single check returns the reason of its failure', async () => {
  const failing = await sendRequest(ending, { path: '/readyz/shutdown' })
  expect([failing.status, failing.text]).toEqual([
    500,
    'internal server error: process is shutting down\n',
  ])
  const passing = await sendRequest(ending, { path: '/readyz/ping' })
  expect([passing.status, passing.text]).toEqual([200, 'ok'])
})

describe('all checks', () => {
  it('are listed if one fails, without the reason', async () => {
    const { status, text } = await sendRequest(ending, { path: '/readyz' })
    expect(status).toBe(500)
    expect(text).toContain('[-]shutdown failed: reason withheld\nreadyz check failed\n')
    expect((await sendRequest(ending, { path: '/livez' })).text).toBe('ok')
    expect((await sendRequest(ending, { path: '/readyz?exclude=shutdown' })).text).toBe('ok')
  })

  it('warn of unknown excluded checks, in order', async () => {
    const { text } = await sendRequest(ending, { path: '/livez?verbose&exclude=d&exclude=c' })
    expect(text).toContain(
      '\nwarn: some health checks cannot be excluded: no matches for "c","d"\nlivez check passed\n',
    )
  })
})

it.each([
  ['a path that nothing serves', '/nothing', 'admin', 404],
  ['a forbidden path', '/metrics', 'alice', 403],
  ['a forbidden resource', '/api/v1/pods', 'alice', 403],
])('%s has X-Content-Type-Options: nosniff', async (_, path, token, status) => {
  const response = await sendRequest(ending, { path, token })
  expect([response.status, response.headers.get('x-content-type-options')]).toEqual([
    status,
    'nosniff',
  ])
})

it('a missing object has no X-Content-Type-Options', async () => {
  const { headers } = await sendRequest(ending, { path: '/api/v1/namespaces/nothing' })
  expect(headers.get('x-content-type-options')).toBeNull()
})

it('counts the results of all checks in metrics', async () => {
  const server = testServer({
    health: (check) => (check === 'shutdown' ? 'process is shutting down' : undefined),
  })
  for (const path of ['/livez', '/livez?exclude=log', '/livez/ping', '/readyz'])
    await sendRequest(server, { path })
  const { text } = await sendRequest(server, { path: '/metrics/slis' })
  expect(text.split('\n').filter((line) => line.startsWith('#'))).toEqual([
    '# HELP kubernetes_healthcheck [STABLE] This metric records the result of a single healthcheck.',
    '# TYPE kubernetes_healthcheck gauge',
    '# HELP kubernetes_healthchecks_total [STABLE] This metric records the results of all healthcheck.',
    '# TYPE kubernetes_healthchecks_total counter',
  ])
  for (const line of [
    'kubernetes_healthcheck{name="ping",type="livez"} 1',
    'kubernetes_healthcheck{name="shutdown",type="readyz"} 0',
    'kubernetes_healthchecks_total{name="ping",status="success",type="livez"} 2',
    'kubernetes_healthchecks_total{name="log",status="success",type="livez"} 1',
    'kubernetes_healthchecks_total{name="shutdown",status="error",type="readyz"} 1',
  ])
    expect(text).toContain(`${line}\n`)
})
