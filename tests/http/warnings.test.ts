import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Warnings } from '../../src/engine/http/warnings'

function headersOf(texts: string[]): string[] {
  const warnings = new Warnings()
  for (const text of texts) warnings.add(text)
  return warnings.headers()
}

describe('warnings of one answer', () => {
  test('are quoted, equal ones once, those with control characters not at all', () => {
    expect(headersOf(['a "b" \\c', 'a "b" \\c', 'x\ny', ''])).toEqual(['299 - "a \\"b\\" \\\\c"'])
  })

  test('go as the bytes of their UTF-8, which a header can hold', () => {
    expect(headersOf(['é☃'])).toEqual(['299 - "Ã©â\x98\x83"'])
    expect(() => new Headers([['warning', headersOf(['é☃ 💥'])[0] ?? '']])).not.toThrow()
  })

  test('are whole as long as all together are no more than 4096 characters, cut to 256 beyond', () => {
    expect(headersOf(['a'.repeat(4096)])[0]).toHaveLength(4096 + '299 - ""'.length)
    const texts = Array.from({ length: 40 }, (_, i) => `${i}`.padEnd(300, 'x'))
    const headers = headersOf(texts)
    expect(headers).toHaveLength(16)
    expect(headers[0]).toHaveLength(256 + '299 - ""'.length)
  })

  test('are dropped as soon as no more fit, so that a request cannot fill the memory', () => {
    const warnings = new Warnings()
    const offered = Array.from({ length: 200_000 }, (_, index) => `${index}`.padEnd(400, 'x'))
    const before = headersOf(offered.slice(0, 100))
    for (const text of offered) warnings.add(text)
    expect(warnings.headers()).toEqual(before)
    expect((warnings as unknown as { texts: Set<string> }).texts.size).toBeLessThan(20)
  })

  test('with control characters leave room for others', () => {
    const texts = Array.from({ length: 100 }, (_, index) => `${index}\n`.padStart(256, 'x'))
    expect(headersOf([...texts, 'last'])).toEqual(['299 - "last"'])
  })

  test('never grow beyond what a header can take', () => {
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
