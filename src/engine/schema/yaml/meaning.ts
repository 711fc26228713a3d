/**
 * Plain scalars as in kube-apiserver: YAML 1.1 (yaml.org type repository) without sexagesimal
 * numbers.
 */
import { YamlSyntaxError } from './errors'

const WORDS = new Map<string, boolean | null>()
for (const word of ['y', 'yes', 'true', 'on']) addSpellings(word, true)
for (const word of ['n', 'no', 'false', 'off']) addSpellings(word, false)
addSpellings('null', null)
WORDS.set('~', null)
WORDS.set('', null)

/** `yes`, `Yes`, `YES` */
function addSpellings(word: string, value: boolean | null): void {
  WORDS.set(word, value)
  WORDS.set(word.charAt(0).toUpperCase() + word.slice(1), value)
  WORDS.set(word.toUpperCase(), value)
}

const NOT_FINITE = new Map<string, number>()
for (const [word, value] of [
  ['inf', Number.POSITIVE_INFINITY],
  ['nan', Number.NaN],
] as const) {
  for (const spelling of [word, word === 'nan' ? 'NaN' : 'Inf', word.toUpperCase()]) {
    NOT_FINITE.set(`.${spelling}`, value)
    if (word === 'inf') NOT_FINITE.set(`+.${spelling}`, value).set(`-.${spelling}`, -value)
  }
}

const INTEGER = /^[-+]?(?:0b[01]+|0o?[0-7]+|0x[0-9a-fA-F]+|0|[1-9]\d*)$/i
const DECIMAL = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/

/** Not exact as a JavaScript number. */
export class LargeInteger {
  constructor(readonly value: bigint) {}
}

/** Dates stay text; underscores between digits are ignored. */
export function plainValue(text: string): null | boolean | number | string | LargeInteger {
  const word = WORDS.get(text)
  if (word !== undefined) return word
  const notFinite = NOT_FINITE.get(text)
  if (notFinite !== undefined) return notFinite
  if (!/^[-+.\d]/.test(text)) return text
  const digits = text.replaceAll('_', '')
  const value = INTEGER.test(digits)
    ? integer(digits)
    : DECIMAL.test(digits)
      ? Number(digits)
      : undefined
  return value === undefined || (typeof value === 'number' && !Number.isFinite(value))
    ? text
    : value
}

const TYPES = ['str', 'int', 'float', 'bool', 'null', 'timestamp'] as const
type Type = (typeof TYPES)[number]

const TIMESTAMP =
  /^\d{4}-\d{1,2}-\d{1,2}(?:[Tt]\d{1,2}:\d{1,2}:\d{1,2}(?:\.\d+)?(?:Z|[-+]\d{2}:\d{2})| \d{1,2}:\d{1,2}:\d{1,2}(?:\.\d+)?)?$/

/**
 * `!!int "12"`. Ignores other tags.
 * @param tag in full: `tag:yaml.org,2002:int`
 * @throws YamlSyntaxError if the text does not fit the tag
 */
export function taggedValue(tag: string, text: string): ReturnType<typeof plainValue> {
  const wanted = TYPES.find((type) => tag === `tag:yaml.org,2002:${type}`)
  if (wanted === undefined || wanted === 'str') return text
  if (wanted === 'timestamp' && TIMESTAMP.test(text)) return text
  const value = plainValue(text)
  const found = typeOf(value, text)
  if (found === wanted || (found === 'int' && wanted === 'float')) return value
  throw new YamlSyntaxError(`cannot decode !!${found} \`${text}\` as a !!${wanted}`)
}

/** @param text as written, which distinguishes `1.0` from `1` */
export function typeOf(value: ReturnType<typeof plainValue>, text: string): Type {
  if (value === null) return 'null'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'string') return 'str'
  const isInteger =
    value instanceof LargeInteger || (INTEGER.test(text.replaceAll('_', '')) && isOf64Bits(value))
  return isInteger ? 'int' : 'float'
}

const isOf64Bits = (value: number): boolean => value < 2 ** 64 && value >= -(2 ** 63)

/** 64 binary digits, a prefix, and some leading zeros. */
const LONGEST_INTEGER = 100

export const LARGEST_SIGNED = 2n ** 63n - 1n
const LARGEST_UNSIGNED = 2n ** 64n - 1n
const SMALLEST_SIGNED = -(2n ** 63n)

/**
 * `0755` and `0o755` are octal. Decimal numbers beyond 64 bits are floats.
 * @returns undefined for other texts
 */
function integer(digits: string): number | LargeInteger | undefined {
  const negative = digits.startsWith('-')
  const unsigned = digits.replace(/^[-+]/, '').toLowerCase()
  const prefixed = /^0[0-7]+$/.test(unsigned) ? `0o${unsigned.slice(1)}` : unsigned
  const literal = prefixed.replace(/^(0[box])0+(?=.)/, '$1')
  // BigInt of millions of digits is slow.
  const magnitude = literal.length > LONGEST_INTEGER ? undefined : BigInt(literal)
  const value = magnitude !== undefined && negative ? -magnitude : magnitude
  if (value === undefined || value > LARGEST_UNSIGNED || value < SMALLEST_SIGNED)
    return DECIMAL.test(digits) ? Number(digits) : undefined
  return Number.isSafeInteger(Number(value)) ? Number(value) : new LargeInteger(value)
}
