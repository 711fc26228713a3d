import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import fc from 'fast-check'
import { expect } from 'vitest'
import type { WebSocket } from 'ws'
import { Relay } from '../../../src/hosts/bridge/relay'
import { type FuzzTarget, NAMES } from './target'
import { jsonText, mutated } from './texts'

/** The server's end of a tab that sends what it likes. */
class Tab extends EventEmitter {
  closedWith: number | undefined
  send(): void {}
  close(code: number): void {
    this.closedWith ??= code
  }
}

/** What a waiting program gets. */
class TestResponse extends EventEmitter {
  headersSent = false
  readonly writableLength = 0
  ended = false
  status = 0
  writeHead(status: number, headers: Record<string, unknown>): this {
    if (this.headersSent) throw new Error('head sent twice')
    if (!Number.isInteger(status) || status < 100 || status > 999)
      throw new RangeError(`Invalid status code: ${status}`)
    for (const [name, value] of Object.entries(headers)) {
      if (!/^[\^_`a-zA-Z\-0-9!#$%&'*+.|~]+$/.test(name))
        throw new TypeError(`Header name must be a valid HTTP token ["${name}"]`)
      if (value === undefined || /[^\t\x20-\x7e\x80-\xff]/.test(String(value)))
        throw new TypeError('Invalid character in header content')
    }
    this.headersSent = true
    this.status = status
    return this
  }
  setHeader(): void {}
  flushHeaders(): void {}
  write(): boolean {
    if (this.ended) throw new Error('write after end')
    return true
  }
  end(): void {
    this.ended = true
  }
  destroy(): void {
    this.ended = true
  }
}

const kind = fc.constantFrom('response', 'end', 'failed', 'request', '', '__proto__')
const message = fc
  .record({
    kind,
    id: fc.constantFrom('1', '2', '0', '-1', '1e99', '"1"', 'null'),
    status: fc.constantFrom('200', '101', '-1', '1e9', '"x"', 'null', '99.5'),
    headers: fc.oneof(
      jsonText,
      fc.constantFrom('{}', '{"a b":"c"}', '{"a":"\\n"}', '{"transfer-encoding":"chunked"}'),
    ),
  })
  .map(
    ({ kind: what, id, status, headers }) =>
      `{"kind":"${what}","id":${id},"status":${status},"headers":${headers},"message":${headers}}`,
  )
const frame = fc.oneof(
  message.map((text) => ({ text })),
  mutated(message, ['{', '"', ...NAMES]).map((text) => ({ text })),
  fc.uint8Array({ maxLength: 12 }).map((bytes) => ({ bytes })),
  fc.constant({ bytes: Uint8Array.of(0, 0, 0, 1, 65) }),
)

const requested = (): IncomingMessage =>
  Object.assign(new EventEmitter(), {
    method: 'GET',
    headers: { host: '127.0.0.1:1' },
    socket: { remoteAddress: '127.0.0.1' },
    iterator: async function* () {},
  }) as unknown as IncomingMessage

export const frames: FuzzTarget = {
  name: 'frames',
  what: 'frames that a tab sends over the bridge',
  short: 500,
  property: fc.asyncProperty(fc.array(frame, { maxLength: 8 }), async (sent) => {
    const relay = new Relay()
    const tab = new Tab()
    relay.connect(tab as unknown as WebSocket)
    const response = new TestResponse()
    await relay.handle(requested(), response as unknown as ServerResponse, '/api')
    for (const one of sent)
      tab.emit('message', Buffer.from('text' in one ? one.text : one.bytes), 'bytes' in one)
    tab.emit('close')
    // Whatever came, the program that waited is not left alone.
    expect(response.ended).toBe(true)
  }),
}
