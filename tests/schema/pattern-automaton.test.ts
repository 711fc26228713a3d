import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Pattern } from '../../src/engine/schema/patterns/matcher'

it('agrees with the search for a match', () => {
  const part = fc.constantFrom(
    'a',
    'b',
    '.',
    '[ab]',
    '[^a]',
    'a*',
    'b+',
    '(?:a|bb)',
    '(?:ab){1,2}',
    '^',
    '$',
    '(?:a|$)',
    '(?:^|b)',
  )
  fc.assert(
    fc.property(
      fc.array(part, { maxLength: 6 }),
      fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'é', '🙂'), maxLength: 8 }), {
        minLength: 1,
        maxLength: 3,
      }),
      (parts, texts) => {
        const pattern = new Pattern(parts.join(''))
        for (const text of texts) expect(pattern.test(text)).toBe(pattern.find(text) !== undefined)
      },
    ),
    { numRuns: 500 },
  )
})
