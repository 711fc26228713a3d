/** FieldsV1: how a field set is written in managedFields, and how a path is written for people. */
import { isJsonObject, type Json, type JsonObject } from '../object'
import { type FieldSet, FieldSetBuilder, type Path, sortedChildren } from './field-set'

const SELF = '.'

/** `{ "f:spec": { "f:replicas": {} } }`; a path that has children too says so with a `.` */
export function encodeFields(set: FieldSet): JsonObject {
  const out: JsonObject = {}
  if (set.member && set.children.size > 0) out[SELF] = {}
  for (const [element, child] of sortedChildren(set)) out[element] = encodeFields(child)
  return out
}

/** @throws Error if an element is malformed */
export function decodeFields(json: JsonObject): FieldSet {
  const builder = new FieldSetBuilder()
  read(json, builder)
  return builder.build()
}

function read(json: JsonObject, into: FieldSetBuilder): void {
  for (const [element, child] of Object.entries(json)) {
    if (!isJsonObject(child)) throw new Error(`expected an object at ${JSON.stringify(element)}`)
    if (element === SELF) {
      into.member = true
      continue
    }
    const below = into.child(checkedElement(element))
    read(child, below)
    if (Object.keys(child).length === 0) below.member = true
  }
}

/** @throws Error for an element that no server writes */
function checkedElement(element: string): string {
  const kind = element.slice(0, 2)
  const rest = element.slice(2)
  if (kind === 'f:') return element
  if (kind === 'i:' && /^-?\d+$/.test(rest)) return element
  if (kind === 'v:') return `v:${JSON.stringify(JSON.parse(rest))}`
  if (kind === 'k:') {
    const key: Json = JSON.parse(rest)
    if (isJsonObject(key)) return keyElement(key)
  }
  throw new Error(`missing or unknown path element ${JSON.stringify(element)}`)
}

/** Key members in alphabetical order. */
export function keyElement(key: JsonObject): string {
  const names = Object.keys(key)
  if (names.length === 1) return `k:${JSON.stringify(key)}`
  return `k:${JSON.stringify(Object.fromEntries(names.sort().map((name) => [name, key[name] as Json])))}`
}

export const valueElement = (value: Json): string => `v:${JSON.stringify(value)}`
export const fieldElement = (name: string): string => `f:${name}`

/** `.spec.containers[name="web"].image`, as conflicts and errors show a path. */
export function pathText(path: Path): string {
  return path
    .map((element) => {
      const rest = element.slice(2)
      if (element.startsWith('f:')) return `.${rest}`
      if (element.startsWith('v:')) return `[=${rest}]`
      if (element.startsWith('i:')) return `[${rest}]`
      const key: JsonObject = JSON.parse(rest)
      return `[${Object.entries(key)
        .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
        .join(',')}]`
    })
    .join('')
}
