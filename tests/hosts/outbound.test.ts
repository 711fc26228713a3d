import type { Server } from 'node:https'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OutboundError } from '../../src/engine/outbound'
import { networkOutbound } from '../../src/hosts/node/outbound'

interface Companion {
  CA: string
  start(port: number): Promise<Server>
}

let companion: Companion
let server: Server
let port: number

beforeAll(async () => {
  companion = (await import(new URL('../conformance/recordings-flags/webhook-server.mjs', import.meta.url).href)) as Companion
  server = await companion.start(0)
  port = (server.address() as { port: number }).port
})
afterAll(() => new Promise((done) => server.close(done)))

const post = (url: string, more: { certificates?: string; connectTo?: string } = {}) =>
  networkOutbound.post(
    { url, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ request: { uid: 'u' } }), ...more },
    () => {},
  )

describe('calls over the network', () => {
  it('reach a server whose certificate comes from the given authority', async () => {
    const { status, contentType, body } = await post(`https://127.0.0.1:${port}/allow?timeout=10s`, { certificates: companion.CA })
    expect([status, contentType, JSON.parse(body).response]).toEqual([200, 'application/json', { uid: 'u', allowed: true }])
  })

  it('trust nobody else', async () => {
    await expect(post(`https://127.0.0.1:${port}/allow`)).rejects.toEqual(
      new OutboundError('tls: failed to verify certificate: x509: certificate signed by unknown authority'),
    )
  })

  it('connect elsewhere than the name says, and insist on a certificate for the name', async () => {
    const connectTo = `127.0.0.1:${port}`
    expect((await post('https://localhost:443/allow', { certificates: companion.CA, connectTo })).status).toBe(200)
    await expect(post('https://hooks.default.svc:443/allow', { certificates: companion.CA, connectTo })).rejects.toThrow('x509: ')
  })

  it('say that nobody listens', async () => {
    await expect(post('https://127.0.0.1:1/x')).rejects.toEqual(new OutboundError('dial tcp 127.0.0.1:1: connect: connection refused'))
  })

  it('end when nobody waits any more', async () => {
    const call = networkOutbound.post(
      { url: `https://127.0.0.1:${port}/slow`, headers: {}, body: JSON.stringify({ request: { uid: 'u' } }), certificates: companion.CA },
      (run) => setTimeout(run, 50),
    )
    await expect(call).rejects.toBeInstanceOf(OutboundError)
  })
})
