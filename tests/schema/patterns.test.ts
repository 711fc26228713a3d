import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Pattern } from '../../src/engine/schema/patterns/matcher'
import { PatternError } from '../../src/engine/schema/patterns/pattern-node'

const problemOf = (pattern: string): string => {
  try {
    new Pattern(pattern)
    return ''
  } catch (error) {
    if (error instanceof PatternError) return error.message
    throw error
  }
}

describe('a pattern', () => {
  it.each([
    ['^[a-z]+$', 'abc', true],
    ['^[a-z]+$', 'ab1', false],
    ['(?i)ABC', 'xabcx', true],
    ['(?s)a.b', 'a\nb', true],
    ['a.b', 'a\nb', false],
    ['(?m)^b$', 'a\nb\nc', true],
    ['^\\Qa.b\\E$', 'a.b', true],
    ['[[:alpha:]][^[:digit:]]', 'a1', false],
    ['\\p{Greek}', 'λ', true],
    ['\\PL', 'a', false],
    ['^(?:a{2,3}|b)$', 'aaa', true],
    ['\\bfoo\\b', 'a foo b', true],
    ['^.$', '🙂', true],
    ['x*', '', true],
  ])('%s in %j: %s', (pattern, text, found) => {
    expect(new Pattern(pattern).test(text)).toBe(found)
  })

  it('finds the first match, with the preferred alternative', () => {
    expect(new Pattern('a|ab').find('xab')).toBe('a')
    expect(new Pattern('a+?').find('aaa')).toBe('a')
    expect(new Pattern('[0-9]+').findAll('123 abc 456')).toEqual(['123', '456'])
    expect(new Pattern('a*').findAll('baab')).toEqual(['', 'aa', ''])
  })

  it.each([
    ['(', 'missing closing ): `(`'],
    ['[a', 'missing closing ]: `[a`'],
    ['a**', 'invalid nested repetition operator: `**`'],
    ['(?=a)', 'invalid or unsupported Perl syntax: `(?=`'],
    ['*a', 'missing argument to repetition operator: `*`'],
    ['\\8', 'invalid escape sequence: `\\8`'],
    ['[z-a]', 'invalid character class range: `z-a`'],
    ['a{1001}', 'invalid repeat count: `{1001}`'],
    ['x)', 'unexpected ): `x)`'],
    ['*?a', 'missing argument to repetition operator: `*?`'],
    ['(*)', 'missing argument to repetition operator: `*`'],
    ['a|+', 'missing argument to repetition operator: `+`'],
    ['(?m)*', 'missing argument to repetition operator: `*`'],
    ['((?m){2,1})', 'invalid repeat count: `{2,1}`'],
    ['a{1001}?', 'invalid repeat count: `{1001}`'],
    ['(a{40}){40}?', 'invalid repeat count: `{40}?`'],
    ['a{99999999999999999999}', 'invalid repeat count: `{99999999999999999999}`'],
    ['a*?+', 'invalid nested repetition operator: `*?+`'],
    [`(?:${'ab'.repeat(1000)}){1000}`, `expression too large: \`(?:${'ab'.repeat(1000)}){1000}\``],
  ])('reports the error in %s', (pattern, problem) => {
    expect(problemOf(pattern)).toBe(`error parsing regexp: ${problem}`)
  })

  it.each([
    ['(?P<n>a)(?P<n>b)', 'ab', 'ab'],
    ['[[:word:]](?m){2}', 'AB', 'AB'],
    ['a*(?i)*B', 'aab', 'aab'],
    ['a\\Q\\E*', 'aaa', 'aaa'],
    ['a*\\Qb\\E{2}', 'abb', 'abb'],
    ['(a{1000}){0}', 'a', ''],
    ['a{01}', 'a{01}', 'a{01}'],
  ])('%s is in %s', (pattern, text, found) => expect(new Pattern(pattern).find(text)).toBe(found))

  it('never backtracks, however nested it is', () => {
    expect(new Pattern('^(?:(?:a+)+)+$').test(`${'a'.repeat(5000)}b`)).toBe(false)
  })

  it('agrees with RegExp where both mean the same', () => {
    const part = fc.constantFrom(
      'a',
      'b',
      '.',
      '[ab]',
      '[^a]',
      'a*',
      'b+?',
      '(?:a|b)',
      'a{1,2}',
      '^',
      '$',
      '(ab)?',
    )
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 6 }),
        fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 }),
        (parts, text) => {
          const pattern = parts.join('')
          expect(new Pattern(pattern).find(text)).toBe(new RegExp(pattern, 'u').exec(text)?.[0])
        },
      ),
    )
  })
})
