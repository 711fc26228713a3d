/** A browser may percent-encode the value of a header again. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { headerAsWritten, textOfHeader } from '../../src/hosts/shared/text-of-header'
import { warningsOf } from '../../src/hosts/shared/warning-header'

const encoded = (text: string): string => String.fromCharCode(...new TextEncoder().encode(text))

it('decodes a value that was encoded once or twice', () => {
  expect(textOfHeader('299 - "plain"')).toBe('299 - "plain"')
  expect(textOfHeader(encoded('größe – 大きい 🙂'))).toBe('größe – 大きい 🙂')
  expect(textOfHeader(encoded(encoded('größe')))).toBe('größe')
})

it('leaves unencoded characters unchanged', () => {
  for (const text of ['größe', 'é', '大きい', '']) {
    expect(textOfHeader(text)).toBe(text)
    expect(headerAsWritten(text)).toBe(text)
  }
})

it('round-trips any text through the header', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      // A text may itself look like an encoded one.
      fc.pre(textOfHeader(text) === text)
      const header = encoded(text)
      for (const seen of [header, encoded(header)]) {
        expect(textOfHeader(seen)).toBe(text)
        expect(headerAsWritten(seen)).toBe(header)
      }
    }),
  )
})

it('warnings show decoded characters', () => {
  const header = encoded('299 - "größe \\"zu klein\\"", 299 - "second"')
  expect(warningsOf(encoded(header))).toEqual(['größe "zu klein"', 'second'])
})
