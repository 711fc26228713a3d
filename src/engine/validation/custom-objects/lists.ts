/** x-kubernetes-list-type. Reports each duplicate once. */

import { entryOf, isJsonObject, type Json, type JsonObject } from '../../core/object'
import type { FieldError } from '../../http/status'
import { duplicatePrinted, invalidPrinted, printedUntyped } from '../field-errors'

export function listErrors(schema: JsonObject, value: Json, path = ''): FieldError[] {
  if (Array.isArray(value)) {
    const { items } = schema
    const nested = isJsonObject(items)
      ? value.flatMap((item, index) => listErrors(items, item, `${path}[${index}]`))
      : []
    return [...repeated(schema, value, path), ...nested]
  }
  if (!isJsonObject(value)) return []
  const properties = isJsonObject(schema.properties) ? schema.properties : {}
  const { additionalProperties } = schema
  return Object.keys(value).flatMap((name) => {
    const member = value[name] as Json
    const property = entryOf(properties, name)
    if (isJsonObject(property))
      return listErrors(property, member, path === '' ? name : `${path}.${name}`)
    return isJsonObject(additionalProperties)
      ? listErrors(additionalProperties, member, `${path}[${name}]`)
      : []
  })
}

function repeated(schema: JsonObject, list: Json[], path: string): FieldError[] {
  const type = schema['x-kubernetes-list-type']
  const keys = schema['x-kubernetes-list-map-keys']
  if (type !== 'set' && type !== 'map') return []
  const identity = (item: Json): Json | undefined => {
    if (type === 'set') return item
    if (!Array.isArray(keys)) return undefined
    if (!isJsonObject(item)) return {}
    return Object.fromEntries(
      (keys as string[])
        .filter((key) => Object.hasOwn(item, key))
        .map((key) => [key, item[key] as Json]),
    )
  }
  const odd = type === 'map' ? list.findIndex((item) => item !== null && !isJsonObject(item)) : -1
  if (odd >= 0) return [noObject(`${path}[${odd}]`, list[odd] as Json)]
  const times = new Map<string, number>()
  return list.flatMap((item, index): FieldError[] => {
    const own = identity(item)
    if (own === undefined) return []
    const text = sortedText(own)
    const time = (times.get(text) ?? 0) + 1
    times.set(text, time)
    return time === 2 ? [duplicatePrinted(`${path}[${index}]`, printedUntyped(own))] : []
  })
}

/** Ends the validation of the list. */
const noObject = (field: string, item: Json): FieldError =>
  invalidPrinted(field, printedUntyped(item), 'must be an object for an array of list-type map')

const sortedText = (value: Json): string =>
  JSON.stringify(value, (_key, inner: unknown) =>
    isJsonObject(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
