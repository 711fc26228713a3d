/** The development server validates frames of the tab, and limits its clients. */
import { EventEmitter } from 'node:events'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { WebSocket } from 'ws'
import { UPGRADE_HEADER } from '../../src/engine/core/names'
import {
  FrameError,
  pieceOf,
  readFrame,
  readPiece,
  UNREADABLE,
} from '../../src/hosts/bridge/frames'
import { rejectRemoteAddress } from '../../src/hosts/bridge/guard'
import { Relay } from '../../src/hosts/bridge/relay'

class Tab extends EventEmitter {
  readonly heard: string[] = []
  closedWith: number | undefined
  send(message: string): void {
    this.heard.push(message)
  }
  close(code: number): void {
    this.closedWith = code
  }
  print(message: object): void {
    this.emit('message', Buffer.from(JSON.stringify(message)), false)
  }
}

let relay: Relay
let server: Server
let tab: Tab
let address = ''

beforeEach(async () => {
  relay = new Relay()
  tab = new Tab()
  relay.connect(tab as unknown as WebSocket)
  server = createServer(
    (request, response) => void relay.handle(request, response, request.url ?? '/'),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`
})

afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

describe('a frame of the tab', () => {
  it.each([
    '',
    '[]',
    '{"kind":"end"}',
    '{"kind":"x","id":1}',
    '{"kind":"response","id":1,"status":99,"headers":{}}',
  ])('is invalid: %s', (text) => {
    expect(() => readFrame(text)).toThrow(FrameError)
  })

  it.each([{ 'a b': 'c' }, { a: 'b\r\nset-cookie: x' }, { a: 1 }])(
    'is rejected with a header that contains a line break: %j',
    (headers) => {
      expect(() =>
        readFrame(JSON.stringify({ kind: 'response', id: 1, status: 200, headers })),
      ).toThrow('headers that are none')
    },
  )

  it('is a body chunk only after an integer', () => {
    expect(() => readPiece(Uint8Array.of(0, 0, 1))).toThrow(FrameError)
    expect(readPiece(pieceOf(7, Uint8Array.of(1)))).toEqual({ id: 7, bytes: Uint8Array.of(1) })
  })
})

describe('a tab that sends an invalid frame', () => {
  it('is disconnected, and pending requests fail', async () => {
    const waiting = fetch(address)
    await expect.poll(() => tab.heard.length).toBe(1)
    tab.emit('message', Buffer.from('{'), false)
    expect(tab.closedWith).toBe(UNREADABLE)
    const result = await waiting
    expect([result.status, (await result.json()).message]).toEqual([
      503,
      'the response of the tab cannot be forwarded',
    ])
    expect((await (await fetch(address)).json()).message).toContain('no tab of the page is open')
  })
})

describe('a client of the bridge', () => {
  it('gets 429 with a thousand pending requests', async () => {
    const all = new AbortController()
    const waiting = Array.from({ length: 1000 }, () =>
      fetch(address, { signal: all.signal }).catch(() => undefined),
    )
    await expect.poll(() => tab.heard.length, { timeout: 20_000 }).toBe(1000)
    const rejected = await fetch(address)
    expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([429, '1'])
    all.abort()
    await Promise.all(waiting)
  })

  it('gets 413 for a body above the limit of the API', async () => {
    const result = await fetch(address, {
      method: 'POST',
      body: new Uint8Array(4 * 1024 * 1024 + 1),
    })
    expect(result.status).toBe(413)
  })

  it('cannot upgrade over the bridge', async () => {
    const requested = request(address, {
      headers: { connection: 'Upgrade', upgrade: 'SPDY/3.1' },
    }).on('error', () => undefined)
    requested.end()
    await expect.poll(() => tab.heard.length).toBe(1)
    const { headers } = JSON.parse(tab.heard[0] ?? '')
    expect([headers.upgrade, headers[UPGRADE_HEADER]]).toEqual([undefined, 'SPDY/3.1'])
    requested.destroy()
  })

  it('must connect from this machine', () => {
    for (const own of ['127.0.0.1', '::1', '::ffff:127.0.0.1'])
      expect(rejectRemoteAddress(own)).toBeUndefined()
    for (const other of ['192.168.1.7', '::ffff:10.0.0.1', 'fe80::1', undefined])
      expect(rejectRemoteAddress(other)).toContain('this machine')
  })
})
