/** Extended strings, version 2 (Kubernetes 1.31). Positions are code points. */
import { entryOf } from '../../core/object'
import { goTrim } from '../../schema/go-text'
import type { Estimate, EstimateArguments, Range } from '../cost/estimate-types'
import {
  add,
  fixed,
  quotesFirst,
  range,
  scaled,
  TRAVERSAL,
  times,
  traversal,
  traversesFirst,
} from '../cost/factors'
import { goText } from '../values/go-types'
import { ArrayList, EvaluationError, type ListValue, lengthOf, type Value } from '../values/value'
import { formatText } from './format-text'
import type { FunctionDefinition } from './function'
import type { Library } from './library'
import { searchCost } from './lists'

const outOfRange = (index: bigint): EvaluationError =>
  new EvaluationError(`index out of range: ${index}`)

function charAt(text: string, index: bigint): Value {
  const characters = Array.from(text)
  if (index < 0n || index > characters.length) return outOfRange(index)
  return characters[Number(index)] ?? ''
}

export function indexOf(text: string, part: string, from = 0n): Value {
  if (part === '') return from
  const characters = Array.from(text)
  if (from < 0n || from >= characters.length) return outOfRange(from)
  const found = text.indexOf(part, characters.slice(0, Number(from)).join('').length)
  return found < 0 ? -1n : BigInt(lengthOf(text.slice(0, found)))
}

export function lastIndexOf(text: string, part: string, from?: bigint): Value {
  const length = lengthOf(text)
  if (part === '') return from ?? BigInt(length)
  const last = from ?? BigInt(length) - 1n
  if (last < 0n || last >= length) return outOfRange(last)
  const start =
    from === undefined ? text.length : Array.from(text).slice(0, Number(from)).join('').length
  const found = text.lastIndexOf(part, start)
  return found < 0 ? -1n : BigInt(lengthOf(text.slice(0, found)))
}

function substring(text: string, start: bigint, end?: bigint): Value {
  const characters = Array.from(text)
  const last = end ?? BigInt(characters.length)
  if (end !== undefined && start > end)
    return new EvaluationError(`invalid substring range. start: ${start}, end: ${end}`)
  if (start < 0n || start > characters.length) return outOfRange(start)
  if (last < 0n || last > characters.length) return outOfRange(last)
  return characters.slice(Number(start), Number(last)).join('')
}

function replace(text: string, part: string, by: string, limit = -1n): Value {
  if (limit < 0n)
    return part === ''
      ? between(Array.from(text), by, Number.POSITIVE_INFINITY)
      : text.split(part).join(by)
  if (part === '') return between(Array.from(text), by, Number(limit))
  const parts = splitText(text, part, Number(limit) + 1)
  return parts.join(by)
}

function between(characters: string[], by: string, limit: number): string {
  let text = ''
  for (let at = 0; at <= characters.length; at++)
    text += (at < limit ? by : '') + (characters[at] ?? '')
  return text
}

function splitText(text: string, separator: string, limit: number): string[] {
  const parts = separator === '' ? Array.from(text) : text.split(separator)
  if (limit < 0 || parts.length <= limit) return parts
  return [...parts.slice(0, limit - 1), parts.slice(limit - 1).join(separator)]
}

function split(text: string, separator: string, limit = -1n): Value {
  return limit === 0n ? new ArrayList([]) : new ArrayList(splitText(text, separator, Number(limit)))
}

function join(list: ListValue, separator = ''): Value {
  const parts: string[] = []
  for (const item of list) {
    if (typeof item !== 'string') return new EvaluationError(`join: invalid input: ${goText(item)}`)
    parts.push(item)
  }
  return parts.join(separator)
}

const ascii = (pattern: RegExp, change: (text: string) => string) => (text: string) =>
  text.replace(pattern, change)

const QUOTED: Record<string, string> = {
  '\x07': '\\a', '\b': '\\b', '\f': '\\f', '\n': '\\n', '\r': '\\r', '\t': '\\t', '\v': '\\v', '\\': '\\\\', '"': '\\"',
} // biome-ignore format: one table

const quote = (text: string): string =>
  `"${Array.from(text, (character) => entryOf(QUOTED, character) ?? character).join('')}"`

const sizeAt = (values: EstimateArguments, index: number): Range => values[index]?.size ?? fixed(1)

