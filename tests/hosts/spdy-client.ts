/** A SPDY/3 client for tests, written from the specification (Draft 3), over any byte transport. */
import { constants, createDeflate, createInflate, type Deflate, type Inflate } from 'node:zlib'
import { DICTIONARY } from '../../src/hosts/node/spdy/dictionary'

export interface Frame {
  /** The type of a control frame, or `data`. */
  type: number | 'data'
  flags: number
  stream: number
  content: Buffer
}

/** Parses the complete frames that a server sent. */
export function framesIn(bytes: Buffer): Frame[] {
  const frames: Frame[] = []
  for (let at = 0; at + 8 <= bytes.length; ) {
    const first = bytes.readUInt32BE(at)
    const length = bytes.readUIntBE(at + 5, 3)
    if (at + 8 + length > bytes.length) break
    const content = bytes.subarray(at + 8, at + 8 + length)
    const isControl = first >= 0x80000000
    const stream = isControl ? (content.length >= 4 ? content.readUInt32BE(0) : 0) : first
    frames.push({
      type: isControl ? first & 0xffff : 'data',
      flags: bytes[at + 4] as number,
      stream,
      content,
    })
    at += 8 + length
  }
  return frames
}

/** The data of a stream, and whether it has ended. */
export function receivedOn(frames: Frame[], id: number): { text: string; ended: boolean } {
  const own = frames.filter(({ type, stream }) => type === 'data' && stream === id)
  return {
    text: Buffer.concat(own.map(({ content }) => content)).toString(),
    ended: own.some(({ flags }) => flags === 1),
  }
}

export const control = (type: number, content: Buffer, flags = 0, version = 3): Buffer => {
  const head = Buffer.alloc(8)
  head.writeUInt16BE(0x8000 | version, 0)
  head.writeUInt16BE(type, 2)
  head[4] = flags
  head.writeUIntBE(content.length, 5, 3)
  return Buffer.concat([head, content])
}

export const data = (stream: number, content: string | Buffer, fin = false): Buffer => {
  const bytes = Buffer.from(content)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(stream, 0)
  head[4] = fin ? 1 : 0
  head.writeUIntBE(bytes.length, 5, 3)
  return Buffer.concat([head, bytes])
}

export const numbers = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length)
  values.forEach((value, i) => void bytes.writeUInt32BE(value, 4 * i))
  return bytes
}

export const block = (...texts: string[]): Buffer =>
  Buffer.concat([
    numbers(texts.length / 2),
    ...texts.flatMap((text) => [numbers(Buffer.byteLength(text)), Buffer.from(text)]),
  ])

/** Compresses consecutive header blocks as one zlib stream. */
export class Compressor {
  private readonly deflate: Deflate = createDeflate({
    dictionary: DICTIONARY,
    flush: constants.Z_SYNC_FLUSH,
  })

  compress(content: Buffer): Promise<Buffer> {
    return through(this.deflate, content)
  }

  async synStream(id: number, headers: Buffer, flags = 0): Promise<Buffer> {
    return control(
      1,
      Buffer.concat([numbers(id, 0), Buffer.of(0, 0), await this.compress(headers)]),
      flags,
    )
  }

  stream(id: number, type: string, ...more: string[]): Promise<Buffer> {
    return this.synStream(id, block('streamtype', type, ...more))
  }
}

/** Decompresses the header blocks of responses in order. */
export class Decompressor {
  private readonly inflate: Inflate = createInflate({
    dictionary: DICTIONARY,
    finishFlush: constants.Z_SYNC_FLUSH,
  })

  decompress(content: Buffer): Promise<Buffer> {
    return through(this.inflate, content)
  }
}

function through(stream: Deflate | Inflate, content: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    const take = (part: Buffer) => void parts.push(part)
    stream.on('data', take)
    stream.once('error', reject)
    stream.write(content, () =>
      setImmediate(() => {
        stream.off('data', take)
        stream.off('error', reject)
        resolve(Buffer.concat(parts))
      }),
    )
  })
}
