/** The part of DER (X.690) that keys and certificates need. */
const INTEGER = 0x02
const BIT_STRING = 0x03
const OBJECT_IDENTIFIER = 0x06
const SEQUENCE = 0x30

export const NULL = new Uint8Array([0x05, 0x00])

type Parts = (Uint8Array | readonly Uint8Array[])[]

export const sequence = (...parts: Parts): Uint8Array => element(SEQUENCE, parts)

/** @param content whole bytes */
export const bitString = (content: Uint8Array): Uint8Array =>
  element(BIT_STRING, [new Uint8Array([0]), content])

export const objectIdentifier = (hexadecimal: string): Uint8Array =>
  element(OBJECT_IDENTIFIER, [
    Uint8Array.from(hexadecimal.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16)),
  ])

/** @param magnitude most significant byte first */
export function integer(magnitude: Uint8Array): Uint8Array {
  const first = magnitude.findIndex((byte) => byte !== 0)
  const digits = first < 0 ? new Uint8Array([0]) : magnitude.subarray(first)
  const positive = (digits[0] as number) >= 0x80 ? [new Uint8Array([0]), digits] : [digits]
  return element(INTEGER, positive)
}

export const tagged = (tag: number, ...content: Parts): Uint8Array => element(tag, content)

function element(tag: number, content: Parts): Uint8Array {
  const parts = content.flat()
  const size = parts.reduce((sum, part) => sum + part.length, 0)
  const length: number[] = []
  for (let rest = size; rest > 0; rest >>= 8) length.unshift(rest & 0xff)
  const prefix = size < 0x80 ? [tag, size] : [tag, 0x80 | length.length, ...length]
  const bytes = new Uint8Array(prefix.length + size)
  bytes.set(prefix)
  let at = prefix.length
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
