import {
  createServer as createPlainServer,
  type IncomingHttpHeaders,
  type Server as PlainServer,
} from 'node:http'
import { createServer as createSecureServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OutboundError } from '../../src/engine/core/outbound'
import { servingCertificate } from '../../src/hosts/node/certificate'
import { outboundOver } from '../../src/hosts/node/outbound'

const networkOutbound = outboundOver(new Map())
afterAll(() => networkOutbound.close())

interface Companion {
  CA: string
  start(port: number): Promise<Server>
}

let companion: Companion
let server: Server
let port: number

beforeAll(async () => {
  companion = (await import(
    new URL('../conformance/recordings-flags/webhook-server.mjs', import.meta.url).href
  )) as Companion
  server = await companion.start(0)
  port = (server.address() as { port: number }).port
})
afterAll(() => new Promise((done) => server.close(done)))

const post = (url: string, more: { certificates?: string; connectTo?: string } = {}) =>
  networkOutbound.post(
    {
      url,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ request: { uid: 'u' } }),
      ...more,
    },
    () => {},
  )

describe('outbound calls', () => {
  it('accept a server certificate of the given CA', async () => {
    const { status, contentType, body } = await post(
      `https://127.0.0.1:${port}/allow?timeout=10s`,
      { certificates: companion.CA },
    )
    expect([status, contentType, JSON.parse(body).response]).toEqual([
      200,
      'application/json',
      { uid: 'u', allowed: true },
    ])
  })

  it('accept a trusted leaf certificate that is not self-issued', async () => {
    const { key, cert } = servingCertificate('hook', Date.now())
    const [own = ''] = cert.split(/(?<=-----END CERTIFICATE-----\n)/)
    const hook = createSecureServer({ key, cert: own }, (_request, response) => response.end('{}'))
    await new Promise<void>((done) => hook.listen(0, '127.0.0.1', done))
    const url = `https://127.0.0.1:${(hook.address() as AddressInfo).port}/`
    expect((await post(url, { certificates: own })).status).toBe(200)
    await expect(post(url, { certificates: companion.CA })).rejects.toThrow(
      'x509: certificate signed by unknown authority',
    )
    hook.close()
  })

  it('reject other certificates', async () => {
    await expect(post(`https://127.0.0.1:${port}/allow`)).rejects.toEqual(
      new OutboundError(
        'tls: failed to verify certificate: x509: certificate signed by unknown authority',
      ),
    )
  })

  it('connect to a given address, and verify the server name', async () => {
    const connectTo = `127.0.0.1:${port}`
    expect(
      (await post('https://localhost:443/allow', { certificates: companion.CA, connectTo })).status,
    ).toBe(200)
    await expect(
      post('https://hooks.default.svc:443/allow', { certificates: companion.CA, connectTo }),
    ).rejects.toThrow(/x509: certificate is valid for \S.*, not hooks.default.svc$/)
  })

  it('report connection refused', async () => {
    await expect(post('https://127.0.0.1:1/x')).rejects.toEqual(
      new OutboundError('dial tcp 127.0.0.1:1: connect: connection refused'),
    )
  })

  it('are aborted by the caller', async () => {
    const call = networkOutbound.post(
      {
        url: `https://127.0.0.1:${port}/slow`,
        headers: {},
        body: JSON.stringify({ request: { uid: 'u' } }),
        certificates: companion.CA,
      },
      (run) => setTimeout(run, 50),
    )
    await expect(call).rejects.toBeInstanceOf(OutboundError)
  })
})

describe('proxied requests', () => {
  let behind: PlainServer
  const seen: { method: string; url: string; headers: IncomingHttpHeaders; body: string }[] = []
  beforeAll(
    () =>
      new Promise<void>((ready) => {
        behind = createPlainServer((request, response) => {
          let body = ''
          request.on('data', (chunk: Buffer) => {
            body += chunk
          })
          request.on('end', () => {
            seen.push({
              method: request.method ?? '',
              url: request.url ?? '',
              headers: request.headers,
              body,
            })
            response.writeHead(202, { 'x-own': ['a', 'b'], 'content-type': 'text/plain' })
            response.write('one ')
            setTimeout(() => response.end('two'), 5)
          })
        }).listen(0, '127.0.0.1', ready)
      }),
  )
  afterAll(() => new Promise((done) => behind.close(done)))

  it('reach a service at the address given to the host, and stream the response', async () => {
    const { port: own } = behind.address() as { port: number }
    const outbound = outboundOver(new Map([['default/readings:443', `http://127.0.0.1:${own}`]]))
    const service = { namespace: 'default', name: 'readings', port: 443 }
    const requested = {
      method: 'PATCH',
      url: 'https://10.96.0.7:443/apis/x/v1?a=b',
      service,
      headers: { 'x-remote-group': ['a', 'b'] },
    }
    const { status, headers, body } = await outbound.pass(
      { ...requested, body: new TextEncoder().encode('{}') },
      () => {},
    )
    expect([status, headers['x-own'], headers['transfer-encoding']]).toEqual([
      202,
      ['a', 'b'],
      undefined,
    ])
    const chunks: string[] = []
    await new Promise<void>((done) => {
      body.start({
        write: (chunk) => chunks.push(new TextDecoder().decode(chunk as Uint8Array)) > 0,
        end: done,
        abort: done,
      })
    })
    expect(chunks).toEqual(['one ', 'two'])
    expect(seen[0]).toMatchObject({
      method: 'PATCH',
      url: '/apis/x/v1?a=b',
      body: '{}',
      headers: { host: '10.96.0.7', 'x-remote-group': 'a, b' },
    })
  })

  it('report errors in the words of Go', async () => {
    const service = { namespace: 'default', name: 'readings', port: 443 }
    const requested = { method: 'GET', url: 'https://127.0.0.1:1/apis', service, headers: {} }
    await expect(networkOutbound.pass(requested, () => {})).rejects.toEqual(
      new OutboundError('dial tcp 127.0.0.1:1: connect: connection refused'),
    )
  })
})
