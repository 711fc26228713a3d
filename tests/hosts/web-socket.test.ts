/** Client frames in any fragmentation (RFC 6455, section 5). */
import { Duplex } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { WebSocketConnection } from '../../src/hosts/node/web-socket'

const MASK = Buffer.from([1, 2, 3, 4])
const [CONTINUATION, BINARY] = [0, 2]

function frame(payload: Buffer, { final = true, opcode = BINARY } = {}): Buffer {
  const { length } = payload
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10)
  head[0] = (final ? 0x80 : 0) | opcode
  head[1] = 0x80 | (length < 126 ? length : length < 65_536 ? 126 : 127)
  if (head.length === 4) head.writeUInt16BE(length, 2)
  if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2)
  const masked = Buffer.from(payload.map((byte, i) => byte ^ (MASK[i & 3] as number)))
  return Buffer.concat([head, MASK, masked])
}

function connection() {
  const sent: Buffer[] = []
  const socket = new Duplex({
    read() {},
    write(bytes: Buffer, _encoding, done) {
      sent.push(bytes)
      done()
    },
  })
  const messages: Buffer[] = []
  const socketConnection = new WebSocketConnection(socket, {
    message: (bytes) => messages.push(Buffer.from(bytes)),
    closed() {},
  })
  return { sent, messages, take: (bytes: Buffer) => socketConnection.take(bytes) }
}

describe('frames', () => {
  it('decode the same however they are split', () => {
    const sizes = [0, 1, 125, 126, 1000, 65_535, 70_000]
    const payloads = sizes.map((size) => Buffer.alloc(size, size))
    const bytes = Buffer.concat(payloads.map((payload) => frame(payload)))
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 20 }), (cuts) => {
        const { messages, take } = connection()
        const ends = [...cuts.sort((a, b) => a - b), bytes.length]
        ends.forEach((end, i) => {
          take(bytes.subarray(ends[i - 1] ?? 0, end))
        })
        expect(messages.map(({ length }) => length)).toEqual(sizes)
        expect(Buffer.concat(messages).equals(Buffer.concat(payloads))).toBe(true)
      }),
      { numRuns: 50 },
    )
  })

  it('of one message are copied once, however small the chunks', () => {
    const { messages, take } = connection()
    const bytes = frame(Buffer.alloc(4 * 1024 * 1024, 7))
    for (let at = 0; at < bytes.length; at += 100) take(bytes.subarray(at, at + 100))
    expect(messages.map(({ length }) => length)).toEqual([4 * 1024 * 1024])
  })

  it('of a message above the limit close the connection before the last', () => {
    const { sent, messages, take } = connection()
    const part = Buffer.alloc(3 * 1024 * 1024)
    take(frame(part, { final: false }))
    expect(sent).toEqual([])
    take(frame(part, { final: false, opcode: CONTINUATION }))
    // The close frame has code 1009.
    expect(sent).toEqual([Buffer.from([0x88, 2, 0x03, 0xf1])])
    expect(messages).toEqual([])
  })
})
