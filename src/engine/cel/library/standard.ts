/** The standard definitions (cel-spec, doc/langdef.md, "List of Standard Definitions"). */

import { usedAsFormat } from '../../schema/go-text'
import {
  appends,
  comparesTwo,
  decodesFirst,
  encodesFirst,
  joinsTwo,
  looksThroughSecond,
  matchesPattern,
  searches,
  traversesSecond,
} from '../cost/factors'
import { divide, duration, int, modulo, timestamp, uint } from '../values/arithmetic'
import {
  toBool,
  toDouble,
  toDuration,
  toInt,
  toText,
  toTimestamp,
  toUint,
} from '../values/conversions'
import { compare, equal, equality, noSuchOperation, valueEquality } from '../values/equality'
import { type TimePart, timePart } from '../values/time'
import {
  Duration,
  EvaluationError,
  JoinedList,
  type ListValue,
  type MapValue,
  sizeOf,
  type Timestamp,
  TypeValue,
  typeNameOf,
  type UInt,
  type Value,
} from '../values/value'
import type { FunctionDefinition } from './function'
import type { Library } from './library'
import { findPattern, patternProblem } from './patterns'

type Call = FunctionDefinition['call']

const one = (signature: string, call: Call): FunctionDefinition => ({ signature, call })

/** In cel-go's order: an argument of unknown type takes that of the first overload. */
const arithmetic = (): FunctionDefinition[] => [
  { signature: '_+_(bytes, bytes) -> bytes', call: joinBytes, ...joinsTwo },
  one('_+_(double, double) -> double', (a: number, b: number) => a + b),
  one('_+_(duration, duration) -> duration', (a: Duration, b: Duration) =>
    duration(a.nanoseconds + b.nanoseconds),
  ),
  one('_+_(duration, timestamp) -> timestamp', (a: Duration, b: Timestamp) =>
    timestamp(a.nanoseconds + b.nanoseconds, b.offset),
  ),
  one('_+_(timestamp, duration) -> timestamp', (a: Timestamp, b: Duration) =>
    timestamp(a.nanoseconds + b.nanoseconds, a.offset),
  ),
  one('_+_(int, int) -> int', (a: bigint, b: bigint) => int(a + b)),
  { signature: '_+_(list(T), list(T)) -> list(T)', call: joinLists, ...appends },
  {
    signature: '_+_(string, string) -> string',
    call: (a: string, b: string) => a + b,
    ...joinsTwo,
  },
  one('_+_(uint, uint) -> uint', (a: UInt, b: UInt) => uint(a.value + b.value)),
  one('_-_(double, double) -> double', (a: number, b: number) => a - b),
  one('_-_(duration, duration) -> duration', (a: Duration, b: Duration) =>
    duration(a.nanoseconds - b.nanoseconds),
  ),
  one('_-_(int, int) -> int', (a: bigint, b: bigint) => int(a - b)),
  one('_-_(timestamp, duration) -> timestamp', (a: Timestamp, b: Duration) =>
    timestamp(a.nanoseconds - b.nanoseconds, a.offset),
  ),
  one('_-_(timestamp, timestamp) -> duration', (a: Timestamp, b: Timestamp) =>
    duration(a.nanoseconds - b.nanoseconds),
  ),
  one('_-_(uint, uint) -> uint', (a: UInt, b: UInt) => uint(a.value - b.value)),
  one('_*_(double, double) -> double', (a: number, b: number) => a * b),
  one('_*_(int, int) -> int', (a: bigint, b: bigint) => int(a * b)),
  one('_*_(uint, uint) -> uint', (a: UInt, b: UInt) => uint(a.value * b.value)),
  one('_/_(double, double) -> double', (a: number, b: number) => a / b),
  one('_/_(int, int) -> int', (a: bigint, b: bigint) => divide(a, b, int)),
  one('_/_(uint, uint) -> uint', (a: UInt, b: UInt) => divide(a.value, b.value, uint)),
  one('_%_(int, int) -> int', (a: bigint, b: bigint) => modulo(a, b, int)),
  one('_%_(uint, uint) -> uint', (a: UInt, b: UInt) => modulo(a.value, b.value, uint)),
  { signature: '-_(double) -> double', takesAll: true, call: negated },
  { signature: '-_(int) -> int', takesAll: true, call: negated },
]

