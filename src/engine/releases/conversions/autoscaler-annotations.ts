/** Members that older versions lack, as JSON. As in Go, a value of a wrong type voids them. */
import { isJsonObject, type Json, type JsonObject } from '../../core/object'
import { DecodeError } from '../../schema/decode-error'
import { decodeStruct } from '../../schema/decoder'
import type { StructType, TypeModel } from '../../schema/model'
import { behaviorFromText } from './autoscaler-behavior'
import { metricFromV1 } from './autoscaler-metrics'

const PREFIX = 'autoscaling.alpha.kubernetes.io/'
export const METRICS = `${PREFIX}metrics`
export const BEHAVIOR = `${PREFIX}behavior`
export const CURRENT_METRICS = `${PREFIX}current-metrics`
export const CONDITIONS = `${PREFIX}conditions`
export const ROUND_TRIP_ANNOTATIONS: readonly string[] = [
  METRICS,
  BEHAVIOR,
  CURRENT_METRICS,
  CONDITIONS,
]

type Annotations = Record<string, string> | undefined

/** Other than CPU, in v2 form. */
export function metricsIn(annotations: Annotations, model: TypeModel): JsonObject[] | undefined {
  return list('Spec', 'metrics', raised(parsed(annotations?.[METRICS]), 'target'), model)
}

export function currentMetricsIn(
  annotations: Annotations,
  model: TypeModel,
): JsonObject[] | undefined {
  return list(
    'Status',
    'currentMetrics',
    raised(parsed(annotations?.[CURRENT_METRICS]), 'current'),
    model,
  )
}

export function behaviorIn(annotations: Annotations, model: TypeModel): JsonObject | undefined {
  const behavior = fitting(
    'Spec',
    'behavior',
    behaviorFromText(parsed(annotations?.[BEHAVIOR]), model),
    model,
  )
  return isJsonObject(behavior) ? behavior : undefined
}

export function conditionsIn(annotations: Annotations, model: TypeModel): JsonObject[] | undefined {
  return list('Status', 'conditions', parsed(annotations?.[CONDITIONS]), model)
}

function parsed(text: string | undefined): Json | undefined {
  if (text === undefined) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const raised = (value: Json | undefined, word: 'target' | 'current'): Json | undefined =>
  Array.isArray(value)
    ? value.map((metric) => (isJsonObject(metric) ? metricFromV1(metric, word) : metric))
    : value

function list(
  part: 'Spec' | 'Status',
  member: string,
  value: Json | undefined,
  model: TypeModel,
): JsonObject[] | undefined {
  const items = fitting(part, member, value, model)
  return Array.isArray(items) ? (items as JsonObject[]) : undefined
}

/** undefined if it does not fit. */
function fitting(
  part: 'Spec' | 'Status',
  member: string,
  value: Json | undefined,
  model: TypeModel,
): Json | undefined {
  if (value === undefined) return undefined
  const type = model.byName(
    `io.k8s.api.autoscaling.v2.HorizontalPodAutoscaler${part}`,
  ) as StructType
  try {
    return decodeStruct(type, { [member]: value }, '').value[member]
  } catch (error) {
    if (error instanceof DecodeError) return undefined
    throw error
  }
}
