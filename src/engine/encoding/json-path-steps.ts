import { append } from '../core/lists'
import { entryOf, isJsonObject, type Json } from '../core/object'
import { goFormat } from '../schema/go-text'

/** Counts visited values, so that an evaluation ends (docs/limits.md). */
export class Budget {
  constructor(private left: number) {}

  take(values: Json[]): Json[] {
    const taken = values.length > this.left ? values.slice(0, this.left) : values
    this.left -= taken.length
    return taken
  }

  get spent(): boolean {
    return this.left <= 0
  }
}

/** @throws JsonPathError for a value that does not fit the step */
export type Step = (values: Json[], budget: Budget) => Json[]

export class JsonPathError extends Error {}

export const chain =
  (steps: readonly Step[]): Step =>
  (values, budget) =>
    steps.reduce((found, step) => budget.take(step(found, budget)), values)

export const always =
  (literal: Json): Step =>
  (values) =>
    values.map(() => literal)

export const text =
  (literal: string): Step =>
  () => [literal]

/** @param strict a missing member is an error */
export const member =
  (name: string, strict: boolean): Step =>
  (values) => {
    const found = values.flatMap((value) =>
      isJsonObject(value) && Object.hasOwn(value, name) ? [value[name] as Json] : [],
    )
    if (strict && found.length === 0 && values.length > 0)
      throw new JsonPathError(`${name} is not found`)
    return found
  }

function childrenOf(value: Json): Json[] {
  if (Array.isArray(value)) return value
  if (isJsonObject(value)) return Object.keys(value).map((name) => value[name] as Json)
  // The parts of a string are its bytes.
  return typeof value === 'string' ? [...new TextEncoder().encode(value)] : []
}

export const children: Step = (values) => values.flatMap(childrenOf)

export const descend: Step = (values, budget) => {
  const found: Json[] = []
  const waiting = [...values].reverse()
  for (let value = waiting.pop(); value !== undefined && !budget.spent; value = waiting.pop()) {
    const parts = typeof value === 'string' ? [] : childrenOf(value)
    if (parts.length === 0 && (typeof value !== 'string' || value === '')) continue
    append(found, budget.take([value]))
    for (let at = parts.length - 1; at >= 0; at--) waiting.push(parts[at] as Json)
  }
  return found
}

export const union =
  (steps: readonly Step[]): Step =>
  (values, budget) =>
    steps.flatMap((step) => step(values, budget))

export interface Slice {
  from: number | undefined
  /** Exclusive. */
  to: number | undefined
  by: number | undefined
}

export function index(at: number): Step {
  return (values) =>
    values.flatMap((value) => {
      if (value === null) return []
      const list = listOf(value)
      const place = at < 0 ? at + list.length : at
      if (place < 0 || place >= list.length)
        throw new JsonPathError(`array index out of bounds: index ${place}, length ${list.length}`)
      return [list[place] as Json]
    })
}

export function slice({ from = 0, to, by = 1 }: Slice): Step {
  return (values) =>
    values.flatMap((value) => {
      if (value === null) return []
      const list = listOf(value)
      const start = from < 0 ? from + list.length : from
      const end = to === undefined ? list.length : to < 0 ? to + list.length : to
      if (start === end) return []
      if (start < 0 || start >= list.length)
        throw new JsonPathError(`array index out of bounds: index ${start}, length ${list.length}`)
      if (end < 0 || end > list.length)
        throw new JsonPathError(
          `array index out of bounds: index ${end - 1}, length ${list.length}`,
        )
      if (start > end)
        throw new JsonPathError(`starting index ${start} is greater than ending index ${end}`)
      if (by <= 0) throw new JsonPathError('step must be > 0')
      return list.slice(start, end).filter((_, at) => at % by === 0)
    })
}

function listOf(value: Json): Json[] {
  if (!Array.isArray(value)) throw new JsonPathError(`${goType(value)} is not array or slice`)
  return value
}

/** Integers beyond 64 bits are decoded as floats. */
const isInt64 = (value: number): boolean =>
  Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63

function goType(value: Json): string {
  if (value === null) return 'nil'
  if (typeof value === 'object') return 'map[string]interface {}'
  if (typeof value === 'number') return isInt64(value) ? 'int64' : 'float64'
  return typeof value === 'boolean' ? 'bool' : 'string'
}

type Test = (left: string | number, right: string | number) => boolean

const TESTS: Record<string, Test> = {
  '==': (left, right) => left === right,
  '!=': (left, right) => left !== right,
  '<': (left, right) => left < right,
  '<=': (left, right) => left <= right,
  '>': (left, right) => left > right,
  '>=': (left, right) => left >= right,
}

export function having(left: Step): Step {
  return itemsWhere((item, budget) => {
    try {
      return left([item], budget).length > 0
    } catch (error) {
      if (error instanceof JsonPathError) return false
      throw error
    }
  })
}

export function comparing(left: Step, operator: string, right: Step): Step {
  return itemsWhere((item, budget) => {
    const a = single(left([item], budget))
    const b = a === undefined ? undefined : single(right([item], budget))
    if (a === undefined || b === undefined) return false
    const test = entryOf(TESTS, operator)
    if (test === undefined) throw new JsonPathError(`unrecognized filter operator ${operator}`)
    return compared(a, b, operator, test)
  })
}

function itemsWhere(holds: (item: Json, budget: Budget) => boolean): Step {
  return (values, budget) =>
    values.flatMap((value) => {
      if (!Array.isArray(value))
        throw new JsonPathError(`${goFormat(value)} is not array or slice and cannot be filtered`)
      return value.filter((item) => holds(item, budget))
    })
}

function single(found: Json[]): Json | undefined {
  if (found.length > 1) throw new JsonPathError('can only compare one element at a time')
  return found[0]
}

function compared(left: Json, right: Json, operator: string, test: Test): boolean {
  if (left === null || right === null || typeof left === 'object' || typeof right === 'object')
    throw new JsonPathError('invalid type for comparison')
  if (goType(left) !== goType(right)) throw new JsonPathError('incompatible types for comparison')
  if (typeof left === 'boolean' || typeof right === 'boolean') {
    if (operator !== '==' && operator !== '!=')
      throw new JsonPathError('invalid type for comparison')
    return test(Number(left), Number(right))
  }
  return test(left, right)
}