/** `-` has no overload for durations, yet cel-go negates one of dynamic type. */
function negated(value: Value): Value {
  if (typeof value === 'number') return -value
  if (typeof value === 'bigint') return int(-value)
  return value instanceof Duration ? duration(-value.nanoseconds) : noSuchOperation('-_', value)
}

function joinBytes(a: Uint8Array, b: Uint8Array): Value {
  const joined = new Uint8Array(a.length + b.length)
  joined.set(a)
  joined.set(b, a.length)
  return joined
}

function joinLists(a: ListValue, b: ListValue): Value {
  if (a.plus !== undefined) return a.plus(b, equal)
  if (a.size === 0) return b
  return b.size === 0 ? a : new JoinedList(a, b)
}

const logic = (): FunctionDefinition[] => [
  one('_?_:_(bool, A, A) -> A', (condition: boolean, yes: Value, no: Value) =>
    condition ? yes : no,
  ),
  one('_&&_(bool, bool) -> bool', (a: boolean, b: boolean) => a && b),
  one('_||_(bool, bool) -> bool', (a: boolean, b: boolean) => a || b),
  one('!_(bool) -> bool', (a: boolean) => !a),
  one('@not_strictly_false(bool) -> bool', (a: boolean) => a),
  { signature: '_==_(A, A) -> bool', takesAll: true, call: equality, ...comparesTwo },
  {
    signature: '_!=_(A, A) -> bool',
    takesAll: true,
    call: (a: Value, b: Value) => !equal(a, b),
    ...comparesTwo,
  },
  { signature: '@in(A, list(A)) -> bool', call: isIn, ...looksThroughSecond },
  one('@in(A, map(A, B)) -> bool', (key: Value, map: MapValue) => {
    const found = map.find(key)
    return found instanceof EvaluationError ? found : found !== undefined
  }),
  one('_[_](list(A), int) -> A', (list: ListValue, index: bigint) => list.at(Number(index))),
  one('_[_](map(A, B), A) -> B', (map: MapValue, key: Value) => map.find(key) ?? null),
]

function isIn(element: Value, list: ListValue): Value {
  const known = list.holds?.(element, valueEquality)
  if (known !== undefined) return known
  const { size } = list
  for (let index = 0; index < size; index++) if (equal(element, list.at(index))) return true
  return false
}

/** Numbers of different types are comparable. */
const ORDERED: readonly string[] = [
  'bool, bool', 'int, int', 'int, double', 'int, uint', 'uint, uint', 'uint, double', 'uint, int', 'double, double', 'double, int',
  'double, uint', 'string, string', 'bytes, bytes', 'timestamp, timestamp', 'duration, duration',
] // biome-ignore format: one table

type Comparison = (a: Value, b: Value) => Value

const COMPARISONS: Readonly<Record<string, Comparison>> = {
  '<': (a, b) =>
    typeof a === 'bigint' && typeof b === 'bigint'
      ? a < b
      : ordered('_<_', a, b, (order) => order < 0),
  '<=': (a, b) =>
    typeof a === 'bigint' && typeof b === 'bigint'
      ? a <= b
      : ordered('_<=_', a, b, (order) => order <= 0),
  '>': (a, b) =>
    typeof a === 'bigint' && typeof b === 'bigint'
      ? a > b
      : ordered('_>_', a, b, (order) => order > 0),
  '>=': (a, b) =>
    typeof a === 'bigint' && typeof b === 'bigint'
      ? a >= b
      : ordered('_>=_', a, b, (order) => order >= 0),
}

/** policy-cel-types */
const NOT_ORDERED = new EvaluationError('NaN values cannot be ordered')

function ordered(operator: string, a: Value, b: Value, holds: (order: number) => boolean): Value {
  const order = compare(a, b)
  if (order instanceof EvaluationError) return noSuchOperation(operator, a)
  return Number.isNaN(order) ? NOT_ORDERED : holds(order)
}

function comparison(operator: string, call: Comparison): FunctionDefinition[] {
  return ORDERED.map((types) => ({
    signature: `_${operator}_(${types}) -> bool`,
    takesAll: true as const,
    call,
    ...(types.startsWith('string') || types.startsWith('bytes') ? comparesTwo : {}),
  }))
}

