/** Go's `%#v`. A constant replaces memory addresses. */

import { entryOf, type Json } from '../core/object'
import type { FieldError } from '../http/status'
import type { ReleaseTypes } from '../release-tables/changes'
import { builtinModel, modelOf } from '../schema/builtin'
import { goJson, goJsonSorted } from '../schema/go-json'
import { goQuote } from '../schema/go-text'
import type { TypeNode } from '../schema/model'
import { invalidPrinted, notSupportedPrinted, type Printed } from './field-errors'
import { type GoPackages, type GoValue, goValue } from './go-value'
import { goValueJson } from './go-value-json'
import { shownQuantity } from './quantities'

const ADDRESS = '0xc000000000'
const MONTHS =
  'January February March April May June July August September October November December'.split(' ')

/** `core.Toleration{Key:"a", Operator:"Exists", …}`; nested pointers are addresses. */
export function goLiteral(value: GoValue): string {
  switch (value.kind) {
    case 'struct':
      return `${value.type}{${value.members.map((member) => `${member.name}:${goLiteral(member.value)}`).join(', ')}}`
    case 'list':
      return value.items === undefined
        ? `${value.type}(nil)`
        : `${value.type}{${value.items.map(goLiteral).join(', ')}}`
    case 'map':
      if (value.entries === undefined) return `${value.type}(nil)`
      return `${value.type}{${value.entries.map(([key, item]) => `${goQuote(key)}:${goLiteral(item)}`).join(', ')}}`
    case 'pointer':
      if (value.type.endsWith('Time'))
        return value.target === undefined ? '<nil>' : goLiteral(value.target)
      return `(${value.type})(${value.target === undefined ? 'nil' : ADDRESS})`
    case 'quantity':
      return shownQuantity(value.text ?? '0', false)
    case 'time':
      return goDate(value.text)
    case 'string':
      return goQuote(String(value.value))
    default:
      return String(value.value)
  }
}

/** `time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)` */
function goDate(text: string | undefined): string {
  if (text === undefined) return 'time.Date(1, time.January, 1, 0, 0, 0, 0, time.UTC)'
  const date = new Date(text)
  const month = MONTHS[date.getUTCMonth()]
  const clock = [
    date.getUTCHours(),
    date.getUTCMinutes(),
    date.getUTCSeconds(),
    date.getUTCMilliseconds() * 1e6,
  ]
  return `time.Date(${date.getUTCFullYear()}, time.${month}, ${date.getUTCDate()}, ${clock.join(', ')}, time.Local)`
}

const CORE = 'io.k8s.api.core.v1.'

/**
 * @param name the end: `batch.v1.SuccessPolicy`, `Pod`
 * @param tables absent: the base release
 */
export function typeNamed(name: string, tables?: ReleaseTypes): TypeNode {
  const type = findType(name, tables)
  if (type === undefined) throw new Error(`no type ${name}`)
  return type
}

function findType(name: string, tables?: ReleaseTypes): TypeNode | undefined {
  const full = name.startsWith('io.k8s.')
    ? name
    : name.includes('.')
      ? `io.k8s.api.${name}`
      : CORE + name
  return (tables && modelOf(tables).byName(full)) ?? builtinModel().byName(full)
}

export const printedStructure = (
  typeName: string,
  value: unknown,
  packages?: GoPackages,
): Printed =>
  printedByRelease((tables) => {
    const type = findType(typeName, tables)
    return type && goValue(type, value as Json, packages)
  })

/** @param make undefined: the release lacks the type */
function printedByRelease(make: (tables?: ReleaseTypes) => GoValue | undefined): Printed {
  // Many errors may quote the same value.
  const known = new Map<ReleaseTypes | undefined, Printed>()
  const printed = (tables?: ReleaseTypes): Printed => {
    let text = known.get(tables)
    if (text === undefined) {
      const value = make(tables)
      text = value === undefined ? { go: '', json: '' } : printedGoValue(value)
      known.set(tables, text)
    }
    return text
  }
  return { ...printed(), ofRelease: printed }
}

export const printedGoValue = (value: GoValue): Printed => ({
  go: goLiteral(value),
  json: goValueJson(value),
})

export const invalidStructure = (
  field: string,
  typeName: string,
  value: unknown,
  why: string,
  packages?: GoPackages,
): FieldError => invalidPrinted(field, printedStructure(typeName, value, packages), why)

/** @param list undefined: nil */
export function invalidStructures(
  field: string,
  typeName: string,
  list: readonly unknown[] | null | undefined,
  why: string,
): FieldError {
  const whole = (tables?: ReleaseTypes): GoValue => {
    const type = typeNamed(typeName, tables)
    const items = list?.map((item) => goValue(type, item as Json))
    return { kind: 'list', type: `[]${goValue(type, {}).type}`, items }
  }
  return invalidPrinted(field, printedByRelease(whole), why)
}

export const invalidMap = (
  field: string,
  map: Record<string, string> | undefined,
  why: string,
): FieldError => invalidPrinted(field, printedMap(map), why)

/** `map[string]string{"app":"web"}` */
export function goStringMap(map: Record<string, string> | undefined): string {
  if (map === undefined) return 'map[string]string(nil)'
  const keys = Object.keys(map).sort()
  return `map[string]string{${keys.map((key) => `${goQuote(key)}:${goQuote(entryOf(map, key) ?? '')}`).join(', ')}}`
}

const printedMap = (map: Record<string, string> | undefined): Printed => ({
  go: goStringMap(map),
  json: goJsonSorted(map ?? null),
})

/** `[]string{"a", "b"}` */
export const printedList = (list: readonly string[]): Printed => printedTypedList('string', list)

/** In Go syntax, items that are not strings are left empty. @param list undefined: nil */
function printedTypedList(type: string, list: readonly unknown[] | undefined): Printed {
  if (list === undefined) return { go: `[]${type}(nil)`, json: 'null' }
  const items = list.map((item) => (typeof item === 'string' ? goQuote(item) : ''))
  return { go: `[]${type}{${items.join(', ')}}`, json: goJson(list) }
}

export const invalidList = (field: string, list: readonly string[], why: string): FieldError =>
  invalidPrinted(field, printedList(list), why)

/** @param list undefined: nil */
export const invalidTypedList = (
  field: string,
  type: string,
  list: readonly unknown[] | undefined,
  why: string,
): FieldError => invalidPrinted(field, printedTypedList(type, list), why)

/** For a structure with an unsupported `type`. */
export const unsupportedStructure = (
  field: string,
  typeName: string,
  value: unknown,
  supported: readonly string[],
): FieldError => notSupportedPrinted(field, printedStructure(typeName, value), supported)
