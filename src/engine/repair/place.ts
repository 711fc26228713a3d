/** Positions in a JSON value. */
import { entryOf, isJsonObject, type Json, type JsonObject, setMember } from '../core/object'
import type { Edit, Place } from './repair'

/** `spec.ports[1]`, `metadata.labels[app.kubernetes.io/name]`, `.spec.paused`. */
export function placeOfField(field: string): Place {
  const place: (string | number)[] = []
  for (const [, name, inBrackets] of field.matchAll(/\.?([^.[\]]+)|\[([^[\]]*)\]/g)) {
    if (name !== undefined) place.push(name)
    else if (inBrackets !== undefined)
      place.push(/^\d+$/.test(inBrackets) ? Number(inBrackets) : inBrackets)
  }
  return place
}

/** `spec.containers[0].image` */
export const fieldText = (place: Place): string =>
  place
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .slice(1)

export function valueAt(value: Json | undefined, place: Place): Json | undefined {
  let at = value
  for (const step of place) {
    if (typeof step === 'number') at = Array.isArray(at) ? at[step] : undefined
    else at = isJsonObject(at) ? entryOf(at, step) : undefined
  }
  return at
}

/** The place of a FieldsV1 path. @returns undefined if the object lacks it */
export function placeOfPath(object: Json, path: readonly string[]): Place | undefined {
  const place: (string | number)[] = []
  let at: Json | undefined = object
  for (const element of path) {
    const step = stepOf(at, element)
    if (step === undefined) return undefined
    place.push(step)
    at = valueAt(at, [step])
    if (at === undefined) return undefined
  }
  return place
}

function stepOf(at: Json | undefined, element: string): string | number | undefined {
  const rest = element.slice(2)
  if (element.startsWith('f:')) return rest
  if (!Array.isArray(at)) return undefined
  if (element.startsWith('i:')) return Number(rest)
  const wanted = JSON.parse(rest) as Json
  const index = at.findIndex((item) =>
    element.startsWith('k:') && isJsonObject(item) && isJsonObject(wanted)
      ? Object.entries(wanted).every(([name, value]) => entryOf(item, name) === value)
      : item === wanted,
  )
  return index < 0 ? undefined : index
}

/** A copy. Removals come last, from the end of lists. */
export function edited(object: JsonObject, edits: readonly Edit[]): JsonObject {
  const copy = structuredClone(object)
  for (const { place, value } of edits) if (value !== undefined) set(copy, place, value)
  const removed = edits.filter(({ value }) => value === undefined)
  for (const { place } of removed.sort((a, b) => byLastStep(b.place, a.place))) remove(copy, place)
  return copy
}

function byLastStep(a: Place, b: Place): number {
  const [last, other] = [a.at(-1), b.at(-1)]
  return typeof last === 'number' && typeof other === 'number' ? last - other : 0
}

function set(root: JsonObject, place: Place, value: Json): void {
  let at: Json = root
  place.forEach((step, index) => {
    const next = place[index + 1]
    const present = valueAt(at, [step])
    const isContainer = isJsonObject(present) || Array.isArray(present)
    const below: Json =
      next === undefined ? value : isContainer ? present : typeof next === 'number' ? [] : {}
    if (Array.isArray(at) && typeof step === 'number') at[step] = below
    else if (isJsonObject(at)) setMember(at, String(step), below)
    at = below
  })
}

/** Also removes objects that become empty. */
function remove(root: JsonObject, place: Place): void {
  const parent = valueAt(root, place.slice(0, -1))
  const last = place.at(-1)
  if (Array.isArray(parent) && typeof last === 'number') parent.splice(last, 1)
  else if (isJsonObject(parent) && last !== undefined) delete parent[String(last)]
  if (place.length > 1 && isJsonObject(parent) && Object.keys(parent).length === 0)
    remove(root, place.slice(0, -1))
}
