/**
 * Paths into objects as printer columns of custom resources name them: `.spec.ports[?(@.name=="http")].port`. Members, indexes,
 * slices, unions, wildcards, recursive descent and filters, as the public JSONPath template support describes them (recorded
 * where a document says nothing).
 */
import { isJsonObject, type Json } from '../object'

/** Counts the values that an evaluation comes by, so that it ends (docs/limits.md). */
class Budget {
  constructor(private left = MOST_VISITED) {}

  /** As many of the values as may still be looked at. */
  take(values: Json[]): Json[] {
    const taken = values.length > this.left ? values.slice(0, this.left) : values
    this.left -= taken.length
    return taken
  }
}

/** Each recursive descent of a path comes by the same values again and again; real columns come by a few dozen values. */
const MOST_VISITED = 100_000

type Step = (value: Json, budget: Budget) => Json[]

/** Finds what a path points to: all of it, or as much from the beginning as can be found by looking at so many values. */
export type JsonPath = (root: Json) => Json[]

export class JsonPathError extends Error {}

/** @throws JsonPathError for what is no path */
export function parseJsonPath(text: string): JsonPath {
  const path = pathOf(text)
  return (root) => path(root, new Budget())
}

function pathOf(text: string): Step {
  const steps = new Parser(text).steps()
  return (root, budget) => {
    let found = [root]
    for (const step of steps) {
      const next: Json[] = []
      for (const value of found) for (const one of budget.take(step(value, budget))) next.push(one)
      found = next
    }
    return found
  }
}

/** Members of objects by name; what is no object has none. */
const member =
  (name: string): Step =>
  (value) =>
    isJsonObject(value) && Object.hasOwn(value, name) ? [value[name] as Json] : []

const children: Step = (value) => (value !== null && typeof value === 'object' ? Object.values(value) : [])

const index =
  (at: number): Step =>
  (value) => {
    const found = Array.isArray(value) ? value.at(at) : undefined
    return found === undefined ? [] : [found]
  }

const slice =
  (from: number | undefined, to: number | undefined, by: number): Step =>
  (value) =>
    Array.isArray(value) ? value.slice(from ?? 0, to ?? value.length).filter((_, i) => i % by === 0) : []

const union =
  (steps: Step[]): Step =>
  (value, budget) =>
    steps.flatMap((step) => step(value, budget))

/** The value and everything below it, each before what is below it. */
const descend: Step = (root) => {
  const found: Json[] = []
  const waiting = [root]
  for (let value = waiting.pop(); value !== undefined && found.length < MOST_VISITED; value = waiting.pop()) {
    found.push(value)
    waiting.push(...Object.values(typeof value === 'object' && value !== null ? value : {}).reverse())
  }
  return found
}

type Test = (left: Json | undefined, right: Json | undefined) => boolean

const TESTS: Record<string, Test> = {
  '==': (left, right) => left === right,
  '!=': (left, right) => left !== right,
  '<=': (left, right) => left === right || isLess(left, right),
  '>=': (left, right) => left === right || isLess(right, left),
  '<': (left, right) => isLess(left, right),
  '>': (left, right) => isLess(right, left),
}

function isLess(left: Json | undefined, right: Json | undefined): boolean {
  if (typeof left === 'number' && typeof right === 'number') return left < right
  return typeof left === 'string' && typeof right === 'string' && left < right
}

/** Items of a list for which the comparison holds, or which have what a single path names. */
function filter(left: Step, test: Test | undefined, right: Step): Step {
  return (value, budget) =>
    (Array.isArray(value) ? value : []).filter((item) =>
      test ? test(left(item, budget)[0], right(item, budget)[0]) : left(item, budget).length > 0,
    )
}

class Parser {
  private at = 0

  constructor(private readonly text: string) {}

