/** A browser may encode once more what a header carries. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { warningsOf } from '../../src/app/warnings'
import { headerAsWritten, textOfHeader } from '../../src/hosts/shared/text-of-header'

const encoded = (text: string): string => String.fromCharCode(...new TextEncoder().encode(text))

it('reads what was written, encoded once or once more', () => {
  expect(textOfHeader('299 - "plain"')).toBe('299 - "plain"')
  expect(textOfHeader(encoded('größe – 大きい 🙂'))).toBe('größe – 大きい 🙂')
  expect(textOfHeader(encoded(encoded('größe')))).toBe('größe')
})

it('leaves letters that no one encoded', () => {
  for (const text of ['größe', 'é', '大きい', '']) {
    expect(textOfHeader(text)).toBe(text)
    expect(headerAsWritten(text)).toBe(text)
  }
})

it('gives back any text, and the header that carried it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      // A text may itself look like one that was encoded.
      fc.pre(textOfHeader(text) === text)
      const header = encoded(text)
      for (const seen of [header, encoded(header)]) {
        expect(textOfHeader(seen)).toBe(text)
        expect(headerAsWritten(seen)).toBe(header)
      }
    }),
  )
})

it('warnings are shown in their letters', () => {
  const header = encoded('299 - "größe \\"zu klein\\"", 299 - "second"')
  expect(warningsOf(encoded(header))).toEqual(['größe "zu klein"', 'second'])
})
