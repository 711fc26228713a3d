/** v1 has only CPU utilization; the rest is in annotations. Recorded from kube-apiserver 1.31. */
import { isJsonObject, type Json, type JsonObject, type KubeObject } from '../../core/object'
import { goJson } from '../../schema/go-json'
import type { TypeModel } from '../../schema/model'
import type { Conversion } from '../conversion-type'
import {
  BEHAVIOR,
  behaviorIn,
  CONDITIONS,
  CURRENT_METRICS,
  conditionsIn,
  currentMetricsIn,
  METRICS,
  metricsIn,
  ROUND_TRIP_ANNOTATIONS,
} from './autoscaler-annotations'
import { behaviorText } from './autoscaler-behavior'
import { metricToV1 } from './autoscaler-metrics'

const DEFAULT_CPU_PERCENTAGE = 80

const HUB = { group: 'autoscaling', version: 'v2' }

type Annotations = Record<string, string>

const objects = (value: unknown): JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : []
const part = (object: KubeObject, name: 'spec' | 'status'): JsonObject =>
  isJsonObject(object[name]) ? (object[name] as JsonObject) : {}

function withoutRoundTrip(annotations: Annotations | undefined): Annotations | undefined {
  if (!annotations || !ROUND_TRIP_ANNOTATIONS.some((key) => Object.hasOwn(annotations, key)))
    return annotations
  return Object.fromEntries(
    Object.entries(annotations).filter(([key]) => !ROUND_TRIP_ANNOTATIONS.includes(key)),
  )
}

const isCpu = ({ type, resource }: JsonObject): boolean =>
  type === 'Resource' && isJsonObject(resource) && resource.name === 'cpu'

function cpuUtilization(
  metric: JsonObject | undefined,
  word: 'target' | 'current',
): number | undefined {
  if (metric === undefined || !isCpu(metric)) return undefined
  const amount = (metric.resource as JsonObject)[word]
  return isJsonObject(amount) && typeof amount.averageUtilization === 'number'
    ? amount.averageUtilization
    : undefined
}

function toHub(object: KubeObject, model: TypeModel): KubeObject {
  const { annotations } = object.metadata
  const { targetCPUUtilizationPercentage: target, ...spec } = part(object, 'spec')
  const { currentCPUUtilizationPercentage: current, ...status } = part(object, 'status')
  const cpu = (word: 'target' | 'current', percentage: Json | undefined): JsonObject[] => {
    if (typeof percentage !== 'number') return []
    const amount = {
      ...(word === 'target' ? { type: 'Utilization' } : {}),
      averageUtilization: percentage,
    }
    return [{ type: 'Resource', resource: { name: 'cpu', [word]: amount } }]
  }
  const specified = [...(metricsIn(annotations, model) ?? []), ...cpu('target', target)]
  // Absent metrics mean the default CPU target in v1. Recorded from kube-apiserver 1.31.
  const metrics = specified.length > 0 ? specified : cpu('target', DEFAULT_CPU_PERCENTAGE)
  const behavior = behaviorIn(annotations, model)
  const conditions = conditionsIn(annotations, model)
  const currentMetrics = currentMetricsIn(annotations, model) ?? cpu('current', current)
  const kept = withoutRoundTrip(annotations)
  return {
    ...object,
    apiVersion: `${HUB.group}/${HUB.version}`,
    metadata: { ...object.metadata, ...(kept ? { annotations: kept } : {}) },
    spec: { ...spec, metrics, ...(behavior ? { behavior } : {}) },
    status: {
      ...status,
      ...(currentMetrics.length > 0 ? { currentMetrics } : {}),
      ...(conditions ? { conditions } : {}),
    },
  }
}

function fromHub(object: KubeObject, model: TypeModel): KubeObject {
  const { metrics, behavior, ...spec } = part(object, 'spec')
  const { currentMetrics, conditions, ...status } = part(object, 'status')
  const wanted = objects(metrics)
  const seen = objects(currentMetrics)
  const others = wanted.filter((metric) => cpuUtilization(metric, 'target') === undefined)
  const annotations: Annotations = { ...withoutRoundTrip(object.metadata.annotations) }
  if (others.length > 0)
    annotations[METRICS] = goJson(others.map((metric) => metricToV1(metric, 'target')))
  if (seen.length > 0)
    annotations[CURRENT_METRICS] = goJson(seen.map((metric) => metricToV1(metric, 'current')))
  if (isJsonObject(behavior)) annotations[BEHAVIOR] = behaviorText(behavior, model)
  if (objects(conditions).length > 0) annotations[CONDITIONS] = goJson(conditions)
  // Only the first CPU metric counts, even if its target is not a percentage.
  const target = cpuUtilization(wanted.find(isCpu), 'target')
  const current = seen
    .map((metric) => cpuUtilization(metric, 'current'))
    .findLast((percentage) => percentage !== undefined)
  return {
    ...object,
    apiVersion: `${HUB.group}/v1`,
    metadata: {
      ...object.metadata,
      ...(Object.keys(annotations).length > 0 || object.metadata.annotations
        ? { annotations }
        : {}),
    },
    spec: { ...spec, ...(target === undefined ? {} : { targetCPUUtilizationPercentage: target }) },
    status: {
      ...status,
      ...(current === undefined ? {} : { currentCPUUtilizationPercentage: current }),
    },
  }
}

export const horizontalPodAutoscalerV1 = (model: TypeModel): Conversion => ({
  hub: HUB,
  toHub: (object) => toHub(object, model),
  fromHub: (object) => fromHub(object, model),
})
