/** Names are walked sign by sign; what that finds is what the patterns of the messages say. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  dnsLabelProblems,
  dnsSubdomainProblems,
  labelValueProblems,
  qualifiedNameProblems,
} from '../../src/engine/registry/rules/names'

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?'
const QUALIFIED = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'
const whole = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`)

/** Texts of the signs that decide, and now and then others. */
const text = fc.oneof(
  fc
    .array(fc.constantFrom('a', 'z', '0', '9', '-', '.', '_', 'A', 'Z', '/', 'é', '\n', ' '), {
      maxLength: 8,
    })
    .map((signs) => signs.join('')),
  fc.array(fc.constantFrom('a', '0', '-', '.'), { maxLength: 8 }).map((signs) => signs.join('')),
  fc.integer({ min: 60, max: 66 }).map((length) => 'a'.repeat(length)),
  fc.integer({ min: 250, max: 256 }).map((length) => `${'a.'.repeat(length / 2)}b`),
  fc.string(),
)

const bytes = (value: string): number => new TextEncoder().encode(value).length

describe('names', () => {
  it('are labels as the pattern says, of no more than 63 bytes', () => {
    fc.assert(
      fc.property(text, (value) => {
        expect(dnsLabelProblems(value).length === 0).toBe(
          whole(LABEL).test(value) && bytes(value) <= 63,
        )
      }),
    )
  })

  it('are subdomains as the pattern says, of no more than 253 bytes', () => {
    fc.assert(
      fc.property(text, (value) => {
        expect(dnsSubdomainProblems(value).length === 0).toBe(
          whole(`${LABEL}(\\.${LABEL})*`).test(value) && bytes(value) <= 253,
        )
      }),
    )
  })

  it('and values of labels likewise', () => {
    fc.assert(
      fc.property(text, (value) => {
        expect(labelValueProblems(value).length === 0).toBe(
          whole(`(${QUALIFIED})?`).test(value) && bytes(value) <= 63,
        )
      }),
    )
  })

  it('and keys without a prefix', () => {
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

  it('are told of in full when they are wrong in two ways', () => {
    expect(dnsLabelProblems(`${'a'.repeat(64)}.b`)).toEqual([
      'must be no more than 63 characters',
      'must not contain dots',
    ])
  })
})
