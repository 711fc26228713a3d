/**
 * SPDY/3 header blocks: length-prefixed names and values. One zlib stream compresses a direction's
 * blocks (SPDY Protocol, Draft 3, section 2.6.10), each ending with a sync flush: raw deflate whose
 * dictionary is the preceding content.
 */
import { constants, deflateRawSync, inflateRawSync } from 'node:zlib'
import { DICTIONARY } from './dictionary'

/** RFC 1950: deflate with a window of 32 KiB, and the Adler-32 of the dictionary. */
const ZLIB_HEAD = Buffer.from('78bbe3c6a7c2', 'hex')
const ZLIB_HEAD_MASK = [0x0f, 0x20] as const
const WINDOW = 32 * 1024

/** kube-apiserver's library accepts more; usual blocks have about 60 bytes. */
const MOST_BYTES = 64 * 1024
const MOST_HEADERS = 100

export class HeaderBlockError extends Error {}

/** Names in lower case. */
export type Headers = ReadonlyMap<string, string>

/** A direction's latest content, the dictionary of the next block. */
class History {
  bytes = DICTIONARY

  add(block: Buffer): void {
    this.bytes = Buffer.concat([this.bytes, block]).subarray(-WINDOW)
  }
}

export class HeaderReader {
  private readonly history = new History()
  private begun = false

  /** @throws HeaderBlockError */
  read(block: Buffer): Headers {
    const content = this.inflated(this.begun ? block : withoutHead(block))
    this.begun = true
    this.history.add(content)
    return headersIn(content)
  }

  private inflated(block: Buffer): Buffer {
    try {
      return inflateRawSync(block, {
        dictionary: this.history.bytes,
        finishFlush: constants.Z_SYNC_FLUSH,
        maxOutputLength: MOST_BYTES,
      })
    } catch (error) {
      throw new HeaderBlockError(error instanceof Error ? error.message : String(error))
    }
  }
}

export class HeaderWriter {
  private readonly history = new History()
  private begun = false

  write(headers: Headers): Buffer {
    const content = blockOf(headers)
    const block = deflateRawSync(content, {
      dictionary: this.history.bytes,
      finishFlush: constants.Z_SYNC_FLUSH,
    })
    const head = this.begun ? [] : [ZLIB_HEAD]
    this.begun = true
    this.history.add(content)
    return Buffer.concat([...head, block])
  }
}

/** @throws HeaderBlockError for another compression or dictionary */
function withoutHead(block: Buffer): Buffer {
  const { length } = ZLIB_HEAD
  const isDeflate = ZLIB_HEAD_MASK.every(
    (mask, i) => ((block[i] ?? 0) & mask) === ((ZLIB_HEAD[i] as number) & mask),
  )
  if (!isDeflate || !block.subarray(2, length).equals(ZLIB_HEAD.subarray(2)))
    throw new HeaderBlockError('no zlib stream of SPDY/3')
  return block.subarray(length)
}

/** @throws HeaderBlockError for invalid lengths or too many headers */
function headersIn(content: Buffer): Headers {
  let at = 0
  const number = () => {
    if (at + 4 > content.length) throw new HeaderBlockError('a header block ends early')
    at += 4
    return content.readUInt32BE(at - 4)
  }
  const text = () => {
    const length = number()
    if (length > content.length - at)
      throw new HeaderBlockError('a header is longer than its block')
    at += length
    return content.toString('utf8', at - length, at)
  }
  const count = number()
  if (count > MOST_HEADERS) throw new HeaderBlockError('too many headers')
  const headers = new Map<string, string>()
  for (let i = 0; i < count; i++) {
    const name = text().toLowerCase()
    // NUL separates values; only the first counts, as in kube-apiserver.
    headers.set(name, text().split('\0')[0] ?? '')
  }
  return headers
}

function blockOf(headers: Headers): Buffer {
  const parts: Buffer[] = []
  const number = (value: number) => {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(value)
    parts.push(bytes)
  }
  number(headers.size)
  for (const pair of headers) {
    for (const text of pair) {
      const bytes = Buffer.from(text)
      number(bytes.length)
      parts.push(bytes)
    }
  }
  return Buffer.concat(parts)
}
