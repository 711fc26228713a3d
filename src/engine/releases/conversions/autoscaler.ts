/**
 * HorizontalPodAutoscaler v1 knows one metric, the use of CPU; whatever else v2 says travels in annotations (recorded). What an
 * annotation says that cannot be read is dropped silently.
 */
import { isJsonObject, type Json, type JsonObject, type KubeObject } from '../../object'
import type { Conversion } from '../conversion'
import { behaviorFromText, behaviorText } from './autoscaler-behavior'
import { metricFromV1, metricToV1 } from './autoscaler-metrics'

const DEFAULT_CPU_PERCENTAGE = 80

const HUB = { group: 'autoscaling', version: 'v2' }
const PREFIX = 'autoscaling.alpha.kubernetes.io/'
const METRICS = `${PREFIX}metrics`
export const BEHAVIOR_ANNOTATION = `${PREFIX}behavior`
const CURRENT_METRICS = `${PREFIX}current-metrics`
const CONDITIONS = `${PREFIX}conditions`
/** Annotations by which v1 carries what it has no member for. */
export const ROUND_TRIP_ANNOTATIONS: readonly string[] = [METRICS, BEHAVIOR_ANNOTATION, CURRENT_METRICS, CONDITIONS]

type Annotations = Record<string, string>

/** @returns undefined for what is no JSON */
export function parsed(text: string | undefined): Json | undefined {
  if (text === undefined) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** @returns undefined unless the text is a list of objects */
function objectsIn(text: string | undefined): JsonObject[] | undefined {
  const value = parsed(text)
  return Array.isArray(value) && value.every(isJsonObject) ? value : undefined
}

const objects = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isJsonObject) : [])
const part = (object: KubeObject, name: 'spec' | 'status'): JsonObject => (isJsonObject(object[name]) ? (object[name] as JsonObject) : {})

function withoutRoundTrip(annotations: Annotations | undefined): Annotations | undefined {
  if (!annotations || !ROUND_TRIP_ANNOTATIONS.some((key) => Object.hasOwn(annotations, key))) return annotations
  return Object.fromEntries(Object.entries(annotations).filter(([key]) => !ROUND_TRIP_ANNOTATIONS.includes(key)))
}

/** The percentage of a metric that is the use of CPU. */
function cpuUtilization(metric: JsonObject, word: 'target' | 'current'): number | undefined {
  const { resource } = metric
  if (metric.type !== 'Resource' || !isJsonObject(resource) || resource.name !== 'cpu') return undefined
  const amount = resource[word]
  return isJsonObject(amount) && typeof amount.averageUtilization === 'number' ? amount.averageUtilization : undefined
}

function toHub(object: KubeObject): KubeObject {
  const { annotations } = object.metadata
  const { targetCPUUtilizationPercentage: target, ...spec } = part(object, 'spec')
  const { currentCPUUtilizationPercentage: current, ...status } = part(object, 'status')
  const cpu = (word: 'target' | 'current', percentage: Json | undefined): JsonObject[] => {
    if (typeof percentage !== 'number') return []
    const amount = { ...(word === 'target' ? { type: 'Utilization' } : {}), averageUtilization: percentage }
    return [{ type: 'Resource', resource: { name: 'cpu', [word]: amount } }]
  }
  const others = objectsIn(annotations?.[METRICS])?.map((metric) => metricFromV1(metric, 'target')) ?? []
  const seen = objectsIn(annotations?.[CURRENT_METRICS])?.map((metric) => metricFromV1(metric, 'current'))
  const said = [...others, ...cpu('target', target)]
  // In v1 saying nothing of metrics is a demand by itself, so it counts in every conversion (recorded).
  const metrics = said.length > 0 ? said : cpu('target', DEFAULT_CPU_PERCENTAGE)
  const behavior = behaviorFromText(parsed(annotations?.[BEHAVIOR_ANNOTATION]))
  const conditions = objectsIn(annotations?.[CONDITIONS])
  const currentMetrics = seen ?? cpu('current', current)
  const kept = withoutRoundTrip(annotations)
  return {
    ...object,
    apiVersion: `${HUB.group}/${HUB.version}`,
    metadata: { ...object.metadata, ...(kept ? { annotations: kept } : {}) },
    spec: { ...spec, metrics, ...(behavior ? { behavior } : {}) },
    status: { ...status, ...(currentMetrics.length > 0 ? { currentMetrics } : {}), ...(conditions ? { conditions } : {}) },
  }
}

function fromHub(object: KubeObject): KubeObject {
  const { metrics, behavior, ...spec } = part(object, 'spec')
  const { currentMetrics, conditions, ...status } = part(object, 'status')
  const wanted = objects(metrics)
  const seen = objects(currentMetrics)
  const others = wanted.filter((metric) => cpuUtilization(metric, 'target') === undefined)
  const annotations: Annotations = { ...withoutRoundTrip(object.metadata.annotations) }
  if (others.length > 0) annotations[METRICS] = JSON.stringify(others.map((metric) => metricToV1(metric, 'target')))
  if (seen.length > 0) annotations[CURRENT_METRICS] = JSON.stringify(seen.map((metric) => metricToV1(metric, 'current')))
  if (isJsonObject(behavior)) annotations[BEHAVIOR_ANNOTATION] = behaviorText(behavior)
  if (objects(conditions).length > 0) annotations[CONDITIONS] = JSON.stringify(conditions)
  const target = wanted.map((metric) => cpuUtilization(metric, 'target')).find((percentage) => percentage !== undefined)
  const current = seen.map((metric) => cpuUtilization(metric, 'current')).findLast((percentage) => percentage !== undefined)
  return {
    ...object,
    apiVersion: `${HUB.group}/v1`,
    metadata: { ...object.metadata, ...(Object.keys(annotations).length > 0 || object.metadata.annotations ? { annotations } : {}) },
    spec: { ...spec, ...(target === undefined ? {} : { targetCPUUtilizationPercentage: target }) },
    status: { ...status, ...(current === undefined ? {} : { currentCPUUtilizationPercentage: current }) },
  }
}

export const horizontalPodAutoscalerV1: Conversion = { hub: HUB, toHub, fromHub }
