import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { matchesLabels, parseLabelSelector, selectorText } from '../../src/engine/selectors/labels'

const key = fc.constantFrom('a', 'app', 'example.com/x', 'in', 'notin', 'k.1')
const value = fc.constantFrom<string[]>('', 'x', 'y', '1', '10', '007', 'A.b_c')
const labels = fc.dictionary(key, value, { maxKeys: 4 })

interface Term {
  text: string
  /** The rule in so many words, apart from the engine's. */
  holds(labels: Record<string, string>): boolean
}

const has = (labels: Record<string, string>, name: string) => Object.keys(labels).includes(name)
const integer = (text: string) => /^-?\d+$/.test(text)

const term: fc.Arbitrary<Term> = fc.oneof(
  fc.tuple(key, value, fc.constantFrom('=', '==', ' = ')).map(([k, v, sign]) => ({
    text: `${k}${sign}${v}`,
    holds: (l: Record<string, string>) => has(l, k) && l[k] === v,
  })),
  fc.tuple(key, value).map(([k, v]) => ({
    text: `${k}!=${v}`,
    holds: (l: Record<string, string>) => !has(l, k) || l[k] !== v,
  })),
  fc.tuple(key, fc.array(value, { minLength: 1, maxLength: 3 })).map(([k, vs]) => ({
    text: `${k} in (${vs.join(',')})`,
    holds: (l: Record<string, string>) => has(l, k) && vs.includes(l[k] as string),
  })),
  fc.tuple(key, fc.array(value, { minLength: 1, maxLength: 3 })).map(([k, vs]) => ({
    text: `${k} notin (${vs.join(',')})`,
    holds: (l: Record<string, string>) => !has(l, k) || !vs.includes(l[k] as string),
  })),
  key.map((k) => ({ text: k, holds: (l: Record<string, string>) => has(l, k) })),
  key.map((k) => ({ text: `!${k}`, holds: (l: Record<string, string>) => !has(l, k) })),
  fc.tuple(key, fc.constantFrom('1', '5', '0')).map(([k, n]) => ({
    text: `${k}>${n}`,
    holds: (l: Record<string, string>) =>
      has(l, k) && integer(l[k] as string) && Number(l[k]) > Number(n),
  })),
  fc.tuple(key, fc.constantFrom('1', '5', '0')).map(([k, n]) => ({
    text: `${k}<${n}`,
    holds: (l: Record<string, string>) =>
      has(l, k) && integer(l[k] as string) && Number(l[k]) < Number(n),
  })),
)

describe('a label selector', () => {
  it('matches all of its terms', () => {
    fc.assert(
      fc.property(fc.array(term, { maxLength: 4 }), labels, (terms, map) => {
        const selector = parseLabelSelector(terms.map(({ text }) => text).join(','))
        expect(matchesLabels(selector, map)).toBe(terms.every(({ holds }) => holds(map)))
      }),
    )
  })

  it('means the same when it is written out and read again', () => {
    fc.assert(
      fc.property(fc.array(term, { maxLength: 4 }), labels, (terms, map) => {
        const selector = parseLabelSelector(terms.map(({ text }) => text).join(','))
        expect(matchesLabels(parseLabelSelector(selectorText(selector)), map)).toBe(
          matchesLabels(selector, map),
        )
      }),
    )
  })

  it.each([
    ['a in (,!', "unable to parse requirement: found '!', expected: ',', or identifier"],
    ['a in (x,', "unable to parse requirement: found '', expected: ',', or identifier"],
    [
      'a>9223372036854775808',
      `unable to parse requirement: values[0]: Invalid value: "9223372036854775808": for 'Gt', 'Lt' operators, the value must be an integer`,
    ],
  ])('rejects %s with an error', (text, message) => {
    expect(() => parseLabelSelector(text)).toThrow(message)
  })

  it('compares integers of 64 bits alone', () => {
    expect(matchesLabels(parseLabelSelector('a>1'), { a: '9223372036854775807' })).toBe(true)
    expect(matchesLabels(parseLabelSelector('a>1'), { a: '9223372036854775808' })).toBe(false)
  })
})