  steps(): Step[] {
    const steps: Step[] = []
    while (this.at < this.text.length) {
      if (this.takes('..')) steps.push(descend, ...(this.peeks('[') ? [] : [this.named()]))
      else if (this.takes('.')) steps.push(...(this.peeks('[') ? [] : [this.named()]))
      else if (this.takes('[')) steps.push(this.bracket())
      else throw this.wrong(`unexpected ${JSON.stringify(this.text[this.at])}`)
    }
    return steps
  }

  /** A name up to the next sign of the language; a backslash takes the sign behind it literally. */
  private named(): Step {
    let name = ''
    while (this.at < this.text.length && !/[.[\]()=!<>]/.test(this.text[this.at] as string)) {
      if (this.text[this.at] === '\\') this.at++
      name += this.text[this.at++] ?? ''
    }
    return name === '*' ? children : member(name)
  }

  private bracket(): Step {
    if (this.takes('?(')) return this.filter()
    const inside = this.upTo(']')
    if (inside === '*') return children
    const parts = splitOutsideQuotes(inside, ',')
    return parts.length > 1 ? union(parts.map((part) => this.element(part))) : this.element(inside)
  }

  private element(text: string): Step {
    const quoted = /^\s*(['"])(.*)\1\s*$/.exec(text)
    if (quoted) return member(quoted[2] as string)
    const parts = text.split(':').map((part) => part.trim())
    if (parts.length > 3 || parts.some((part) => !/^(-?\d+)?$/.test(part)) || (parts.length === 1 && parts[0] === '')) {
      throw this.wrong(`invalid array index ${text}`)
    }
    const [from, to, by] = parts.map((part) => (part === '' ? undefined : Number(part)))
    return parts.length === 1 ? index(from as number) : slice(from, to, by || 1)
  }

  private filter(): Step {
    const inside = this.upTo(')]')
    const operator = Object.keys(TESTS).find((sign) => splitOutsideQuotes(inside, sign).length > 1)
    if (operator === undefined) return filter(operand(inside), undefined, () => [])
    const [left = '', right = ''] = splitOutsideQuotes(inside, operator)
    return filter(operand(left), TESTS[operator], operand(right))
  }

  /** What stands before the next such sign outside of quotes, which is passed over. */
  private upTo(end: string): string {
    const found = outsideQuotes(this.text, end, this.at)
    if (found < 0) throw this.wrong('unterminated array')
    const inside = this.text.slice(this.at, found)
    this.at = found + end.length
    return inside
  }

  private peeks(sign: string): boolean {
    return this.text.startsWith(sign, this.at)
  }

  private takes(sign: string): boolean {
    if (!this.peeks(sign)) return false
    this.at += sign.length
    return true
  }

  private wrong(why: string): JsonPathError {
    return new JsonPathError(why)
  }
}

/** A literal, or a path from the item (`@.name`). */
function operand(text: string): Step {
  const trimmed = text.trim()
  if (trimmed.startsWith('@')) return pathOf(trimmed.slice(1))
  const quoted = /^(['"])(.*)\1$/.exec(trimmed)
  if (quoted) return () => [quoted[2] as string]
  if (trimmed === 'true' || trimmed === 'false') return () => [trimmed === 'true']
  const number = Number(trimmed)
  if (trimmed === '' || Number.isNaN(number)) throw new JsonPathError(`unrecognized value ${trimmed}`)
  return () => [number]
}

function splitOutsideQuotes(text: string, separator: string): string[] {
  const parts: string[] = []
  let start = 0
  for (let found = outsideQuotes(text, separator, 0); found >= 0; found = outsideQuotes(text, separator, start)) {
    parts.push(text.slice(start, found))
    start = found + separator.length
  }
  return [...parts, text.slice(start)]
}

/** Where a sign stands next; -1 if it does not. */
function outsideQuotes(text: string, sign: string, from: number): number {
  let quote = ''
  for (let i = from; i < text.length; i++) {
    const here = text[i] as string
    if (quote !== '') quote = here === quote ? '' : quote
    else if (here === '"' || here === "'") quote = here
    else if (text.startsWith(sign, i)) return i
  }
  return -1
}
