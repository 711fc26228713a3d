/** `format` (policy-cel-lib). */
import { entryOf } from '../../core/object'
import { formatDouble } from '../../schema/go-number'
import { goQuote } from '../../schema/go-text'
import { toText } from '../values/conversions'
import { formatDuration, formatTimestamp } from '../values/time'
import {
  Duration,
  EvaluationError,
  ListValue,
  MapValue,
  Timestamp,
  TypeValue,
  typeNameOf,
  UInt,
  type Value,
} from '../values/value'

export type FormatPart = string | { verb: string; precision: number | undefined }

const VERBS: ReadonlySet<string> = new Set(['s', 'd', 'f', 'e', 'b', 'x', 'X', 'o'])

export function readFormat(format: string): FormatPart[] | { problem: string } {
  const parts: FormatPart[] = []
  const rest = /%(%|(\.)?(\d*)([\s\S]?))|[^%]+/gu
  for (const [whole, clause, dot, digits, verb] of format.matchAll(rest)) {
    if (clause === undefined) parts.push(whole)
    else if (clause === '%') parts.push('%')
    else if (clause === '') return { problem: 'unexpected end of string' }
    else if (dot !== undefined && digits === '') {
      return {
        problem: `${CLAUSE}error while parsing precision: error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax`,
      }
    } else if (verb === '' && dot !== undefined)
      return {
        problem: `${CLAUSE}error while parsing precision: could not find end of precision specifier`,
      }
    else if (dot === undefined && digits !== '')
      return { problem: `${CLAUSE}unrecognized formatting clause "${digits?.[0]}"` }
    else if (!VERBS.has(verb as string))
      return { problem: `${CLAUSE}unrecognized formatting clause "${firstByte(verb as string)}"` }
    else
      parts.push({
        verb: verb as string,
        precision: dot === undefined ? undefined : Number(digits),
      })
  }
  return parts
}

/** cel-go reads a format byte by byte. */
const firstByte = (verb: string): string =>
  String.fromCharCode(new TextEncoder().encode(verb)[0] ?? 0)

const CLAUSE = 'could not parse formatting clause: '

export function formatText(format: string, values: ListValue): Value {
  const parts = readFormat(format)
  if ('problem' in parts) return new EvaluationError(parts.problem)
  let text = ''
  let next = 0
  for (const part of parts) {
    if (typeof part === 'string') {
      text += part
      continue
    }
    if (next >= values.size) return new EvaluationError(`index ${next} out of range`)
    const formatted = formatOne(part.verb, part.precision, values.at(next++))
    if (formatted instanceof EvaluationError) return formatted
    text += formatted
  }
  return text
}

const wrong = (what: string, given: string): EvaluationError =>
  new EvaluationError(`error during formatting: ${misfit(what)}, was given ${given}`)

const misfit = (verb: string): string => entryOf(TAKES, verb)?.problem ?? ''

const NUMBERS = ['int', 'uint']

export const TAKES: Readonly<Record<string, { types: readonly string[]; problem: string }>> = {
  s: {
    types: [
      'string',
      'bool',
      'bytes',
      'int',
      'uint',
      'double',
      'map',
      'list',
      'type',
      'null_type',
      'google.protobuf.Duration',
      'google.protobuf.Timestamp',
    ],
    problem:
      'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
  },
  d: { types: NUMBERS, problem: 'decimal clause can only be used on integers' },
  f: { types: ['double'], problem: 'fixed-point clause can only be used on doubles' },
  e: { types: ['double'], problem: 'scientific clause can only be used on doubles' },
  b: { types: [...NUMBERS, 'bool'], problem: 'only integers and bools can be formatted as binary' },
  x: {
    types: [...NUMBERS, 'string', 'bytes'],
    problem: 'only integers, byte buffers, and strings can be formatted as hex',
  },
  X: {
    types: [...NUMBERS, 'string', 'bytes'],
    problem: 'only integers, byte buffers, and strings can be formatted as hex',
  },
  o: { types: NUMBERS, problem: 'octal clause can only be used on integers' },
}

const NOT_FINITE: Readonly<Record<string, number>> = {
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  '-Infinity': Number.NEGATIVE_INFINITY,
}

function formatOne(
  verb: string,
  precision: number | undefined,
  value: Value,
): string | EvaluationError {
  switch (verb) {
    case 's':
      return textOf(value)
    case 'd':
      return typeof value === 'bigint' || value instanceof UInt
        ? String(whole(value))
        : wrong('d', typeNameOf(value))
    case 'f':
    case 'e': {
      const number = typeof value === 'string' ? entryOf(NOT_FINITE, value) : value
      if (typeof number !== 'number') return wrong(verb, typeNameOf(value))
      if (!Number.isFinite(number)) return Number.isNaN(number) ? 'NaN' : number > 0 ? '∞' : '-∞'
      return verb === 'f' ? grouped(fixedText(number, precision ?? DECIMALS)) : scientific(number)
    }
    case 'b':
      if (typeof value === 'boolean') return value ? '1' : '0'
      return inBase(verb, 2, value)
    case 'o':
      return inBase(verb, 8, value)
    default:
      return hexadecimal(verb, value)
  }
}

const whole = (value: bigint | UInt): bigint => (value instanceof UInt ? value.value : value)

