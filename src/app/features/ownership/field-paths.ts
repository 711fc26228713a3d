/**
 * FieldsV1 paths and their positions in an object: `f:name` is a member, `k:{"name":"web"}` an item
 * by key, `v:"x"` a set item, `i:0` an item by position (kubernetes.io, "Field management").
 */
import { equalJson, isJsonObject, type Json, type JsonObject } from '../../../engine/core/object'
import { goQuote } from '../../../engine/schema/go-text'

/** From the object's root. */
export type FieldPath = readonly string[]

export type Place = readonly (string | number)[]

export interface OwnedPath {
  path: FieldPath
  /** The field without its children: `.` in FieldsV1. */
  itself: boolean
}

/** Empty if it is not valid FieldsV1. */
export function pathsOf(fields: JsonObject | undefined): OwnedPath[] {
  const found: OwnedPath[] = []
  collect(fields ?? {}, [], found)
  return found
}

function collect(fields: JsonObject, path: FieldPath, found: OwnedPath[]): void {
  for (const [element, below] of Object.entries(fields)) {
    if (element === '.') found.push({ path, itself: true })
    else if (!isJsonObject(below) || Object.keys(below).length === 0)
      found.push({ path: [...path, element], itself: false })
    else collect(below, [...path, element], found)
  }
}

/**
 * @returns undefined if the path does not exist. An item may omit defaulted key members: it matches
 * with part of the key and no conflicting value.
 */
export function placeOf(value: Json, path: FieldPath): Place | undefined {
  const place: (string | number)[] = []
  let at: Json | undefined = value
  for (const element of path) {
    const step: string | number | undefined = at === undefined ? undefined : stepInto(at, element)
    if (step === undefined) return undefined
    place.push(step)
    at = (at as Record<string | number, Json>)[step]
  }
  return place
}

function stepInto(value: Json, element: string): string | number | undefined {
  const rest = element.slice(2)
  if (element.startsWith('f:'))
    return isJsonObject(value) && Object.hasOwn(value, rest) ? rest : undefined
  if (!Array.isArray(value)) return undefined
  const index = indexOf(value, element[0] ?? '', parsed(rest))
  return index < 0 ? undefined : index
}

function indexOf(items: readonly Json[], kind: string, wanted: Json | undefined): number {
  if (wanted === undefined) return -1
  if (kind === 'v') return items.findIndex((item) => equalJson(item, wanted))
  if (kind === 'i') return typeof wanted === 'number' && wanted in items ? wanted : -1
  if (!isJsonObject(wanted)) return -1
  const exact = items.findIndex(
    (item) =>
      isJsonObject(item) &&
      Object.entries(wanted).every(([name, key]) => equalJson(item[name], key)),
  )
  if (exact >= 0) return exact
  return items.findIndex((item) => {
    if (!isJsonObject(item)) return false
    const members = Object.keys(wanted).filter((name) => item[name] !== undefined)
    return members.length > 0 && members.every((name) => equalJson(item[name], wanted[name]))
  })
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

export function valueAt(value: Json, place: Place): Json | undefined {
  let at: Json | undefined = value
  for (const step of place) {
    if (Array.isArray(at)) at = at[Number(step)]
    else at = isJsonObject(at) ? at[String(step)] : undefined
  }
  return at
}

export function valueOn(value: Json, path: FieldPath): Json | undefined {
  const place = placeOf(value, path)
  return place && valueAt(value, place)
}

/** `.spec.containers[name="web"].image`, as the server names a conflict's field. */
export function pathText(path: FieldPath): string {
  return path.map(elementText).join('') || '.'
}

function elementText(element: string): string {
  const rest = element.slice(2)
  if (element.startsWith('f:')) return `.${rest}`
  const value = parsed(rest)
  if (element.startsWith('k:') && isJsonObject(value))
    return `[${Object.entries(value)
      .map(([name, key]) => `${name}=${scalarText(key)}`)
      .join(',')}]`
  return element.startsWith('v:') && value !== undefined ? `[=${scalarText(value)}]` : `[${rest}]`
}

const scalarText = (value: Json): string =>
  typeof value === 'string' ? goQuote(value) : JSON.stringify(value)

export const keyOf = (path: Place): string => JSON.stringify(path)
