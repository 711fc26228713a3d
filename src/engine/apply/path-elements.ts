/**
 * Elements of FieldsV1 paths: `f:name` is a member, `k:{"name":"x"}` an item by key, `v:"x"` an
 * item of a set, `i:0` an item by index.
 */
import { entryOf, isJsonObject, type Json, type JsonObject } from '../core/object'
import { escapeHtml } from '../schema/canonical'
import { goQuote } from '../schema/go-text'
import { membersSorted } from '../schema/json-parser'

export type Path = readonly string[]

export const fieldElement = (name: string): string => `f:${name}`
/** Members sorted, HTML characters escaped, as in structured-merge-diff. */
export const elementJson = (value: Json): string => escapeHtml(JSON.stringify(membersSorted(value)))
export const valueElement = (value: Json): string => `v:${elementJson(value)}`

export function keyElement(key: JsonObject): string {
  const names = Object.keys(key)
  if (names.length < 2) return `k:${elementJson(key)}`
  return `k:{${names
    .sort()
    .map((name) => `${JSON.stringify(name)}:${elementJson(key[name] as Json)}`)
    .join(',')}}`
}

export class PathElementError extends Error {}

/** Equal elements become equal strings; an unknown kind is undefined. @throws PathElementError */
export function parseElement(text: string): string | undefined {
  if (text.length < 2) throw new PathElementError(`key must be 2 characters long: ${goQuote(text)}`)
  if (text[1] !== ':') throw new PathElementError(`missing colon: ${goQuote(text)}`)
  const rest = text.slice(2)
  switch (text[0]) {
    case 'f':
      return text
    case 'v':
      return valueElement(parsed(rest))
    case 'k': {
      const key = parsed(rest) ?? {}
      if (!isJsonObject(key)) throw new PathElementError(`expected an object: ${goQuote(rest)}`)
      return keyElement(key)
    }
    case 'i':
      if (!/^[-+]?\d+$/.test(rest))
        throw new PathElementError(`expected a number: ${goQuote(rest)}`)
      return `i:${Number(rest)}`
    default:
      return undefined
  }
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    throw new PathElementError(`expected JSON: ${goQuote(text)}`)
  }
}

const RANK: Record<string, number> = { f: 0, k: 1, v: 2, i: 3 }

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Sorts in place, in the order of fieldpath/element.go, `PathElement.Compare`. */
export function sortByElement<Entry extends readonly [string, unknown]>(entries: Entry[]): Entry[] {
  if (isSortedByName(entries)) return entries
  if (entries.every(([element]) => element.startsWith('f:')))
    return entries.sort(([a], [b]) => compareTexts(a, b))
  const values = new Map<string, Json>()
  const parsedValue = (element: string): Json => {
    const known = values.get(element)
    if (known !== undefined) return known
    const value = JSON.parse(element.slice(2)) as Json
    values.set(element, value)
    return value
  }
  return entries.sort(([a], [b]) => {
    const rank = (entryOf(RANK, a[0] as string) ?? 0) - (entryOf(RANK, b[0] as string) ?? 0)
    if (rank !== 0) return rank
    return a[0] === 'f' ? compareTexts(a, b) : compareValues(parsedValue(a), parsedValue(b))
  })
}

function isSortedByName(entries: readonly (readonly [string, unknown])[]): boolean {
  let last = ''
  for (const [element] of entries) {
    if (element < last || !element.startsWith('f:')) return entries.length < 2
    last = element
  }
  return true
}

function compareValues(a: Json, b: Json): number {
  const kind = valueRank(a) - valueRank(b)
  if (kind !== 0) return kind
  if (typeof a === 'number') return a - (b as number)
  if (typeof a === 'string') return compareTexts(a, b as string)
  if (typeof a === 'boolean') return Number(a) - Number(b)
  if (isJsonObject(a)) return compareKeys(a, b as JsonObject)
  return compareTexts(JSON.stringify(a), JSON.stringify(b))
}

function valueRank(value: Json): number {
  if (typeof value === 'number') return 0
  if (typeof value === 'string') return 1
  if (typeof value === 'boolean') return 2
  if (Array.isArray(value)) return 3
  return value === null ? 5 : 4
}

function compareKeys(a: JsonObject, b: JsonObject): number {
  const left = Object.keys(a)
  const right = Object.keys(b)
  for (const [index, name] of left.entries()) {
    const other = right[index]
    if (other === undefined) return 1
    const order = compareTexts(name, other) || compareValues(a[name] as Json, b[other] as Json)
    if (order !== 0) return order
  }
  return left.length - right.length
}

/** `.spec.containers[name="web"].image` */
export function pathText(path: Path): string {
  return path.map(elementText).join('')
}

function elementText(element: string): string {
  const rest = element.slice(2)
  switch (element[0]) {
    case 'f':
      return `.${rest}`
    case 'v':
      return `[=${valueText(JSON.parse(rest) as Json)}]`
    case 'i':
      return `[${rest}]`
    default: {
      const key = JSON.parse(rest) as JsonObject
      return `[${Object.entries(key)
        .map(([name, value]) => `${name}=${valueText(value)}`)
        .join(',')}]`
    }
  }
}

/** `"x"`, `80`, `["a",1]`; members are joined: `a=1b="x"`. */
function valueText(value: Json): string {
  if (typeof value === 'string') return goQuote(value)
  if (Array.isArray(value)) return `[${value.map(valueText).join(',')}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  return Object.entries(value)
    .map(([name, member]) => `${name}=${valueText(member)}`)
    .join('')
}
