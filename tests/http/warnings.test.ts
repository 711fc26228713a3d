import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Warnings } from '../../src/engine/http/warnings'

function headersOf(texts: string[]): string[] {
  const warnings = new Warnings()
  for (const text of texts) warnings.add(text)
  return warnings.headers()
}

describe('warnings of one response', () => {
  test('are quoted and deduplicated, without those with control characters', () => {
    expect(headersOf(['a "b" \\c', 'a "b" \\c', 'x\ny', ''])).toEqual(['299 - "a \\"b\\" \\\\c"'])
  })

  test('are sent as UTF-8 bytes', () => {
    expect(headersOf(['é☃'])).toEqual(['299 - "Ã©â\x98\x83"'])
    expect(() => new Headers([['warning', headersOf(['é☃ 💥'])[0] ?? '']])).not.toThrow()
  })

  test('are complete up to 4096 characters in total, else truncated to 256 each', () => {
    expect(headersOf(['a'.repeat(4096)])[0]).toHaveLength(4096 + '299 - ""'.length)
    const texts = Array.from({ length: 40 }, (_, i) => `${i}`.padEnd(300, 'x'))
    const headers = headersOf(texts)
    expect(headers).toHaveLength(16)
    expect(headers[0]).toHaveLength(256 + '299 - ""'.length)
  })

  test('are dropped beyond the limit, so that a request cannot fill the memory', () => {
    const warnings = new Warnings()
    const offered = Array.from({ length: 200_000 }, (_, index) => `${index}`.padEnd(400, 'x'))
    const before = headersOf(offered.slice(0, 100))
    for (const text of offered) warnings.add(text)
    expect(warnings.headers()).toEqual(before)
    expect((warnings as unknown as { texts: Set<string> }).texts.size).toBeLessThan(20)
  })

  test('with control characters do not use up the limit', () => {
    const texts = Array.from({ length: 100 }, (_, index) => `${index}\n`.padStart(256, 'x'))
    expect(headersOf([...texts, 'last'])).toEqual(['299 - "last"'])
  })

  test('never exceed the size of a header', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 2000 }), { maxLength: 60 }), (texts) => {
        const characters = headersOf(texts).reduce(
          (sum, header) => sum + header.replace(/\\(.)/g, '$1').length - '299 - ""'.length,
          0,
        )
        expect(characters).toBeLessThan(4096 + 2000)
      }),
    )
  })
})
