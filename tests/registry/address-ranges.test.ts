import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isStrictlyWithin } from '../../src/engine/validation/addresses'
import {
  domainPathErrors,
  fullDomainErrors,
  hostNameErrors,
} from '../../src/engine/validation/hosts'

const dotted = (value: number): string =>
  [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.')

describe('a range within another', () => {
  it('has a longer prefix that begins with the other one', () => {
    const range = fc.record({
      address: fc.integer({ min: 0, max: 0xffffffff }),
      length: fc.nat(32),
    })
    const bits = (address: number) => address.toString(2).padStart(32, '0')
    // Half of the pairs share their address, because random ranges rarely contain each other.
    fc.assert(
      fc.property(range, range, fc.boolean(), (outer, other, related) => {
        const inner = related ? { ...other, address: outer.address } : other
        const expected =
          inner.length > outer.length &&
          bits(inner.address).startsWith(bits(outer.address).slice(0, outer.length))
        const text = ({ address, length }: typeof inner) => `${dotted(address)}/${length}`
        expect(isStrictlyWithin(text(inner), text(outer))).toBe(expected)
        const v6 = ({ address, length }: typeof inner) =>
          `64:ff9b::${dotted(address)}/${length + 96}`
        expect(isStrictlyWithin(v6(inner), v6(outer))).toBe(expected)
      }),
    )
  })

  it.each([
    ['2001:db8:1::/48', '2001:db8::/32', true],
    ['2001:db9::/48', '2001:db8::/32', false],
    ['::1/128', '::/0', true],
    ['10.0.0.0/24', '::/0', false],
  ])('%s in %s: %s', (inner, outer, within) => expect(isStrictlyWithin(inner, outer)).toBe(within))
})

describe('names of hosts', () => {
  it('may begin with a wildcard where that is allowed', () => {
    expect(hostNameErrors('host', '*.example.com', true)).toEqual([])
    expect(hostNameErrors('host', '*.example.com', false)).toHaveLength(1)
    expect(hostNameErrors('host', 'a.*.com', true)).toHaveLength(1)
  })

  it('are whole with two parts, and may end with a dot', () => {
    expect(fullDomainErrors('name', 'example.com.')).toEqual([])
    expect(fullDomainErrors('name', 'example').map(({ detail }) => detail)).toEqual([
      'Invalid value: "example": should be a domain with at least two segments separated by dots',
    ])
  })

  it.each([
    ['acme.io/foo', []],
    ['', ['Required value']],
    ['/foo', ['Invalid value: "/foo": must be a domain-prefixed path (such as "acme.io/foo")']],
    [
      'acme.io/',
      ['Invalid value: "acme.io/": must be a domain-prefixed path (such as "acme.io/foo")'],
    ],
  ])('%s under a domain', (name, details) =>
    expect(domainPathErrors('field', name).map(({ detail }) => detail)).toEqual(details),
  )
})
