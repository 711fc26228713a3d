/** Hosts pass the bytes of header values as characters, clients send UTF-8. */

const BEYOND_ASCII = /[\u0080-\u00ff]/
const BEYOND_BYTES = /[\u0100-\uffff]/

/**
 * As in Go, bytes that are not UTF-8 become U+FFFD.
 * @param value one character per byte; text that a host decoded is returned unchanged
 */
export function headerText(value: string): string {
  if (!BEYOND_ASCII.test(value) || BEYOND_BYTES.test(value)) return value
  const bytes = Uint8Array.from(value, (character) => character.charCodeAt(0))
  return decoded(bytes) ?? byteByByte(bytes)
}

/** Returns bytes that are not UTF-8 unchanged. */
export function utf8OrAsSent(value: string): string {
  const text = headerText(value)
  return text.includes('\ufffd') ? value : text
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function byteByByte(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes[at] as number)
    const character = decoded(bytes.subarray(at, at + length))
    text += character ?? '\ufffd'
    at += character === undefined ? 1 : length
  }
  return text
}

function sequenceLength(lead: number): number {
  if (lead < 0xc0) return 1
  if (lead < 0xe0) return 2
  return lead < 0xf0 ? 3 : 4
}
