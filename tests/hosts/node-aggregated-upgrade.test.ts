/** Upgrade requests to an aggregated server: both connections are joined. */

import type { IncomingMessage } from 'node:http'
import { createServer, type Server } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { ApiServer } from '../../src/engine/server/server'
import { servingCertificate } from '../../src/hosts/node/certificate'
import { startEngine } from '../../src/hosts/node/engine'
import { parseFlags } from '../../src/hosts/node/flags'
import { type Listener, listen } from '../../src/hosts/node/listener'
import { systemEnvironment } from '../../src/hosts/node/system'

const GROUP = '/apis/things.example.com/v1'
let extension: Server
let engine: ApiServer
let listener: Listener
let requested: IncomingMessage[]
let theirs: Duplex[]
/** The behavior of the extension server for an upgrade. */
let result: (message: IncomingMessage, socket: Duplex) => void
const clients: Socket[] = []

beforeAll(async () => {
  const { key, cert } = servingCertificate('extension', Date.now())
  extension = createServer({ key, cert }, (_, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify({
        kind: 'APIResourceList',
        apiVersion: 'v1',
        groupVersion: 'things.example.com/v1',
        resources: [],
      }),
    )
  })
  extension.on('upgrade', (message: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => {})
    requested.push(message)
    theirs.push(socket)
    result(message, socket)
  })
  await new Promise<void>((done) => extension.listen(0, '127.0.0.1', done))
  const { port } = extension.address() as AddressInfo
  const flags = parseFlags([
    `--service-address=default/things:443=https://127.0.0.1:${port}`,
    '--controllers=off',
  ])
  engine = await startEngine(flags, systemEnvironment)
  listener = await listen(engine.handle, {
    port: 0,
    report: (_, cause) => expect.fail(String(cause)),
  })
  const headers = { authorization: 'Bearer admin-token', 'content-type': 'application/json' }
  const post = async (path: string, body: object) => {
    const { status } = await fetch(listener.address + path, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    expect(status).toBe(201)
  }
  await post('/api/v1/namespaces/default/services', {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'things' },
    spec: { type: 'ExternalName', externalName: 'things.example.com' },
  })
  await post('/apis/apiregistration.k8s.io/v1/apiservices', {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name: 'v1.things.example.com' },
    spec: {
      group: 'things.example.com',
      version: 'v1',
      service: { name: 'things', namespace: 'default' },
      insecureSkipTLSVerify: true,
      groupPriorityMinimum: 1000,
      versionPriority: 15,
    },
  })
  const served = async () =>
    expect((await fetch(listener.address + GROUP, { headers })).status).toBe(200)
  await vi.waitFor(served, { timeout: 20_000 })
}, 30_000)
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy()
})
afterAll(async () => {
  await listener.close()
  await engine.close()
  extension.closeAllConnections()
  await new Promise((done) => extension.close(done))
})

interface Client {
  socket: Socket
  received(): Buffer
  closed(): boolean
}

function sendRequest(path: string, lines: string[], method = 'GET', behind = ''): Client {
  requested = []
  theirs = []
  const socket = connect(Number(new URL(listener.address).port), '127.0.0.1')
  clients.push(socket)
  const parts: Buffer[] = []
  let closed = false
  socket.on('data', (part) => parts.push(part))
  socket.on('error', () => {})
  socket.on('close', () => {
    closed = true
  })
  const head = [`${method} ${GROUP}${path} HTTP/1.1`, 'Host: x', 'Connection: Upgrade', ...lines]
  socket.write(`${head.join('\r\n')}\r\n\r\n${behind}`)
  return { socket, received: () => Buffer.concat(parts), closed: () => closed }
}

const ADMIN = 'Authorization: Bearer admin-token'
const WEB_SOCKET = [
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
]
const CONSOLE = '/namespaces/default/things/a/console?x=1'

