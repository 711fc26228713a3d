/** Strategies of the kinds of group `autoscaling`. Defaults recorded from kube-apiserver 1.31. */
import { isJsonObject, type JsonObject, type KubeObject } from '../../object'
import { ROUND_TRIP_ANNOTATIONS } from '../../releases/conversions/autoscaler-annotations'
import { isExplicitEmpty } from '../../schema/explicit-empties'
import type { Strategy } from '../strategy'
import { validateAutoscalerSpec, validateAutoscalerStatus } from './validation'

interface HorizontalPodAutoscaler extends KubeObject {
  spec?: JsonObject
}

const CPU: JsonObject = {
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
}

const SCALE_UP = (): JsonObject => ({
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies: [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ],
})
const SCALE_DOWN = (): JsonObject => ({
  selectPolicy: 'Max',
  policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
})

/** The specified rules with defaults for the unset members. */
function filled(rules: unknown, defaults: JsonObject): JsonObject {
  const specified = isJsonObject(rules)
    ? Object.entries(rules).filter(([, value]) => value !== null && value !== undefined)
    : []
  // An empty list of policies stays empty; validation rejects it later.
  const none: JsonObject =
    isJsonObject(rules) && isExplicitEmpty(rules, 'policies') ? { policies: [] } : {}
  return { ...defaults, ...Object.fromEntries(specified), ...none }
}

const autoscalerStrategy: Strategy = {
  serverOwned: ['status'],
  defaults(object) {
    const autoscaler = object as HorizontalPodAutoscaler
    const spec = isJsonObject(autoscaler.spec) ? autoscaler.spec : {}
    autoscaler.spec = spec
    spec.minReplicas ??= 1
    if (!Array.isArray(spec.metrics) || spec.metrics.length === 0) spec.metrics = [CPU]
    dropRoundTrip(object)
    // An unset behavior stays unset; a partial one gets all defaults.
    if (!isJsonObject(spec.behavior)) return
    spec.behavior = {
      scaleUp: filled(spec.behavior.scaleUp, SCALE_UP()),
      scaleDown: filled(spec.behavior.scaleDown, SCALE_DOWN()),
    }
  },
  validate(object, { engine }, old) {
    const mayRest =
      engine.featureGates.HPAScaleToZero === true ||
      (old as HorizontalPodAutoscaler | undefined)?.spec?.minReplicas === 0
    return validateAutoscalerSpec((object as HorizontalPodAutoscaler).spec ?? {}, mayRest ? 0 : 1)
  },
  status: {
    validateUpdate: (object) =>
      validateAutoscalerStatus(isJsonObject(object.status) ? object.status : {}),
  },
}

/** Drops the annotations of version v1, which would contradict the v2 members. */
function dropRoundTrip(object: KubeObject): void {
  const { annotations } = object.metadata
  if (!annotations || !ROUND_TRIP_ANNOTATIONS.some((key) => Object.hasOwn(annotations, key))) return
  const kept = Object.entries(annotations).filter(([key]) => !ROUND_TRIP_ANNOTATIONS.includes(key))
  object.metadata.annotations = Object.fromEntries(kept)
}

export const autoscalingStrategies: Record<string, Strategy> = {
  'autoscaling/HorizontalPodAutoscaler': autoscalerStrategy,
}
