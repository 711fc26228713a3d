/**
 * Files are texts. The bytes of a file that is not UTF-8 are lone surrogates, U+DC80 to U+DCFF, as
 * in Python (PEP 383), so that they are not lost.
 */

const FIRST_SURROGATE = 0xdc00

export function textOfBytes(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return Array.from(bytes, (byte) =>
      String.fromCharCode(byte < 0x80 ? byte : FIRST_SURROGATE + byte),
    ).join('')
  }
}

export function bytesOfText(text: string): Uint8Array {
  const encoder = new TextEncoder()
  const bytes = [...text].flatMap((character) => {
    const code = character.charCodeAt(0)
    const isByte = character.length === 1 && code >= 0xdc80 && code <= 0xdcff
    return isByte ? [code - FIRST_SURROGATE] : [...encoder.encode(character)]
  })
  return Uint8Array.from(bytes)
}
