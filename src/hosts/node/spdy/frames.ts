/**
 * SPDY/3 frames (SPDY Protocol, Draft 3, sections 2.2 and 2.6). Control frames are buffered, data
 * is delivered as it arrives.
 */

export const CONTROL = {
  synStream: 1,
  synReply: 2,
  rstStream: 3,
  settings: 4,
  ping: 6,
  goAway: 7,
  headers: 8,
  windowUpdate: 9,
} as const

export const FLAG = { fin: 1, unidirectional: 2 } as const

/** Status codes of RST_STREAM (section 2.6.3). */
export const RESET = { protocolError: 1, refusedStream: 3, cancel: 5 } as const
/** Status codes of GOAWAY (section 2.6.6). */
export const GOODBYE = { ok: 0, protocolError: 1 } as const

const VERSION = 3
const HEAD_BYTES = 8
const CONTROL_BIT = 0x80000000
/** Control frames contain only headers; kubectl's have a few hundred bytes. */
const LONGEST_CONTROL = 64 * 1024
const LONGEST_DATA = 2 ** 24 - 1

/** The connection is unusable afterwards. */
export class FrameError extends Error {}

export interface FrameListener {
  control(type: number, flags: number, payload: Buffer): void
  /**
   * @param bytes possibly part of a frame
   * @param last the client has ended this stream
   */
  data(stream: number, bytes: Buffer, last: boolean): void
}

/** The frame whose head has been parsed. */
interface Current {
  control?: { type: number; payload: Buffer }
  stream: number
  flags: number
  left: number
}

export class FrameReader {
  private readonly head = Buffer.alloc(HEAD_BYTES)
  private headBytes = 0
  private current: Current | undefined

  constructor(private readonly listener: FrameListener) {}

  /** @throws FrameError, and what the listener throws */
  take(bytes: Buffer): void {
    let rest = bytes
    while (rest.length > 0) {
      if (this.current === undefined) rest = this.readHead(rest)
      if (this.current !== undefined) rest = this.readBody(this.current, rest)
    }
  }

  /** @returns the remaining bytes */
  private readHead(bytes: Buffer): Buffer {
    const taken = bytes.copy(this.head, this.headBytes)
    this.headBytes += taken
    if (this.headBytes === HEAD_BYTES) {
      this.headBytes = 0
      this.current = frameOf(this.head)
    }
    return bytes.subarray(taken)
  }

  /** @returns the remaining bytes */
  private readBody(frame: Current, bytes: Buffer): Buffer {
    const { control, stream, flags, left } = frame
    const part = bytes.subarray(0, left)
    if (control) part.copy(control.payload, control.payload.length - left)
    frame.left -= part.length
    const isWhole = frame.left === 0
    if (isWhole) this.current = undefined
    if (control && isWhole) this.listener.control(control.type, flags, control.payload)
    else if (!control && (isWhole || part.length > 0))
      this.listener.data(stream, part, isWhole && (flags & FLAG.fin) !== 0)
    return bytes.subarray(part.length)
  }
}

/** @throws FrameError */
function frameOf(head: Buffer): Current {
  const first = head.readUInt32BE(0)
  const flags = head[4] as number
  const left = head.readUIntBE(5, 3)
  if (first < CONTROL_BIT) return { stream: first, flags, left }
  if (((first >>> 16) & 0x7fff) !== VERSION) throw new FrameError('another version than SPDY/3')
  if (left > LONGEST_CONTROL) throw new FrameError('a control frame is too long')
  return { control: { type: first & 0xffff, payload: Buffer.alloc(left) }, stream: 0, flags, left }
}

export function controlFrame(type: number, flags: number, ...payload: Buffer[]): Buffer {
  const head = Buffer.alloc(HEAD_BYTES)
  head.writeUInt16BE((CONTROL_BIT >>> 16) | VERSION, 0)
  head.writeUInt16BE(type, 2)
  head[4] = flags
  head.writeUIntBE(
    payload.reduce((sum, { length }) => sum + length, 0),
    5,
    3,
  )
  return Buffer.concat([head, ...payload])
}

/** Several frames if the data is too long for one. */
export function dataFrames(stream: number, bytes: Buffer, last: boolean): Buffer {
  const parts: Buffer[] = []
  let at = 0
  do {
    const part = bytes.subarray(at, at + LONGEST_DATA)
    at += part.length
    const head = Buffer.alloc(HEAD_BYTES)
    head.writeUInt32BE(stream, 0)
    head[4] = last && at === bytes.length ? FLAG.fin : 0
    head.writeUIntBE(part.length, 5, 3)
    parts.push(head, part)
  } while (at < bytes.length)
  return Buffer.concat(parts)
}

export function numbers(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  values.forEach((value, i) => void bytes.writeUInt32BE(value, 4 * i))
  return bytes
}