const switching = (upgrade: string) => (_: IncomingMessage, socket: Duplex) => {
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${upgrade}\r\nX-Own: yes\r\n\r\nwelcome;`,
  )
  socket.on('data', (bytes: Buffer) => socket.write(`${bytes};`))
}

describe('an upgrade that an aggregated server accepts', () => {
  it("joins both connections, with the user's headers and without the token", async () => {
    result = switching('websocket')
    const token = `base64url.bearer.authorization.k8s.io.${Buffer.from('admin-token').toString('base64url')}`
    const client = sendRequest(CONSOLE, [
      ...WEB_SOCKET,
      `Sec-WebSocket-Protocol: plain.example.com, ${token}`,
    ])
    await expect.poll(() => client.received().toString()).toContain('welcome;')
    const [head = ''] = client.received().toString().split('\r\n\r\n')
    expect(head.split('\r\n')).toEqual(
      expect.arrayContaining([
        'HTTP/1.1 101 Switching Protocols',
        'upgrade: websocket',
        'connection: Upgrade',
        'x-own: yes',
      ]),
    )
    client.socket.write('hello')
    await expect.poll(() => client.received().toString()).toContain('welcome;hello;')
    const [message] = requested
    expect(message).toMatchObject({ method: 'GET', url: GROUP + CONSOLE })
    expect(message?.headers).toMatchObject({
      upgrade: 'websocket',
      'x-remote-user': 'admin',
      'x-remote-group': 'system:masters, system:authenticated',
      'sec-websocket-protocol': 'plain.example.com',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    })
    expect(message?.headers.authorization).toBeUndefined()
  })

  it('forwards bytes sent after the request, and any amount in both directions', async () => {
    result = (_, socket) => {
      socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n\r\n',
      )
      socket.pipe(socket)
    }
    const lines = [
      ADMIN,
      'Upgrade: SPDY/3.1',
      'X-Stream-Protocol-Version: v4.channel.k8s.io',
      'Content-Length: 0',
    ]
    const client = sendRequest('/namespaces/default/things/a/run', lines, 'POST', 'early')
    const large = Buffer.alloc(4 * 1024 * 1024, 'large')
    client.socket.write(large)
    await expect
      .poll(() => client.received().length, { timeout: 10_000 })
      .toBeGreaterThan(large.length)
    const behind = client.received().subarray(client.received().indexOf('\r\n\r\n') + 4)
    expect(behind.equals(Buffer.concat([Buffer.from('early'), large]))).toBe(true)
    expect(requested[0]?.headers).toMatchObject({
      upgrade: 'SPDY/3.1',
      'x-stream-protocol-version': 'v4.channel.k8s.io',
    })
  })

  it.each(['client', 'server'])('closes both connections with that of the %s', async (who) => {
    result = switching('websocket')
    const client = sendRequest(CONSOLE, [ADMIN, ...WEB_SOCKET])
    await expect.poll(() => client.received().toString()).toContain('welcome;')
    if (who === 'client') client.socket.destroy()
    else theirs[0]?.destroy()
    await expect.poll(() => [client.closed(), theirs[0]?.destroyed]).toEqual([true, true])
  })
})

it('a rejection of an aggregated server is forwarded', async () => {
  const responding = (status: string, text: string) => (_: IncomingMessage, socket: Duplex) =>
    socket.end(
      `HTTP/1.1 ${status}\r\nContent-Length: ${text.length}\r\nConnection: close\r\n\r\n${text}`,
    )
  result = responding('403 Forbidden', 'not you')
  const rejected = sendRequest(CONSOLE, [ADMIN, ...WEB_SOCKET])
  await expect.poll(rejected.closed).toBe(true)
  expect(rejected.received().toString()).toMatch(
    /^HTTP\/1.1 403 Forbidden\r\n[\s\S]*\r\n\r\nnot you$/,
  )
  result = responding('200 OK', 'fine')
  const odd = sendRequest(CONSOLE, [ADMIN, ...WEB_SOCKET])
  await expect.poll(odd.closed).toBe(true)
  expect(odd.received().toString()).toMatch(
    /^HTTP\/1.1 503 [\s\S]*\r\n\r\ninvalid upgrade response: status code 200\n$/,
  )
})

it('an unauthorized user is not proxied', async () => {
  result = switching('websocket')
  const client = sendRequest(CONSOLE, WEB_SOCKET)
  await expect.poll(client.closed).toBe(true)
  expect(client.received().toString()).toMatch(/^HTTP\/1.1 403 /)
  expect(requested).toEqual([])
})