const sameSize = {
  strictCost: true as const,
  cost: traversesFirst.cost,
  estimate: (values: EstimateArguments): Estimate => ({
    cost: scaled(sizeAt(values, 0), TRAVERSAL),
    size: sizeAt(values, 0),
  }),
}

const twice = (text: Value): number => traversal(text, 2 * TRAVERSAL)

const replaces = {
  strictCost: true as const,
  cost: twice,
  estimate(values: EstimateArguments): Estimate {
    const [text, part, by] = [sizeAt(values, 0), sizeAt(values, 1), sizeAt(values, 2)]
    return { cost: scaled(text, 2 * TRAVERSAL), size: replacedSize(text, part, by) }
  },
}

/** The maximum replaces the most parts by the longest text. */
function replacedSize(text: Range, part: Range, by: Range): Range {
  let max: number
  if (part.min === 0) max = times(fixed(text.max + 1), fixed(by.max)).max + text.max
  else max = by.max <= part.min ? text.max : Math.ceil(text.max / part.min) * by.max
  let min: number
  if (part.max === 0) min = (text.min + 1) * by.min + text.min
  else min = part.max <= by.min ? text.min : Math.ceil(text.min / part.max) * by.min
  return range(min, max)
}

const splits = {
  strictCost: true as const,
  cost: twice,
  estimate(values: EstimateArguments): Estimate {
    const limit = values[2]?.constant
    const most = typeof limit === 'bigint' ? Number(limit) : sizeAt(values, 0).max
    return { cost: scaled(sizeAt(values, 0), 2 * TRAVERSAL), size: range(0, most) }
  },
}

const joins = {
  strictCost: true as const,
  resultCost: (result: Value): number => traversal(result, 2 * TRAVERSAL),
  estimate(values: EstimateArguments): Estimate {
    const list = sizeAt(values, 0)
    const separators = range(Math.max(list.min - 1, 0), Math.max(list.max - 1, 0))
    const texts = times(list, values[0]?.item?.size ?? fixed(0))
    const size = values.length > 1 ? add(texts, times(sizeAt(values, 1), separators)) : texts
    return { cost: scaled(size, TRAVERSAL), size }
  },
}

const functions = (): FunctionDefinition[] => [
  { signature: 'string.charAt(int) -> string', call: charAt },
  {
    signature: 'string.indexOf(string) -> int',
    call: (text: string, part: string) => indexOf(text, part),
    ...searchCost,
  },
  { signature: 'string.indexOf(string, int) -> int', call: indexOf, ...searchCost },
  {
    signature: 'string.lastIndexOf(string) -> int',
    call: (text: string, part: string) => lastIndexOf(text, part),
    ...searchCost,
  },
  { signature: 'string.lastIndexOf(string, int) -> int', call: lastIndexOf, ...searchCost },
  {
    signature: 'string.lowerAscii() -> string',
    call: ascii(/[A-Z]+/g, (text) => text.toLowerCase()),
    ...sameSize,
  },
  {
    signature: 'string.upperAscii() -> string',
    call: ascii(/[a-z]+/g, (text) => text.toUpperCase()),
    ...sameSize,
  },
  {
    signature: 'string.substring(int) -> string',
    call: (text: string, start: bigint) => substring(text, start),
    ...sameSize,
  },
  { signature: 'string.substring(int, int) -> string', call: substring, ...sameSize },
  { signature: 'string.trim() -> string', call: goTrim, ...sameSize },
  {
    signature: 'string.replace(string, string) -> string',
    call: (text: string, part: string, by: string) => replace(text, part, by),
    ...replaces,
  },
  { signature: 'string.replace(string, string, int) -> string', call: replace, ...replaces },
  {
    signature: 'string.split(string) -> list(string)',
    call: (text: string, separator: string) => split(text, separator),
    ...splits,
  },
  { signature: 'string.split(string, int) -> list(string)', call: split, ...splits },
  { signature: 'list(string).join() -> string', call: (list: ListValue) => join(list), ...joins },
  { signature: 'list(string).join(string) -> string', call: join, ...joins },
  { signature: 'strings.quote(string) -> string', call: quote, ...quotesFirst },
  { signature: 'string.format(list(dyn)) -> string', call: formatText, ...traversesFirst },
]

export const STRINGS: Library = {
  get functions() {
    return functions()
  },
}
