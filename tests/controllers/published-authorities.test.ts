/** CAs for aggregated servers in `kube-system/extension-apiserver-authentication`. */
import { describe, expect, it } from 'vitest'
import { SimulatedClock } from '../../src/engine/core/environment'
import { selfSignedCertificate } from '../../src/hosts/node/certificate'
import { sendRequest, testServer } from '../support/server'

const NOW = Date.UTC(2026, 0, 1)
const DAY = 24 * 3_600_000
const pem = (name: string, made = NOW) => `${selfSignedCertificate(name, made).cert.trim()}\n`
const MAPS = '/api/v1/namespaces/kube-system/configmaps'
const MAP = `${MAPS}/extension-apiserver-authentication`

const clients = pem('clients')
const proxies = pem('proxies')
const proxyHeaders = {
  allowedNames: ['front'],
  userHeaders: ['X-User', 'X-Name'],
  groupHeaders: [],
  extraPrefixes: ['X-Extra-'],
}
const ALL = {
  'client-ca-file': clients,
  'requestheader-allowed-names': '["front"]',
  'requestheader-client-ca-file': proxies,
  'requestheader-extra-headers-prefix': '["X-Extra-"]',
  'requestheader-group-headers': '[]',
  'requestheader-username-headers': '["X-User","X-Name"]',
}

const serverOf = (options: Parameters<typeof testServer>[0]) => {
  const failures: string[] = []
  const log = { error: (_: string, cause: unknown) => void failures.push(String(cause)) }
  const server = testServer({ clock: new SimulatedClock(NOW), log, ...options })
  const reported = async () => (await sendRequest(server, { path: MAP })).json.data
  return { server, failures, reported }
}

const merge = (server: ReturnType<typeof testServer>, data: Record<string, string | null>) =>
  sendRequest(server, {
    method: 'PATCH',
    path: MAP,
    body: { data },
    headers: { 'content-type': 'application/merge-patch+json' },
  })

describe('the client CAs of a server', () => {
  it.each([
    ['clients alone', { authorities: { clients } }, { 'client-ca-file': clients }],
    ['clients and proxies', { authorities: { clients, proxies }, proxyHeaders }, ALL],
  ])('are published: %s', async (_, options, data) => {
    const { server, reported } = serverOf(options)
    await expect.poll(reported).toEqual(data)
    const [entry] = (await sendRequest(server, { path: MAP })).json.metadata.managedFields
    expect(entry).toMatchObject({ manager: 'kube-apiserver', operation: 'Update' })
  })

  it('are not published when unset', async () => {
    const { server } = serverOf({})
    await server.ready()
    expect((await sendRequest(server, { path: MAP })).status).toBe(404)
  })

  it('are restored after deletion', async () => {
    const { server, reported } = serverOf({ authorities: { clients } })
    await expect.poll(reported).toBeDefined()
    await sendRequest(server, { method: 'DELETE', path: MAP })
    await expect.poll(reported).toEqual({ 'client-ca-file': clients })
    await merge(server, { 'client-ca-file': null, note: 'mine' })
    await expect.poll(reported).toEqual({ 'client-ca-file': clients })
  })

  it('are appended to those of other servers while these are valid', async () => {
    const { server, reported } = serverOf({ authorities: { clients, proxies }, proxyHeaders })
    await expect.poll(reported).toEqual(ALL)
    const other = pem('other')
    await merge(server, {
      'client-ca-file': pem('old', NOW - 2 * 365 * DAY) + other,
      'requestheader-allowed-names': '["back"]',
    })
    await expect.poll(reported).toEqual({
      ...ALL,
      'client-ca-file': other + clients,
      'requestheader-allowed-names': '["back","front"]',
    })
  })

  it.each<Record<string, string>>([
    { 'client-ca-file': 'no certificate' },
    { 'requestheader-username-headers': 'no list' },
  ])('remain unchanged after another client wrote %o', async (data) => {
    const { server, failures, reported } = serverOf({
      authorities: { clients, proxies },
      proxyHeaders,
    })
    await expect.poll(reported).toEqual(ALL)
    await merge(server, data)
    await expect.poll(() => failures.length).toBe(1)
    expect(await reported()).toEqual({ ...ALL, ...data })
  })
})
