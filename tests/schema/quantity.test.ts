import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  formatQuantity,
  multiplyQuantity,
  notationOf,
  parseQuantity,
  quantityOf,
  quantityUnits,
  roundUpQuantity,
  subtractQuantities,
} from '../../src/engine/schema/quantity'

describe('quantities', () => {
  it.each([
    ['1000m', '1'],
    ['0.5', '500m'],
    ['00.5', '500m'],
    ['1.5', '1500m'],
    ['1024Mi', '1Gi'],
    ['131072Ki', '128Mi'],
    ['1.5Gi', '1536Mi'],
    ['0.5Gi', '512Mi'],
    ['0.1Ki', '102400m'],
    ['0.1Gi', '107374182400m'],
    ['1e20', '100e18'],
    ['1e-1', '100e-3'],
    ['.5e3', '500'],
    ['100u', '100u'],
    ['0', '0'],
    ['Mi', '0'],
    ['.', '0'],
    ['1500m', '1500m'],
    ['64Mi', '64Mi'],
    ['-1', '-1'],
    ['1000000', '1M'],
    ['123456789', '123456789'],
    ['12E', '12E'],
    ['Ti', '0'],
    ['99999999999999999999', '99999999999999999999'],
    ['7Ei', '7Ei'],
    ['999Ei', '9223372036854775807'],
    ['-999000E', '-999'],
  ])('writes %s as %s', (text, canonical) => {
    expect(canonicalQuantity(text)).toBe(canonical)
  })

  it.each(['Pi', 'Ei', '.Ei', '+Ei', 'e-31'])(
    'rejects %s: without a digit only a suffix below one is zero',
    (text) => {
      expect(() => parseQuantity(text)).toThrow('unable to parse numeric part of quantity')
    },
  )

  it('keeps a canonical spelling', () => {
    for (const text of ['+1', '1.', '1E3', '1.500']) expect(canonicalQuantity(text)).toBe(text)
    expect(canonicalQuantity(' 1 ')).toBe('1')
  })

  it.each(['', 'one', '1 Gi', '1GB', 'true', '{}', '1.5.5'])('rejects %j', (text) => {
    expect(() => canonicalQuantity(text)).toThrow(
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    )
  })

  it.each(['128ki', '1KM', '1e', '1-5', '--1', '1mm'])('rejects the suffix of %s', (text) => {
    expect(() => canonicalQuantity(text)).toThrow("unable to parse quantity's suffix")
  })

  it('rounds away from zero beyond a billionth', () => {
    expect(canonicalQuantity('0.0000000001')).toBe('1n')
    expect(canonicalQuantity('1e-100')).toBe('1e-9')
    expect(formatQuantity(roundUpQuantity(parseQuantity('100u'), 3))).toBe('1m')
    expect(formatQuantity(roundUpQuantity(parseQuantity('1.23456789'), 3))).toBe('1235m')
  })

  const texts = fc
    .tuple(
      fc.integer({ min: -1_000_000, max: 1_000_000 }),
      fc.constantFrom('', 'm', 'u', 'k', 'M', 'G', 'Ki', 'Mi', 'Gi', 'e3'),
    )
    .map(([n, suffix]) => `${n}${suffix}`)
  /** The value in billionths, computed directly. */
  const billionths = (text: string): bigint => {
    const [, number = '', suffix = ''] = /^(-?\d+)(.*)$/.exec(text) ?? []
    const decimal: Record<string, bigint> = {
      '': 10n ** 9n,
      m: 10n ** 6n,
      u: 10n ** 3n,
      k: 10n ** 12n,
      M: 10n ** 15n,
      G: 10n ** 18n,
      e3: 10n ** 12n,
    }
    const binary: Record<string, bigint> = { Ki: 2n ** 10n, Mi: 2n ** 20n, Gi: 2n ** 30n }
    return BigInt(number) * (decimal[suffix] ?? (binary[suffix] ?? 0n) * 10n ** 9n)
  }

  it('round-trip through their canonical form', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const canonical = canonicalQuantity(text)
        expect(canonicalQuantity(canonical)).toBe(canonical)
        expect(quantityUnits(parseQuantity(canonical), 9)).toBe(billionths(text))
      }),
    )
  })

  it('compare, add and subtract exactly', () => {
    fc.assert(
      fc.property(texts, texts, (a, b) => {
        const [x, y] = [parseQuantity(a), parseQuantity(b)]
        expect(Math.sign(compareQuantities(x, y))).toBe(
          billionths(a) < billionths(b) ? -1 : billionths(a) > billionths(b) ? 1 : 0,
        )
        expect(quantityUnits(addQuantities(x, y), 9)).toBe(billionths(a) + billionths(b))
        expect(quantityUnits(subtractQuantities(x, y), 9)).toBe(billionths(a) - billionths(b))
      }),
    )
  })

  it('keep their format in arithmetic', () => {
    const sum = (a: string, b: string) =>
      formatQuantity(addQuantities(parseQuantity(a), parseQuantity(b)))
    expect(sum('512Mi', '512Mi')).toBe('1Gi')
    expect(sum('600m', '400m')).toBe('1')
    expect(sum('0', '1Gi')).toBe('1Gi')
    expect(formatQuantity(multiplyQuantity(parseQuantity('100m'), 30n))).toBe('3')
    expect(formatQuantity(quantityOf(2048, 'BinarySI'))).toBe('2Ki')
  })

  it('are counted in whole units, rounded up', () => {
    expect(quantityUnits(parseQuantity('1.5'), 3)).toBe(1500n)
    expect(quantityUnits(parseQuantity('1500m'), 0)).toBe(2n)
    expect(quantityUnits(parseQuantity('1Ki'), 0)).toBe(1024n)
  })

  it('handle exponents that would fill the memory if expanded', () => {
    expect(compareQuantities(parseQuantity('1e1000000000'), parseQuantity('1'))).toBeGreaterThan(0)
    expect(formatQuantity(addQuantities(parseQuantity('1e999999999'), parseQuantity('1')))).toBe(
      '1e999999999',
    )
  })
})

describe('the internal form of a quantity', () => {
  it.each([
    ['1500m', 1500n, -3, '1500m'],
    ['0.25', 25n, -2, ''],
    ['1000', 1000n, 0, ''],
    ['7Mi', 7340032n, 0, '7Mi'],
    ['8Mi', 8388608n, 0, ''],
    ['0', 0n, 0, '0'],
    ['0k', 0n, 3, ''],
  ])('%s: digits, power of ten and the cached string', (written, value, scale, text) => {
    expect(notationOf(written)).toMatchObject({ plain: { value, scale }, text })
  })
  it.each(['1.5Gi', '1Pi', '1234567890123456789'])('%s does not fit the int64 form', (written) => {
    expect(notationOf(written)).toMatchObject({ plain: undefined, text: '' })
  })
})
