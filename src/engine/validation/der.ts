/** X.690, section 8.1. */
export interface Element {
  tag: number
  content: Uint8Array
  raw: Uint8Array
  end: number
}

export function element(bytes: Uint8Array, at: number): Element {
  const tag = bytes[at]
  const first = bytes[at + 1]
  if (tag === undefined || first === undefined)
    throw new Error('asn1: syntax error: truncated tag or length')
  const longForm = first >= 0x80
  const lengthBytes = longForm ? first & 0x7f : 0
  let length = longForm ? 0 : first
  for (let i = 0; i < lengthBytes; i++) length = length * 256 + (bytes[at + 2 + i] ?? 0)
  const start = at + 2 + lengthBytes
  if (start + length > bytes.length) throw new Error('asn1: syntax error: data truncated')
  return {
    tag,
    content: bytes.subarray(start, start + length),
    raw: bytes.subarray(at, start + length),
    end: start + length,
  }
}

export function children({ content }: Element): Element[] {
  const found: Element[] = []
  for (let at = 0; at < content.length; ) {
    const child = element(content, at)
    found.push(child)
    at = child.end
  }
  return found
}

/** X.690, section 8.19. */
export function objectIdentifier(content: Uint8Array): string {
  const numbers: number[] = []
  let number = 0
  for (const byte of content) {
    number = number * 128 + (byte & 0x7f)
    if (byte >= 0x80) continue
    if (numbers.length === 0)
      numbers.push(
        Math.min(2, Math.floor(number / 40)),
        number - 40 * Math.min(2, Math.floor(number / 40)),
      )
    else numbers.push(number)
    number = 0
  }
  return numbers.join('.')
}

export const decodeBytes = (base64: string): Uint8Array =>
  Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))
