/** Text in an address: deflated (RFC 1951), in base64url (RFC 4648, section 5). */
import { deflateSync, type FlateError, FlateErrorCode, Inflate, strFromU8, strToU8 } from 'fflate'
import { DAMAGED } from './texts'

/** Prevents that an untrusted link exhausts the memory. */
const LONGEST_TEXT = 32 * 1024 * 1024
const PIECE = 16 * 1024

export function compressed(text: string, dictionary?: Uint8Array): string {
  return toBase64Url(deflateSync(strToU8(text), { level: 9, ...(dictionary && { dictionary }) }))
}

interface Reading {
  dictionary?: Uint8Array
  /** In bytes of UTF-8. */
  longest?: number
}

/** @throws Error for truncated, damaged or too large input */
export function inflated(
  compressedText: string,
  { dictionary, longest = LONGEST_TEXT }: Reading = {},
): string {
  const bytes = fromBase64Url(compressedText)
  const chunks: Uint8Array[] = []
  let length = 0
  let ended = false
  const stream = new Inflate(dictionary ? { dictionary } : {}, (chunk, final) => {
    chunks.push(chunk)
    length += chunk.length
    ended = final
    if (length > longest) throw new Error(DAMAGED.tooLarge)
  })
  try {
    for (let at = 0; at < bytes.length; at += PIECE)
      stream.push(bytes.subarray(at, at + PIECE), at + PIECE >= bytes.length)
  } catch (error) {
    throw 'code' in (error as Error) ? damage(error as FlateError) : error
  }
  if (!ended) throw new Error(CUT_SHORT)
  const whole = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return strFromU8(whole)
}

const CUT_SHORT = DAMAGED.truncated

/** Replaces the package's messages, which describe codes and blocks. */
const damage = ({ code }: FlateError): Error =>
  new Error(code === FlateErrorCode.UnexpectedEOF ? CUT_SHORT : DAMAGED.checksum)

function toBase64Url(bytes: Uint8Array): string {
  let text = ''
  for (let i = 0; i < bytes.length; i += 0x8000)
    text += String.fromCharCode(...bytes.subarray(i, i + 0x8000))
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

function fromBase64Url(text: string): Uint8Array {
  if (!/^[\w+/-]*=*$/.test(text)) throw new Error(DAMAGED.invalid)
  // Four base64 characters are three bytes; a single remaining character is invalid.
  if (text.replaceAll('=', '').length % 4 === 1) throw new Error(CUT_SHORT)
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (sign) =>
    sign.charCodeAt(0),
  )
}
