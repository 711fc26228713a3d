import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { matchesFields, parseFieldSelector } from '../../src/engine/selectors/fields'

const field = fc.constantFrom('metadata.name', 'spec.nodeName', 'status.phase')
const value = fc.string({ maxLength: 4, unit: fc.constantFrom('a', 'B', '.', ',', '=', '\\', ' ') })
const escaped = (text: string) => text.replace(/[\\,=]/g, '\\$&')

describe('a field selector', () => {
  it('compares each field with its value, with any characters', () => {
    const term = fc.record({ field, value, sign: fc.constantFrom('=', '==', '!=') })
    fc.assert(
      fc.property(
        fc.array(term, { maxLength: 3 }),
        fc.dictionary(field, value),
        (terms, object) => {
          const selector = parseFieldSelector(
            terms.map((one) => one.field + one.sign + escaped(one.value)).join(','),
          )
          const matches = terms.every(
            (one) => ((object[one.field] ?? '') === one.value) === (one.sign !== '!='),
          )
          expect(matchesFields(selector, (name) => object[name] ?? '')).toBe(matches)
        },
      ),
    )
  })

  it('keeps its terms in order of their texts, which decides what is complained of first', () => {
    expect(parseFieldSelector('z=1,b=2,a!=3').map(({ field }) => field)).toEqual(['a', 'b', 'z'])
    expect(() => parseFieldSelector('x,b')).toThrow("invalid selector: 'x,b'; can't understand 'b'")
  })

  it('takes a bare operator for no demand', () => {
    expect(parseFieldSelector('=')).toEqual([])
  })
})
