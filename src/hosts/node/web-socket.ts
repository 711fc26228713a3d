/** The server's side of WebSockets (RFC 6455). */
import { createHash } from 'node:crypto'
import type { Duplex } from 'node:stream'

/** RFC 6455, section 1.3. */
const MAGIC = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
/** RFC 6455, section 5.2. */
const OPCODE = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const
/** Opcode and length (section 5.2). */
const SHORTEST_HEAD = 2
/** Longest accepted message in bytes. */
const LONGEST_MESSAGE = 4 * 1024 * 1024
const MOST_PARTS = 1000
/** Closing codes (section 7.4.1). */
const NORMAL = 1000
const PROTOCOL_ERROR = 1002
const TOO_BIG = 1009

/**
 * The head of the handshake's response (section 4.2.2).
 * @param protocol empty if none was negotiated
 */
export function acceptedHead(key: string, protocol: string): string {
  const accept = createHash('sha1')
    .update(key + MAGIC)
    .digest('base64')
  const lines = [
    'HTTP/1.1 101 Switching Protocols',
    'Upgrade: websocket',
    'Connection: Upgrade',
    `Sec-WebSocket-Accept: ${accept}`,
  ]
  if (protocol !== '') lines.push(`Sec-WebSocket-Protocol: ${protocol}`)
  return `${lines.join('\r\n')}\r\n\r\n`
}

export interface MessageListener {
  message(bytes: Uint8Array): void
  /** The client closed the connection or sent a close frame. */
  closed(): void
}

interface Frame {
  final: boolean
  opcode: number
  payload: Buffer
}

export class WebSocketConnection {
  /** Received bytes; joined only when a frame is complete, to copy once. */
  private chunks: Buffer[] = []
  private received = 0
  /** Size of the next frame, as far as its head is known. */
  private needed = SHORTEST_HEAD
  /** Earlier fragments of the current message. */
  private parts: Buffer[] = []
  private partsSize = 0
  private open = true

  constructor(
    private readonly socket: Duplex,
    private readonly listener: MessageListener,
  ) {
    socket.on('data', (bytes: Buffer) => this.take(bytes))
    // Without this, an end without a close frame leaves a half-open connection.
    socket.on('end', () => socket.end())
    socket.on('close', () => this.gone())
  }

  /** @param bytes possibly those that came with the upgrade request */
  take(bytes: Buffer): void {
    this.chunks.push(bytes)
    this.received += bytes.length
    for (let frame = this.next(); frame !== undefined && this.open; frame = this.next())
      this.follow(frame)
  }

  /**
   * @param message a string is a text frame, otherwise binary
   * @returns bytes not yet received by the client
   */
  send(message: string | Uint8Array): number {
    if (this.open)
      this.socket.write(
        frameOf(typeof message === 'string' ? OPCODE.text : OPCODE.binary, Buffer.from(message)),
      )
    return this.socket.writableLength
  }

  /** Drops the connection and all buffered bytes. */
  cut(): void {
    this.open = false
    this.socket.destroy()
  }

  close(code = NORMAL): void {
    if (!this.open) return
    this.open = false
    const reason = Buffer.alloc(2)
    reason.writeUInt16BE(code)
    this.socket.end(frameOf(OPCODE.close, reason))
  }

  private gone(): void {
    this.open = false
    this.listener.closed()
  }

  private next(): Frame | undefined {
    if (this.received < this.needed) return undefined
    const pending =
      this.chunks.length === 1 ? (this.chunks[0] as Buffer) : Buffer.concat(this.chunks)
    this.chunks = [pending]
    const [first = 0, second = 0] = pending
    // Client frames are always masked (section 5.1).
    if ((second & 0x80) === 0) return this.fail(PROTOCOL_ERROR)
    const short = second & 0x7f
    const extra = short === 126 ? 2 : short === 127 ? 8 : 0
    this.needed = SHORTEST_HEAD + extra + 4
    if (pending.length < this.needed) return undefined
    const size =
      extra === 0
        ? short
        : extra === 2
          ? pending.readUInt16BE(2)
          : Number(pending.readBigUInt64BE(2))
    if (size > LONGEST_MESSAGE) return this.fail(TOO_BIG)
    const begin = 2 + extra + 4
    this.needed = begin + size
    if (pending.length < this.needed) return undefined
    const mask = pending.subarray(begin - 4, begin)
    const payload = Buffer.from(pending.subarray(begin, begin + size))
    for (let i = 0; i < payload.length; i++)
      payload[i] = (payload[i] as number) ^ (mask[i & 3] as number)
    this.chunks = [pending.subarray(begin + size)]
    this.received -= begin + size
    this.needed = SHORTEST_HEAD
    return { final: (first & 0x80) !== 0, opcode: first & 0x0f, payload }
  }

  private fail(code: number): undefined {
    this.close(code)
    return undefined
  }

  private follow({ final, opcode, payload }: Frame): void {
    if (opcode === OPCODE.close) {
      this.close()
      this.listener.closed()
    } else if (opcode === OPCODE.ping) this.socket.write(frameOf(OPCODE.pong, payload))
    else if (opcode !== OPCODE.pong) {
      this.partsSize += payload.length
      if (this.parts.length > MOST_PARTS || this.partsSize > LONGEST_MESSAGE) {
        this.parts = []
        this.close(TOO_BIG)
        return
      }
      this.parts.push(payload)
      if (final) this.whole()
    }
  }

  private whole(): void {
    const message = Buffer.concat(this.parts)
    this.parts = []
    this.partsSize = 0
    this.listener.message(message)
  }
}

/** Server frames are not masked (section 5.2). */
function frameOf(opcode: number, payload: Buffer): Buffer {
  const { length } = payload
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10)
  head[0] = 0x80 | opcode
  head[1] = length < 126 ? length : length < 65_536 ? 126 : 127
  if (head.length === 4) head.writeUInt16BE(length, 2)
  else if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2)
  return Buffer.concat([head, payload])
}
