/**
 * Paths into objects as printer columns of custom resources name them: `.spec.ports[?(@.name=="http")].port`. Members, indexes,
 * slices, unions, wildcards, recursive descent and filters, as the public JSONPath template support describes them (recorded
 * where a document says nothing).
 */
import { isJsonObject, type Json } from '../object'

type Step = (value: Json) => Json[]

/** Finds what a path points to. */
export type JsonPath = (root: Json) => Json[]

export class JsonPathError extends Error {}

/** @throws JsonPathError for what is no path */
export function parseJsonPath(text: string): JsonPath {
  const parser = new Parser(text)
  const steps = parser.steps()
  return (root) => steps.reduce<Json[]>((found, step) => found.flatMap(step), [root])
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
  (value) =>
    steps.flatMap((step) => step(value))

/** The value and everything below it. */
const descend: Step = (value) => [value, ...children(value).flatMap(descend)]

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
function filter(left: JsonPath, test: Test | undefined, right: JsonPath): Step {
  return (value) =>
    (Array.isArray(value) ? value : []).filter((item) => (test ? test(left(item)[0], right(item)[0]) : left(item).length > 0))
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
    const [inside] = splitOutsideQuotes(this.text.slice(this.at), end)
    if (inside === undefined || this.at + inside.length >= this.text.length) throw this.wrong('unterminated array')
    this.at += inside.length + end.length
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
function operand(text: string): JsonPath {
  const trimmed = text.trim()
  if (trimmed.startsWith('@')) return parseJsonPath(trimmed.slice(1))
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
  let quote = ''
  for (let i = 0; i < text.length; i++) {
    const sign = text[i] as string
    if (quote !== '') quote = sign === quote ? '' : quote
    else if (sign === '"' || sign === "'") quote = sign
    else if (text.startsWith(separator, i)) {
      parts.push(text.slice(start, i))
      start = i + separator.length
      i = start - 1
    }
  }
  return [...parts, text.slice(start)]
}
