/**
 * A quantity as Go's structure holds it: a number that is plain enough as value and power of ten, with its text where that is known
 * to be canonical; any other as a decimal of arbitrary length in billionths.
 */
import { isKeptAsText, parseQuantity, type Quantity } from '../../schema/quantity'

const SHAPE = /^([+-]?)(\d*)(?:\.(\d*))?(.*)$/
const BINARY_POWERS: Record<string, number> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 }
/** Digits that surely fit 64 bits: of decimal quantities, and of binary ones. */
const DECIMAL_DIGITS = 18
const BINARY_DIGITS = 14
const SMALLEST = -9
const LARGEST = 2n ** 63n - 1n

/** @param text in canonical form, `500m` */
export function dumpedQuantity(text: string): string {
  const quantity = parseQuantity(text)
  const plain = plainAmount(text, quantity)
  const format = `Format:(resource.Format)${quantity.format}`
  if (plain !== undefined) return dumped(plain.value, plain.scale, '<nil>', text === '0' || isKeptAsText(text) ? text : '', format)
  return dumped(0n, 0, `{unscaled:(big.Int)${dumpedInteger(billionths(quantity))} scale:(inf.Scale)9}`, '', format)
}

function dumped(value: bigint, scale: number, decimal: string, text: string, format: string): string {
  const amount = `{value:(int64)${value} scale:(resource.Scale)${scale}}`
  return `{i:(resource.int64Amount)${amount} d:(resource.infDecAmount){Dec:(*inf.Dec)${decimal}} s:(string)${text} ${format}}`
}

function plainAmount(text: string, { format }: Quantity): { value: bigint; scale: number } | undefined {
  const [, sign = '', whole = '', decimals = '', suffix = ''] = SHAPE.exec(text) ?? []
  const digits = whole.replace(/^0+(?=.)/, '')
  const number = BigInt(`${sign === '-' ? sign : ''}${digits || '0'}${decimals}`)
  if (format !== 'BinarySI') {
    const scale = decimalPower(suffix) - decimals.length
    return DECIMAL_DIGITS >= digits.length + decimals.length && scale >= SMALLEST ? { value: number, scale } : undefined
  }
  const power = BINARY_POWERS[suffix] ?? 0
  if (decimals !== '' || BINARY_DIGITS < digits.length + Math.trunc((power * 3) / 10)) return undefined
  const value = number << BigInt(power)
  return value <= LARGEST ? { value, scale: 0 } : undefined
}

function decimalPower(suffix: string): number {
  if (suffix === '') return 0
  const step = 'num kMGTPE'.indexOf(suffix)
  return step >= 0 ? (step - 3) * 3 : Number(suffix.slice(1))
}

function billionths({ mantissa, exponent }: Quantity): bigint {
  return mantissa * 10n ** BigInt(exponent + 9)
}

function dumpedInteger(value: bigint): string {
  const words: bigint[] = []
  for (let rest = value < 0n ? -value : value; rest > 0n; rest >>= 64n) words.push(rest & 0xffff_ffff_ffff_ffffn)
  return `{neg:(bool)${value < 0n} abs:(big.nat)[${words.join(' ')}]}`
}
