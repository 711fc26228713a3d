/** Standard base64 with padding (RFC 4648, section 4); ignores line breaks. */
import { FormatError } from './format-error'
import { goTrimRight } from './go-text'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const CANONICAL = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/**
 * Without line breaks, unused bits zero.
 * @throws FormatError `illegal base64 data at input byte 3`
 */
export function canonicalBase64(text: string): string {
  const compact = text.includes('\n') || text.includes('\r') ? text.replace(/[\r\n]/g, '') : text
  if (!CANONICAL.test(compact))
    throw new FormatError(`illegal base64 data at input byte ${firstIllegalByte(text)}`)
  if (!compact.endsWith('=')) return compact
  const last = compact.indexOf('=') - 1
  const unusedBits = compact.endsWith('==') ? 4 : 2
  const used = (ALPHABET.indexOf(compact.charAt(last)) >> unusedBits) << unusedBits
  return compact.slice(0, last) + ALPHABET.charAt(used) + compact.slice(last + 1)
}

export function base64OfBytes(bytes: ArrayLike<number>): string {
  let text = ''
  for (let i = 0; i < bytes.length; i += 3) {
    const bits = ((bytes[i] ?? 0) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0)
    const group = [18, 12, 6, 0].map((shift) => ALPHABET.charAt((bits >> shift) & 63)).join('')
    const left = bytes.length - i
    text += left >= 3 ? group : left === 2 ? `${group.slice(0, 3)}=` : `${group.slice(0, 2)}==`
  }
  return text
}

export function bytesOfBase64(text: string): Uint8Array {
  const bytes = new Uint8Array(Math.floor((goTrimRight(text, '=').length * 3) / 4))
  for (let i = 0, at = 0; i < text.length; i += 4) {
    let bits = 0
    for (let k = 0; k < 4; k++)
      bits = (bits << 6) | Math.max(0, ALPHABET.indexOf(text.charAt(i + k)))
    for (let shift = 16; shift >= 0 && at < bytes.length; shift -= 8)
      bytes[at++] = (bits >> shift) & 0xff
  }
  return bytes
}

/** A wrong character, wrong padding, or the start of an incomplete last group. */
function firstIllegalByte(text: string): number {
  const bytes = new TextEncoder().encode(text)
  const isBreak = (byte: number | undefined) => byte === 0x0a || byte === 0x0d
  const skipBreaks = (at: number) => {
    let next = at
    while (isBreak(bytes[next])) next++
    return next
  }
  let position = 0
  for (;;) {
    for (let filled = 0; filled < 4; filled++) {
      position = skipBreaks(position)
      const byte = bytes[position]
      if (byte === undefined) return filled === 0 ? position : position - filled
      position++
      if (ALPHABET.includes(String.fromCharCode(byte))) continue
      if (byte !== 0x3d || filled < 2) return position - 1
      position = skipBreaks(position)
      if (filled === 2) {
        if (bytes[position] === undefined) return bytes.length
        if (bytes[position] !== 0x3d) return position - 1
        position = skipBreaks(position + 1)
      }
      return position
    }
  }
}

/** RFC 4648, section 5, without padding. */
export function base64Url(bytes: Uint8Array): string {
  return goTrimRight(base64OfBytes([...bytes]), '=')
    .replaceAll('+', '-')
    .replaceAll('/', '_')
}

const URL_SAFE = /^[A-Za-z0-9_-]*$/

/** @returns undefined for an invalid text */
export function bytesOfBase64Url(text: string): Uint8Array | undefined {
  if (!URL_SAFE.test(text) || text.length % 4 === 1) return undefined
  return bytesOfBase64(text.replaceAll('-', '+').replaceAll('_', '/'))
}
