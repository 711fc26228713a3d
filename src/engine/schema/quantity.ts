/** Exact arithmetic with quantities: `100m`, `64Mi`, `1e3`. */

import { entryOf } from '../core/object'
import { withoutTrailing } from '../core/text-end'
import { FormatError } from './format-error'
import { memoize } from './memoize'

export type QuantityFormat = 'DecimalSI' | 'BinarySI' | 'DecimalExponent'

/** `mantissa` times 10^`exponent`; the exponent is at least -9. */
export interface Quantity {
  readonly mantissa: bigint
  readonly exponent: number
  readonly format: QuantityFormat
}

/** Recording `core-pods-invalid`. */
export const WRONG_FORMAT =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
const WRONG_NUMBER = 'unable to parse numeric part of quantity'
const WRONG_SUFFIX = "unable to parse quantity's suffix"

const DECIMAL_SUFFIXES: Record<string, number> = {
  n: -9,
  u: -6,
  m: -3,
  '': 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
}
const BINARY_SUFFIXES: Record<string, number> = { Ki: 1, Mi: 2, Gi: 3, Ti: 4, Pi: 5, Ei: 6 }
const SMALLEST_EXPONENT = -9
/** Caps binary quantities beyond the compact representation. */
const LARGEST = 2n ** 63n - 1n

/** Sign, digits (maybe none), decimals, suffix or exponent. Recorded from kube-apiserver 1.31. */
const SHAPE = /^([+-]?)0*((?:[1-9]\d*)?)(?:\.(\d*))?((?:(?:[eEinumkKMGTP]+[-+]?|[-+])\d*)?)$/

interface Parts {
  negative: boolean
  /** At least one digit, without leading zeros. */
  digits: string
  decimals: string
  unit: Unit
}

/** @throws FormatError with kube-apiserver's message */
export const parseQuantity = memoize(
  (text: string): Quantity => quantityOfParts(readParts(text.trim())),
)

/** In kube-apiserver, with trailing zeros. @throws FormatError */
export function writtenExponent(text: string): number {
  const parts = readParts(text.trim())
  if (!isPlain(parts)) return SMALLEST_EXPONENT
  return parts.unit.format === 'BinarySI' ? 0 : parts.unit.power - parts.decimals.length
}

/**
 * The text in responses. Keeps texts that need no other unit (`+1`, `1.`, `1E3`; recording
 * `core-pods-invalid`).
 * @throws FormatError
 */
export function canonicalQuantity(text: string): string {
  if (ALREADY_CANONICAL.test(text)) return text
  const trimmed = text.trim()
  const parts = readParts(trimmed)
  return keepsItsText(parts) ? trimmed : formatQuantity(quantityOfParts(parts))
}

/** Short numbers with the largest possible suffix. */
const ALREADY_CANONICAL = /^(?:[1-9]\d{0,2}(?:[num]|[kMGTPE]|[KMGTP]i)?|0)$/

function keepsItsText({ digits, decimals, unit }: Parts): boolean {
  const number = digits + decimals
  const exponent = unit.power - decimals.length
  if (!fitsPlainly(digits, decimals, unit)) return false
  if (unit.format === 'BinarySI') return BigInt(number) % 8n !== 0n
  return (
    exponent >= SMALLEST_EXPONENT &&
    exponent % 3 === 0 &&
    !number.endsWith('000') &&
    !number.startsWith('0')
  )
}

/** A quantity as kube-apiserver holds it. */
export interface Notation {
  /** The compact representation, unless there are too many digits, or binary fractions. */
  readonly plain: { readonly value: bigint; readonly scale: number } | undefined
  /** The cached text; empty unless canonical. */
  readonly text: string
  readonly format: QuantityFormat
}

/** Recorded from kube-apiserver 1.31. @throws FormatError */
export function notationOf(text: string): Notation {
  const trimmed = text.trim()
  const parts = readParts(trimmed)
  const { negative, digits, decimals, unit } = parts
  const { format, power } = unit
  if (!isPlain(parts)) return { plain: undefined, text: '', format }
  const binary = format === 'BinarySI'
  const amount = BigInt(digits + decimals) * (binary ? 1024n ** BigInt(power) : 1n)
  const plain = { value: negative ? -amount : amount, scale: binary ? 0 : power - decimals.length }
  // `recordRounded` marks computed amounts, which have no cached text, with a leading space.
  const isKept = text === trimmed && (text === '0' || keepsItsText(parts))
  return { plain, text: isKept ? text : '', format }
}

/** Exact arithmetic is slower than linear. */
const MAX_CHARACTERS = 10_000

