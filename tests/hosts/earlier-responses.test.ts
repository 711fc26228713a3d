/**
 * Pipelined requests: an upgrade or an unknown method takes the connection from Node's server. Its
 * response follows the earlier responses, and none of this ends the process.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { ApiRequest, ApiResponse } from '../../src/engine/http/messages'
import { requestListener } from '../../src/hosts/node/adapter'
import { type Listener, listen } from '../../src/hosts/node/listener'
import { TickBatcher } from '../../src/hosts/node/tick-batcher'
import { WatchFlushScheduler } from '../../src/hosts/node/watch-writer'
import { client } from './raw-client'

let listener: Listener
const requested: string[] = []
const reported: string[] = []

async function response(request: ApiRequest): Promise<ApiResponse> {
  const { method, target } = request
  requested.push(`${method} ${target}`)
  await request.body()
  if (target === '/slow') await sleep(30)
  return { status: 200, headers: {}, body: target }
}

beforeEach(async () => {
  requested.length = reported.length = 0
  listener = await listen(response, { port: 0, report: (message) => reported.push(message) })
})

afterEach(() => listener.close())

/** Returns the output of the server for these pieces, sent one after the other. */
async function exchange(...pieces: string[]): Promise<string[]> {
  const socket = await client(Number(new URL(listener.address).port))
  for (const piece of pieces) {
    socket.write(piece)
    await sleep(60)
  }
  socket.destroy()
  return socket.output.match(/(?<=\r\n\r\n)\/[a-z]+/g) ?? []
}

const request = (target: string, ...headers: string[]) =>
  `${['GET', target, 'HTTP/1.1\r\nHost: a'].join(' ')}\r\n${headers.map((line) => `${line}\r\n`).join('')}\r\n`
/** This unusual form makes Node's server handle the connection. */
const slow = request('/slow', 'Connection: keep-alive, x')
const OFFERS = {
  'another version of HTTP': ['Connection: Upgrade', 'Upgrade: h2c'],
  'a WebSocket': [
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  ],
}

it.each(Object.entries(OFFERS))(
  'a request that offers %s gets its response after earlier requests',
  async (_, offer) => {
    expect(await exchange(slow + request('/offer', ...offer))).toEqual(['/slow', '/offer'])
    expect(await exchange(slow + slow + request('/offer', ...offer))).toEqual([
      '/slow',
      '/slow',
      '/offer',
    ])
    expect(reported).toEqual([])
  },
)

it('a request after an ignored upgrade gets its response after both', async () => {
  expect(
    await exchange(
      slow + request('/offer', ...OFFERS['another version of HTTP']),
      request('/next'),
    ),
  ).toEqual(['/slow', '/offer', '/next'])
})

it('a request of an unknown method gets its response after the one before it', async () => {
  const socket = await client(Number(new URL(listener.address).port))
  socket.write(slow)
  await sleep(5)
  socket.write(request('/unknown').replace('GET', 'FOO'))
  await new Promise((resolve) => socket.once('close', resolve))
  expect(socket.output.match(/\/slow|\/unknown/g)).toEqual(['/slow', '/unknown'])
})

it('a request pipelined with one of an unknown method runs once', async () => {
  await exchange(
    request('/first', 'Connection: keep-alive, x') + request('/unknown').replace('GET', 'FOO'),
  )
  expect(requested).toEqual(['GET /first'])
})

it.each([
  ['a path that cannot be read', request('/a%zz')],
  ['no host', request('/first').replace('Host: a', 'X: a')],
])(
  'a response to a request with %s closes the connection and ignores later bytes',
  async (_, first) => {
    const flushScheduler = new WatchFlushScheduler()
    // Node's server alone reads further ahead than within the headless server.
    const server = createServer(
      requestListener(response, () => {}, {
        flushScheduler,
        batcher: new TickBatcher(flushScheduler),
      }),
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const behind = 'DELETE /behind HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}'
    const all = first + behind + request('/last', 'Connection: close')
    for (let cut = 1; cut < first.length; cut += 4) {
      const socket = await client((server.address() as AddressInfo).port)
      const closed = new Promise((resolve) => socket.once('close', resolve))
      socket.write(all.slice(0, cut))
      await new Promise(setImmediate)
      socket.write(all.slice(cut))
      await closed
      expect(socket.output.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 400'])
    }
    // An uncaught error is thrown in a later turn of the event loop.
    await sleep(20)
    await new Promise((resolve) => server.close(resolve))
  },
)
