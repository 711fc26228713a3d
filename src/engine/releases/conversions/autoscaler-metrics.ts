/** Members of v2, flattened. */
import { entryOf, isJsonObject, type Json, type JsonObject } from '../../core/object'

type Word = 'target' | 'current'

/** `%` is the placeholder of the `Word`. */
const SOURCES: Record<string, [v1: string, v2: string][]> = {
  object: [
    ['target', 'describedObject'],
    ['metricName', 'metric.name'],
    ['%Value', '%.value'],
    ['selector', 'metric.selector'],
    ['averageValue', '%.averageValue'],
  ],
  pods: [
    ['metricName', 'metric.name'],
    ['%AverageValue', '%.averageValue'],
    ['selector', 'metric.selector'],
  ],
  resource: [
    ['name', 'name'],
    ['%AverageUtilization', '%.averageUtilization'],
    ['%AverageValue', '%.averageValue'],
  ],
  containerResource: [
    ['name', 'name'],
    ['%AverageUtilization', '%.averageUtilization'],
    ['%AverageValue', '%.averageValue'],
    ['container', 'container'],
  ],
  external: [
    ['metricName', 'metric.name'],
    ['metricSelector', 'metric.selector'],
    ['%Value', '%.value'],
    ['%AverageValue', '%.averageValue'],
  ],
}

/** Always written; unset ones are zero. */
const ALWAYS: Record<Word, Record<string, string>> = {
  target: { object: 'targetValue', pods: 'targetAverageValue' },
  current: {
    ...{ object: 'currentValue', pods: 'currentAverageValue', external: 'currentValue' },
    ...{ resource: 'currentAverageValue', containerResource: 'currentAverageValue' },
  },
}

/** Implied by the present values. */
function targetType(source: string, target: JsonObject): string {
  if (source === 'pods') return 'AverageValue'
  if (source === 'object') return target.averageValue === undefined ? 'Value' : 'AverageValue'
  if (source === 'external') return target.value === undefined ? 'AverageValue' : 'Value'
  return target.averageUtilization === undefined ? 'AverageValue' : 'Utilization'
}

export function metricToV1(metric: JsonObject, word: Word): JsonObject {
  const flat: JsonObject = { type: metric.type ?? '' }
  for (const [source, members] of Object.entries(SOURCES)) {
    const value = metric[source]
    if (!isJsonObject(value)) continue
    const laid: JsonObject = {}
    for (const [name, path] of members) {
      const flatName = name.replace('%', word)
      const found =
        valueAt(value, path.replace('%', word)) ??
        (entryOf(ALWAYS[word], source) === flatName ? '0' : undefined)
      if (found !== undefined) laid[flatName] = found
    }
    flat[source] = laid
  }
  return flat
}

/** Decoding later rejects a value that is not an object. */
export function metricFromV1(flat: JsonObject, word: Word): JsonObject {
  const metric: JsonObject = { type: flat.type ?? '' }
  for (const [source, members] of Object.entries(SOURCES)) {
    const value = flat[source]
    if (!isJsonObject(value)) {
      if (value !== undefined) metric[source] = value
      continue
    }
    const raised: JsonObject = {}
    for (const [name, path] of members) {
      const flatName = name.replace('%', word)
      const found =
        value[flatName] ?? (entryOf(ALWAYS[word], source) === flatName ? '0' : undefined)
      if (found !== undefined) setAt(raised, path.replace('%', word), found)
    }
    const amount = isJsonObject(raised[word]) ? raised[word] : {}
    raised[word] = word === 'target' ? { type: targetType(source, amount), ...amount } : amount
    metric[source] = raised
  }
  return metric
}

function valueAt(object: JsonObject, path: string): Json | undefined {
  let value: Json | undefined = object
  for (const member of path.split('.')) value = isJsonObject(value) ? value[member] : undefined
  return value ?? undefined
}

function setAt(object: JsonObject, path: string, value: Json): void {
  const [outer = '', inner] = path.split('.')
  if (inner === undefined) object[outer] = value
  else object[outer] = { ...(isJsonObject(object[outer]) ? object[outer] : {}), [inner]: value }
}