function conversion(
  name: string,
  result: string,
  from: readonly string[],
  call: (value: Value) => Value,
): FunctionDefinition[] {
  return from.map((type) => ({
    signature: `${name}(${type}) -> ${result}`,
    call,
    ...(name === 'string' && type === 'bytes'
      ? decodesFirst
      : name === 'bytes' && type === 'string'
        ? encodesFirst
        : {}),
  }))
}

const conversions = (): FunctionDefinition[] => [
  ...conversion('int', 'int', ['int', 'double', 'duration', 'string', 'timestamp', 'uint'], toInt),
  ...conversion('uint', 'uint', ['uint', 'double', 'int', 'string'], toUint),
  ...conversion('double', 'double', ['double', 'int', 'string', 'uint'], toDouble),
  ...conversion('bool', 'bool', ['bool', 'string'], toBool),
  ...conversion(
    'string',
    'string',
    ['string', 'bool', 'bytes', 'double', 'duration', 'int', 'timestamp', 'uint'],
    toText,
  ),
  ...conversion('bytes', 'bytes', ['bytes', 'string'], (value) =>
    typeof value === 'string' ? new TextEncoder().encode(value) : value,
  ),
  ...conversion('duration', 'duration', ['duration', 'int', 'string'], toDuration),
  ...conversion('timestamp', 'timestamp', ['timestamp', 'int', 'string'], toTimestamp),
  one('dyn(A) -> dyn', (value: Value) => value),
  one('type(A) -> type(A)', (value: Value) => new TypeValue(typeNameOf(value))),
]

const size = (value: Value): Value => BigInt(sizeOf(value))

const sizes = (): FunctionDefinition[] =>
  ['bytes', 'list(A)', 'map(A, B)', 'string'].flatMap((type) => [
    one(`size(${type}) -> int`, size),
    one(`${type}.size() -> int`, size),
  ])

const texts = (): FunctionDefinition[] => [
  {
    signature: 'string.contains(string) -> bool',
    call: (text: string, part: string) => text.includes(part),
    ...searches,
  },
  {
    signature: 'string.startsWith(string) -> bool',
    call: (text: string, part: string) => text.startsWith(part),
    ...traversesSecond,
  },
  {
    signature: 'string.endsWith(string) -> bool',
    call: (text: string, part: string) => text.endsWith(part),
    ...traversesSecond,
  },
  { signature: 'string.matches(string) -> bool', call: matches, ...matchesPattern },
  // 1 for any text, unlike the member function (policy-cel-lib).
  { signature: 'matches(string, string) -> bool', call: matches },
]

function matches(text: string, pattern: string): Value {
  const found = findPattern(pattern)
  return found instanceof EvaluationError ? found : found.test(text)
}

export const TIME_PARTS: readonly TimePart[] = [
  'getFullYear', 'getMonth', 'getDate', 'getDayOfMonth', 'getDayOfWeek', 'getDayOfYear', 'getHours', 'getMinutes', 'getSeconds',
  'getMilliseconds',
] // biome-ignore format: one table

const SECOND = 1_000_000_000n

const times = (): FunctionDefinition[] => [
  ...TIME_PARTS.flatMap((part) => [
    one(`timestamp.${part}() -> int`, (time: Timestamp) => timePart(time, part)),
    // Servers of 1.31 and 1.32 use the error as a format.
    one(`timestamp.${part}(string) -> int`, (time: Timestamp, zone: string) => {
      const found = timePart(time, part, zone)
      return found instanceof EvaluationError
        ? new EvaluationError(usedAsFormat(found.message))
        : found
    }),
  ]),
  one('duration.getHours() -> int', ({ nanoseconds }: Duration) => nanoseconds / (3600n * SECOND)),
  one('duration.getMinutes() -> int', ({ nanoseconds }: Duration) => nanoseconds / (60n * SECOND)),
  one('duration.getSeconds() -> int', ({ nanoseconds }: Duration) => nanoseconds / SECOND),
  one('duration.getMilliseconds() -> int', ({ nanoseconds }: Duration) => nanoseconds / 1_000_000n),
]

export const STANDARD_LIBRARY: Library = {
  get functions() {
    return [
      ...logic(),
      ...arithmetic(),
      ...Object.entries(COMPARISONS).flatMap(([operator, call]) => comparison(operator, call)),
      ...conversions(),
      ...sizes(),
      ...texts(),
      ...times(),
    ]
  },
  constantChecks: { matches: patternProblem },
}