function inBase(verb: string, base: number, value: Value): string | EvaluationError {
  return typeof value === 'bigint' || value instanceof UInt
    ? whole(value).toString(base)
    : wrong(verb, typeNameOf(value))
}

function hexadecimal(verb: string, value: Value): string | EvaluationError {
  const bytes = typeof value === 'string' ? new TextEncoder().encode(value) : value
  const text =
    bytes instanceof Uint8Array
      ? Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
      : inBase(verb, 16, value)
  return typeof text === 'string' && verb === 'X' ? text.toUpperCase() : text
}

const DECIMALS = 6

/** Rounds half to even. */
function fixedText(number: number, decimals: number): string {
  const size = Math.abs(number)
  const { mantissa, power } = partsOf(size)
  const steps = mantissa * 10n ** BigInt(decimals)
  const digits = (power >= 0 ? steps << BigInt(power) : halved(steps, BigInt(-power)))
    .toString()
    .padStart(decimals + 1, '0')
  const text = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
  return number < 0 ? `-${text}` : text
}

function partsOf(size: number): { mantissa: bigint; power: number } {
  let power = 0
  let mantissa = size
  for (; !Number.isInteger(mantissa); power--) mantissa *= 2
  return { mantissa: BigInt(mantissa), power }
}

/** Rounds half to even. */
function halved(value: bigint, times: bigint): bigint {
  const down = value >> times
  const twice = (value - (down << times)) * 2n
  const whole = 1n << times
  return twice > whole || (twice === whole && down % 2n === 1n) ? down + 1n : down
}

function grouped(text: string): string {
  const [integer = '', fraction] = text.split('.')
  const sign = integer.startsWith('-') ? '-' : ''
  const digits = integer.slice(sign.length)
  if (!/^\d+$/.test(digits)) return text
  const first = digits.length % 3 || 3
  const others = digits.slice(first).match(/\d{3}/g) ?? []
  const groups = sign + [digits.slice(0, first), ...others].join(',')
  return fraction === undefined ? groups : `${groups}.${fraction}`
}

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹'

/** `1.500000 × 10⁰³` with narrow no-break spaces. cel-go ignores the precision (policy-cel-lib). */
function scientific(number: number): string {
  const [mantissa = '', exponent = '0'] = number.toExponential(DECIMALS).split('e')
  const digits = Array.from(
    String(Math.abs(Number(exponent))).padStart(2, '0'),
    (digit) => SUPERSCRIPTS[Number(digit)],
  ).join('')
  return `${mantissa}\u202f×\u202f10${exponent.startsWith('-') ? '⁻' : ''}${digits}`
}

/** Always six decimals. */
function numberInside(number: number): string {
  if (!Number.isFinite(number)) return goQuote(formatDouble(number))
  const text = fixedText(number, DECIMALS)
  return Object.is(number, -0) ? `-${text}` : text
}

function bytesText(bytes: Uint8Array): string | EvaluationError {
  const text = toText(bytes)
  if (!(text instanceof EvaluationError)) return text as string
  return new EvaluationError(
    `error during formatting: could not convert argument "${text.message}" to string`,
  )
}

/** As `%s`. Quotes texts inside lists and maps. */
function textOf(value: Value, inside = false): string | EvaluationError {
  if (value === null) return 'null'
  switch (typeof value) {
    case 'string':
      return inside ? goQuote(value) : value
    case 'boolean':
    case 'bigint':
      return String(value)
    case 'number':
      return inside ? numberInside(value) : formatDouble(value)
  }
  if (value instanceof UInt) return String(value.value)
  if (value instanceof Uint8Array) {
    const text = bytesText(value)
    return inside && typeof text === 'string' ? `b${goQuote(text)}` : text
  }
  if (value instanceof Duration)
    return inside ? `duration("${formatDuration(value)}")` : formatDuration(value)
  if (value instanceof Timestamp)
    return inside ? `timestamp("${formatTimestamp(value)}")` : formatTimestamp(value)
  if (value instanceof TypeValue) return value.name
  if (value instanceof ListValue) return listText(value)
  if (value instanceof MapValue) return mapText(value)
  if (inside)
    return new EvaluationError(
      `error during formatting: no formatting function for ${typeNameOf(value)}`,
    )
  return wrong('s', typeNameOf(value))
}

function listText(list: ListValue): string | EvaluationError {
  const items: string[] = []
  for (const item of list) {
    const text = textOf(item, true)
    if (text instanceof EvaluationError) return text
    items.push(text)
  }
  return `[${items.join(', ')}]`
}

const KEYS: ReadonlySet<string> = new Set(['string', 'bool', 'int', 'uint'])

function mapText(map: MapValue): string | EvaluationError {
  const entries: [string, string][] = []
  for (const key of map.keys()) {
    if (!KEYS.has(typeNameOf(key))) {
      return new EvaluationError(
        `error during formatting: no formatting function for map key of type ${typeNameOf(key)}`,
      )
    }
    const name = textOf(key, true)
    if (name instanceof EvaluationError) return name
    const value = map.find(key)
    if (value === undefined)
      return new EvaluationError(`error during formatting: could not find key: ${name}`)
    const text = textOf(value, true)
    if (text instanceof EvaluationError) return text
    entries.push([name, text])
  }
  entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  return `{${entries.map(([name, text]) => `${name}:${text}`).join(', ')}}`
}