function readParts(text: string): Parts {
  if (text.length > MAX_CHARACTERS) throw new FormatError(WRONG_NUMBER)
  const shape = SHAPE.exec(text)
  if (shape === null || text === '') throw new FormatError(WRONG_FORMAT)
  const [, sign, digits, decimals = '', suffix = ''] = shape
  const parts = {
    negative: sign === '-',
    digits: digits || '0',
    decimals,
    unit: readSuffix(suffix),
  }
  // Without digits only zero in the compact representation is valid. See k8s.io/apimachinery,
  // pkg/api/resource.
  if (!/^[+-]?\.?\d/.test(text) && !isPlain(parts)) throw new FormatError(WRONG_NUMBER)
  return parts
}

const isPlain = ({ digits, decimals, unit }: Parts): boolean =>
  fitsPlainly(digits, decimals, unit) &&
  (unit.format === 'BinarySI' || unit.power - decimals.length >= SMALLEST_EXPONENT)

function quantityOfParts({ negative, digits, decimals, unit }: Parts): Quantity {
  const { mantissa, exponent } = scaled(digits, decimals, unit)
  return { ...normalized(negative ? -mantissa : mantissa, exponent), format: unit.format }
}

interface Unit {
  format: QuantityFormat
  /** Of ten, or of 1024 for binary suffixes. */
  power: number
}

function readSuffix(suffix: string): Unit {
  const binary = entryOf(BINARY_SUFFIXES, suffix)
  if (binary !== undefined) return { format: 'BinarySI', power: binary }
  const decimal = entryOf(DECIMAL_SUFFIXES, suffix)
  if (decimal !== undefined) return { format: 'DecimalSI', power: decimal }
  const exponent = /^[eE]([-+]?\d+)$/.exec(suffix)
  if (exponent === null) throw new FormatError(WRONG_SUFFIX)
  return { format: 'DecimalExponent', power: Number(exponent[1]) }
}

/** Rounds away from zero at 10^-9, so a positive amount stays positive. */
function scaled(
  digits: string,
  decimals: string,
  unit: Unit,
): { mantissa: bigint; exponent: number } {
  const binary = unit.format === 'BinarySI'
  const mantissa = BigInt(digits + decimals) * (binary ? 1024n ** BigInt(unit.power) : 1n)
  const exponent = (binary ? 0 : unit.power) - decimals.length
  if (exponent >= SMALLEST_EXPONENT && fitsPlainly(digits, decimals, unit))
    return { mantissa, exponent }
  const rounded = roundedUp(mantissa, exponent)
  return binary ? capped(rounded) : rounded
}

/** The compact representation has 18 digits; only larger binary amounts are capped. */
function fitsPlainly(digits: string, decimals: string, unit: Unit): boolean {
  if (unit.format !== 'BinarySI') return digits.length + decimals.length <= 18
  return decimals === '' && digits.length + unit.power * 3 + 1 <= 15
}

function roundedUp(mantissa: bigint, exponent: number): { mantissa: bigint; exponent: number } {
  const excess = SMALLEST_EXPONENT - exponent
  if (excess <= 0 || mantissa === 0n)
    return { mantissa, exponent: Math.max(exponent, SMALLEST_EXPONENT) }
  if (excess > mantissa.toString().length) return { mantissa: 1n, exponent: SMALLEST_EXPONENT }
  const step = 10n ** BigInt(excess)
  return { mantissa: (mantissa + step - 1n) / step, exponent: SMALLEST_EXPONENT }
}

function capped(value: { mantissa: bigint; exponent: number }): {
  mantissa: bigint
  exponent: number
} {
  return compare(
    { ...value, format: 'DecimalSI' },
    { mantissa: LARGEST, exponent: 0, format: 'DecimalSI' },
  ) > 0
    ? { mantissa: LARGEST, exponent: 0 }
    : value
}

function normalized(mantissa: bigint, exponent: number): { mantissa: bigint; exponent: number } {
  if (mantissa === 0n) return { mantissa: 0n, exponent: 0 }
  const digits = mantissa.toString()
  const zeros = digits.length - withoutTrailing(digits, '0').length
  return zeros === 0
    ? { mantissa, exponent }
    : { mantissa: BigInt(digits.slice(0, -zeros)), exponent: exponent + zeros }
}

/**
 * Uses the largest suffix without a fraction. Binary quantities that are fractional or below 1024
 * have decimal suffixes.
 */
export function formatQuantity(quantity: Quantity): string {
  const { mantissa, exponent, format } = quantity
  if (mantissa === 0n) return '0'
  if (format === 'BinarySI' && exponent >= 0 && exponent <= NEGLIGIBLE) {
    const integer = mantissa * 10n ** BigInt(exponent)
    if (integer >= 1024n || integer <= -1024n) return formatBinary(integer)
  }
  return formatDecimal(mantissa, exponent, format === 'DecimalExponent')
}

