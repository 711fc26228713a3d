/**
 * Names are validated character by character; this must agree with the patterns in the error
 * messages.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  dnsLabelProblems,
  dnsSubdomainProblems,
  labelValueProblems,
  qualifiedNameProblems,
} from '../../src/engine/validation/names'

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?'
const QUALIFIED = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'
const whole = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`)

/** Strings of the characters that matter, with others in between. */
const text = fc.oneof(
  fc
    .array(fc.constantFrom('a', 'z', '0', '9', '-', '.', '_', 'A', 'Z', '/', 'é', '\n', ' '), {
      maxLength: 8,
    })
    .map((characters) => characters.join('')),
  fc
    .array(fc.constantFrom('a', '0', '-', '.'), { maxLength: 8 })
    .map((characters) => characters.join('')),
  fc.integer({ min: 60, max: 66 }).map((length) => 'a'.repeat(length)),
  fc.integer({ min: 250, max: 256 }).map((length) => `${'a.'.repeat(length / 2)}b`),
  fc.string(),
)

const bytes = (value: string): number => new TextEncoder().encode(value).length

describe('names', () => {
  it('are labels of at most 63 bytes that match the pattern', () => {
    fc.assert(
      fc.property(text, (value) => {
        expect(dnsLabelProblems(value).length === 0).toBe(
          whole(LABEL).test(value) && bytes(value) <= 63,
        )
      }),
    )
  })

  it('are subdomains of at most 253 bytes that match the pattern', () => {
    fc.assert(
      fc.property(text, (value) => {
        expect(dnsSubdomainProblems(value).length === 0).toBe(
          whole(`${LABEL}(\\.${LABEL})*`).test(value) && bytes(value) <= 253,
        )
      }),
    )
  })

  it('as label values follow the same rules', () => {
    fc.assert(
      fc.property(text, (value) => {
        expect(labelValueProblems(value).length === 0).toBe(
          whole(`(${QUALIFIED})?`).test(value) && bytes(value) <= 63,
        )
      }),
    )
  })

  it('as keys without a prefix follow the same rules', () => {
    fc.assert(
      fc.property(
        text.filter((value) => !value.includes('/')),
        (value) => {
          expect(qualifiedNameProblems(value).length === 0).toBe(
            whole(QUALIFIED).test(value) && bytes(value) <= 63,
          )
        },
      ),
    )
  })

  it('report both errors of a doubly invalid name', () => {
    expect(dnsLabelProblems(`${'a'.repeat(64)}.b`)).toEqual([
      'must be no more than 63 characters',
      'must not contain dots',
    ])
  })
})
