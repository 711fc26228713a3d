import { formatDuration, formatTimestamp } from '../../../engine/cel/values/time'
import {
  Duration,
  EvaluationError,
  ListValue,
  type MapValue,
  OpaqueValue,
  OptionalValue,
  Timestamp,
  TypeValue,
  UInt,
  type Value,
} from '../../../engine/cel/values/value'
import { PARTS } from './texts'

const MOST_ITEMS = 20
const MOST_DEPTH = 4

/** @param most characters; longer text ends in an ellipsis */
export function valueText(value: Value, most = 200): string {
  const text = textOf(value, 0)
  return text.length > most ? `${text.slice(0, most - 1)}…` : text
}

function textOf(value: Value, depth: number): string {
  if (value === null) return 'null'
  switch (typeof value) {
    case 'boolean':
    case 'bigint':
      return String(value)
    case 'number':
      return Number.isInteger(value) ? value.toFixed(1) : String(value)
    case 'string':
      return JSON.stringify(value)
    default:
      return textOfObject(value, depth)
  }
}

function textOfObject(
  value: Exclude<Value, null | boolean | bigint | number | string>,
  depth: number,
): string {
  if (value instanceof EvaluationError) return `error: ${value.message}`
  if (value instanceof UInt) return `${value.value}u`
  if (value instanceof Uint8Array)
    return `b${JSON.stringify(String.fromCharCode(...value.subarray(0, 100)))}`
  if (value instanceof Duration) return `duration("${formatDuration(value)}")`
  if (value instanceof Timestamp) return `timestamp("${formatTimestamp(value)}")`
  if (value instanceof TypeValue) return value.name
  if (value instanceof OptionalValue)
    return value.value === undefined
      ? 'optional.none()'
      : `optional.of(${textOf(value.value, depth + 1)})`
  if (value instanceof OpaqueValue) return value.typeName
  if (value instanceof ListValue)
    return `[${listed(value.size, depth, (index) => textOf(value.at(index), depth + 1))}]`
  return mapText(value, depth)
}

function mapText(map: MapValue, depth: number): string {
  const keys = map.keys()
  return `{${listed(keys.length, depth, (index) => {
    const key = keys[index] as Value
    return `${textOf(key, depth + 1)}: ${textOf(map.find(key) ?? null, depth + 1)}`
  })}}`
}

function listed(size: number, depth: number, item: (index: number) => string): string {
  if (size === 0) return ''
  if (depth >= MOST_DEPTH) return '…'
  const items = Array.from({ length: Math.min(size, MOST_ITEMS) }, (_, index) => item(index))
  return [...items, ...(size > MOST_ITEMS ? [`… ${size - MOST_ITEMS} more`] : [])].join(', ')
}

/** The first values of a part that is evaluated repeatedly. */
export function valuesText(
  { values, evaluations }: { values: readonly Value[]; evaluations: number },
  most = 200,
): string {
  const [only] = values
  if (only === undefined) return evaluations === 0 ? PARTS.notEvaluated : PARTS.stopped
  if (values.length === 1) return valueText(only, most)
  const each = values
    .slice(0, MAX_SHOWN)
    .map((value) => valueText(value, Math.ceil(most / MAX_SHOWN)))
  return `${each.join(' · ')}${evaluations > each.length ? ` · … ${evaluations} times` : ''}`
}

const MAX_SHOWN = 6