const BINARY_NAMES = ['', ...Object.keys(BINARY_SUFFIXES)]
const DECIMAL_NAMES = new Map(
  Object.entries(DECIMAL_SUFFIXES).map(([name, power]) => [power, name]),
)

function formatBinary(integer: bigint): string {
  let power = 0
  let rest = integer
  for (; rest % 1024n === 0n && power < BINARY_NAMES.length - 1; power++) rest /= 1024n
  return `${rest}${BINARY_NAMES[power]}`
}

function formatDecimal(mantissa: bigint, exponent: number, scientific: boolean): string {
  const power = Math.floor(exponent / 3) * 3
  const shown = mantissa * 10n ** BigInt(exponent - power)
  if (scientific) return power === 0 ? `${shown}` : `${shown}e${power}`
  // Beyond the last suffix kube-apiserver prints only the digits.
  return `${shown}${DECIMAL_NAMES.get(power) ?? ''}`
}

export function compareQuantities(a: Quantity, b: Quantity): number {
  return compare(a, b)
}

function compare(a: Quantity, b: Quantity): number {
  const [signA, signB] = [signOf(a.mantissa), signOf(b.mantissa)]
  if (signA !== signB || signA === 0) return signA - signB
  const [sizeA, sizeB] = [a, b].map(
    ({ mantissa, exponent }) => magnitudeOf(mantissa) + exponent,
  ) as [number, number]
  if (sizeA !== sizeB) return sizeA > sizeB ? signA : -signA
  const [x, y] = aligned(a, b)
  return x === y ? 0 : x > y ? 1 : -1
}

const signOf = (value: bigint): number => (value === 0n ? 0 : value > 0n ? 1 : -1)
const magnitudeOf = (mantissa: bigint): number =>
  (mantissa < 0n ? -mantissa : mantissa).toString().length

/**
 * Ignores the smaller number above this difference of exponents, so digits do not fill the memory.
 */
const NEGLIGIBLE = 1000

function aligned(a: Quantity, b: Quantity): [a: bigint, b: bigint, exponent: number] {
  if (a.exponent - b.exponent > NEGLIGIBLE) return [a.mantissa, 0n, a.exponent]
  if (b.exponent - a.exponent > NEGLIGIBLE) return [0n, b.mantissa, b.exponent]
  const exponent = Math.min(a.exponent, b.exponent)
  return [
    a.mantissa * 10n ** BigInt(a.exponent - exponent),
    b.mantissa * 10n ** BigInt(b.exponent - exponent),
    exponent,
  ]
}

/** In the format of the first unless that is zero. */
export function addQuantities(a: Quantity, b: Quantity): Quantity {
  const [x, y, exponent] = aligned(a, b)
  return { ...normalized(x + y, exponent), format: a.mantissa === 0n ? b.format : a.format }
}

export function subtractQuantities(a: Quantity, b: Quantity): Quantity {
  return addQuantities(a, { ...b, mantissa: -b.mantissa })
}

/**
 * To a multiple of 10^-`decimals`: resource lists have thousandths (recorded: `100u` becomes `1m`).
 */
export function roundUpQuantity(quantity: Quantity, decimals: number): Quantity {
  if (quantity.exponent >= -decimals) return quantity
  return { ...normalized(quantityUnits(quantity, decimals), -decimals), format: quantity.format }
}

export function multiplyQuantity(quantity: Quantity, factor: bigint): Quantity {
  return { ...normalized(quantity.mantissa * factor, quantity.exponent), format: quantity.format }
}

export const ZERO_QUANTITY: Quantity = { mantissa: 0n, exponent: 0, format: 'DecimalSI' }

export function quantityOf(value: bigint | number, format: QuantityFormat = 'DecimalSI'): Quantity {
  return { ...normalized(BigInt(value), 0), format }
}

/**
 * In units of 10^-`decimals`, rounded away from zero: thousandths of cores with 3, bytes with 0.
 * Limits the zeros to a thousand.
 */
export function quantityUnits(quantity: Quantity, decimals: number): bigint {
  const shift = quantity.exponent + decimals
  if (shift >= 0) return quantity.mantissa * 10n ** BigInt(Math.min(shift, NEGLIGIBLE))
  const step = 10n ** BigInt(-shift)
  const [whole, rest] = [quantity.mantissa / step, quantity.mantissa % step]
  return rest === 0n ? whole : rest > 0n ? whole + 1n : whole - 1n
}
