/** Objects with a value at one place: recorded ones, with what leads there added. */
import { isJsonObject, type Json, type JsonObject } from '../../src/engine/core/object'
import type { StructType, TypeNode } from '../../src/engine/schema/model'
import type { Step } from './fields'

/** What required members need where a letter is not enough. */
const MEMBERS: Record<string, Json> = {
  resource: 'limits.cpu',
  mountPath: '/a',
  image: 'i',
  operator: 'In',
  port: 80,
  type: 'Container',
  status: 'True',
  accessModes: ['ReadWriteOnce'],
  containerName: 'c',
  fieldPath: 'metadata.name',
  metricName: 'm',
}

/** Structures whose other members follow from the one that is set, by the end of their type's name. */
const COMPANIONS: Record<string, (field: string) => JsonObject> = {
  ResourceFieldSelector: () => ({ containerName: 'c' }),
  MetricSpec: (field) => ({ type: capitalized(field) }),
  MetricStatus: (field) => ({ type: capitalized(field) }),
  MetricTarget: (field) => ({ type: capitalized(field) }),
}

/** Values that validation requires in addition to the schema. */
const EXTRA: Record<string, JsonObject> = {
  Container: { image: 'i' },
  EphemeralContainer: { image: 'i' },
  PersistentVolumeClaimSpec: { accessModes: ['ReadWriteOnce'] },
}

const shortName = (type: TypeNode): string => (type as StructType).name.split('.').at(-1) ?? ''

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const companions = (type: TypeNode, field: string): JsonObject =>
  COMPANIONS[shortName(type)]?.(field) ?? {}

/** Where a list has items already: the first of them is used, or another is added. */
export type Way = 'first' | 'added'

/** @returns a copy of the value with the amount at the place @param key of maps that are empty */
export function withAmount(
  value: Json | undefined,
  type: TypeNode,
  steps: readonly Step[],
  amount: Json,
  key: string,
  way: Way,
): Json {
  const [step, ...rest] = steps
  if (step === undefined) return amount
  if ('field' in step) {
    const object = isJsonObject(value) ? value : least(type)
    const member = (type as StructType).byName.get(step.field)
    if (!isJsonObject(object) || member === undefined) throw new Error(`no member ${step.field}`)
    return {
      ...EXTRA[shortName(type)],
      ...object,
      ...companions(type, step.field),
      [step.field]: withAmount(object[step.field], member.type, rest, amount, key, way),
    }
  }
  if ('item' in step) {
    const items = Array.isArray(value) ? value : []
    const at = way === 'first' ? 0 : items.length
    return [
      ...items.slice(0, at),
      withAmount(items[at], step.item.items, rest, amount, key, way),
      ...items.slice(at + 1),
    ]
  }
  const map = isJsonObject(value) ? value : {}
  const name = Object.keys(map)[0] ?? key
  return {
    ...map,
    [name]: withAmount(map[name], (type as { values: TypeNode }).values, rest, amount, key, way),
  }
}

/** A copy of an object that `withAmount` made, with another amount in the same place. */
export function replaceAmount(
  value: Json | undefined,
  [step, ...rest]: readonly Step[],
  amount: Json,
  way: Way,
): Json {
  if (step === undefined) return amount
  if ('item' in step) {
    const items = Array.isArray(value) ? value : []
    const at = way === 'first' ? 0 : items.length - 1
    return items.map((item, i) => (i === at ? replaceAmount(item, rest, amount, way) : item))
  }
  if (!isJsonObject(value)) throw new Error('nothing is there')
  const name = 'field' in step ? step.field : (Object.keys(value)[0] ?? '')
  return { ...value, [name]: replaceAmount(value[name], rest, amount, way) }
}

/** What is at the place in an object that `withAmount` made. */
export function amountAt(
  value: Json | undefined,
  steps: readonly Step[],
  way: Way,
): Json | undefined {
  const [step, ...rest] = steps
  if (step === undefined || value === undefined) return value
  if ('field' in step)
    return isJsonObject(value) ? amountAt(value[step.field], rest, way) : undefined
  if ('item' in step)
    return Array.isArray(value)
      ? amountAt(value[way === 'first' ? 0 : value.length - 1], rest, way)
      : undefined
  return isJsonObject(value) ? amountAt(Object.values(value)[0], rest, way) : undefined
}

/** A value with nothing but its required members. */
function least(type: TypeNode, name = ''): Json {
  if (MEMBERS[name] !== undefined) return MEMBERS[name] as Json
  switch (type.type) {
    case 'struct':
      return Object.fromEntries(
        type.fields
          .filter(({ required }) => required)
          .map((field) => [field.name, least(field.type, field.name)]),
      )
    case 'list':
      return []
    case 'scalar':
      return leastScalar(type.format, type.enum)
    default:
      return {}
  }
}

function leastScalar(format: string, choices: readonly string[] | undefined): Json {
  if (choices?.[0] !== undefined) return choices[0]
  if (format.startsWith('int')) return 1
  if (format === 'boolean') return false
  if (format === 'time') return '2024-01-01T00:00:00Z'
  return format === 'quantity' ? '1' : 'a'
}
