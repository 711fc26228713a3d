import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { base64OfBytes, canonicalBase64 } from '../../src/engine/schema/base64'

describe('bytes in JSON', () => {
  it('are base64, unchanged if canonical, else re-encoded', () => {
    expect(canonicalBase64('aGVsbG8=')).toBe('aGVsbG8=')
    expect(canonicalBase64('aGVs\nbG8=\r\n')).toBe('aGVsbG8=')
    expect(canonicalBase64('aGVsbG9=')).toBe('aGVsbG8=')
    expect(canonicalBase64('')).toBe('')
  })

  it.each([
    ['%%', 0],
    ['not base64!', 3],
    ['_-8=', 0],
    ['YQ', 0],
    ['YWJjYQ', 4],
    ['YQ=', 3],
    ['YQ=x', 2],
    ['YQ==YQ==', 4],
    ['=', 0],
    ['YWJj=', 4],
  ])('%j is illegal at byte %d', (text, position) => {
    expect(() => canonicalBase64(text)).toThrow(`illegal base64 data at input byte ${position}`)
  })

  it("agree with Node's Buffer", () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const text = Buffer.from(bytes).toString('base64')
        expect(base64OfBytes([...bytes])).toBe(text)
        expect(canonicalBase64(text)).toBe(text)
      }),
    )
  })
})
