/** Rules of HorizontalPodAutoscalers. Recorded from kube-apiserver 1.31. */

import { isJsonObject, type JsonObject, type KubeObject } from '../../core/object'
import type { Kind } from '../../registry/kind'
import type { Strategy, StrategyEngine } from '../../registry/strategy'
import { WITHOUT_METADATA } from '../../registry/update-order'
import { ROUND_TRIP_ANNOTATIONS } from '../../releases/conversions/autoscaler-annotations'
import { isExplicitEmpty } from '../../schema/explicit-empties'
import {
  atLeast,
  type Declared,
  type DeclaredFor,
  mustBeSet,
} from '../../validation/declared/rules'
import {
  type AutoscalerRules,
  describedObjects,
  targetOf,
  validateAutoscalerSpec,
  validateAutoscalerStatus,
  versionProblem,
} from './validation'

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

function filled(rules: unknown, defaults: JsonObject): JsonObject {
  const specified = isJsonObject(rules)
    ? Object.entries(rules).filter(([, value]) => value !== null && value !== undefined)
    : []
  // Empty policies stay empty: validation rejects them.
  const none: JsonObject =
    isJsonObject(rules) && isExplicitEmpty(rules, 'policies') ? { policies: [] } : {}
  return { ...defaults, ...Object.fromEntries(specified), ...none }
}

const autoscalerStrategy: Strategy = {
  serverOwned: ['status'],
  behindGates: (gates) => (gates.HPAGeneration ? { generationFields: ['spec'] } : {}),
  defaults(object) {
    const autoscaler = object as HorizontalPodAutoscaler
    const spec = isJsonObject(autoscaler.spec) ? autoscaler.spec : {}
    autoscaler.spec = spec
    spec.minReplicas ??= 1
    if (!Array.isArray(spec.metrics) || spec.metrics.length === 0) spec.metrics = [CPU]
    dropRoundTrip(object)
    // Unset behavior stays unset.
    if (!isJsonObject(spec.behavior)) return
    spec.behavior = {
      scaleUp: filled(spec.behavior.scaleUp, SCALE_UP()),
      scaleDown: filled(spec.behavior.scaleDown, SCALE_DOWN()),
    }
  },
  prepareForCreate: (object, { engine }) => dropTolerance(engine, object),
  prepareForUpdate: (object, old, { engine }) => dropTolerance(engine, object, old),
  validate: (object, { engine }, old) =>
    validateAutoscalerSpec(specOf(object), {
      fewest: fewestReplicas(engine, old),
      zeroIsUnset: engine.tables.changes.has('AutoscalerMaximumRequired'),
      ...groupRules(engine, object, old),
    }),
  status: {
    validateUpdate: (object) =>
      validateAutoscalerStatus(isJsonObject(object.status) ? object.status : {}),
  },
}

const specOf = (object: KubeObject | undefined): JsonObject =>
  (object as HorizontalPodAutoscaler | undefined)?.spec ?? {}

const fewestReplicas = (engine: StrategyEngine, old?: KubeObject): 0 | 1 =>
  engine.featureGates.HPAScaleToZero === true || specOf(old).minReplicas === 0 ? 0 : 1

/** References that need a valid apiVersion, and those that need a group. */
function groupRules(
  { tables }: StrategyEngine,
  object: KubeObject,
  old?: KubeObject,
): Pick<AutoscalerRules, 'target' | 'described'> {
  if (!tables.changes.has('AutoscalerGroupsChecked')) return {}
  const [now, before] = [specOf(object), specOf(old)].map((spec) => targetOf(spec.scaleTargetRef))
  const isKept =
    old !== undefined && now?.apiVersion === before?.apiVersion && now?.kind === before?.kind
  const wasReadable = describedObjects(specOf(old)).every(
    ({ apiVersion }) => versionProblem(apiVersion, 'any group') === undefined,
  )
  return {
    ...(isKept ? {} : { target: now?.kind === 'ReplicationController' ? 'any group' : 'a group' }),
    ...(wasReadable ? { described: 'any group' } : {}),
  }
}

/** Unless stored. */
function dropTolerance(engine: StrategyEngine, object: KubeObject, old?: KubeObject): void {
  if (engine.featureGates.HPAConfigurableTolerance) return
  if (rulesOf(old).some(({ tolerance }) => tolerance !== undefined)) return
  for (const rules of rulesOf(object)) delete rules.tolerance
}

function rulesOf(object: KubeObject | undefined): JsonObject[] {
  const { behavior } = specOf(object)
  return isJsonObject(behavior)
    ? [behavior.scaleDown, behavior.scaleUp].filter((rules) => isJsonObject(rules))
    : []
}

/** v1 annotations would contradict v2 members. */
function dropRoundTrip(object: KubeObject): void {
  const { annotations } = object.metadata
  if (!annotations || !ROUND_TRIP_ANNOTATIONS.some((key) => Object.hasOwn(annotations, key))) return
  const kept = Object.entries(annotations).filter(([key]) => !ROUND_TRIP_ANNOTATIONS.includes(key))
  object.metadata.annotations = Object.fromEntries(kept)
}

function declaredOfAutoscaler({ featureGates, old }: DeclaredFor): Declared {
  const before = isJsonObject(old?.spec) ? old.spec : {}
  const fewest = featureGates.HPAScaleToZero || before.minReplicas === 0 ? 0 : 1
  return {
    members: {
      spec: {
        members: {
          minReplicas: { all: [atLeast(fewest)] },
          maxReplicas: { first: [mustBeSet], all: [atLeast(1)] },
        },
      },
    },
  }
}

export const autoscalingKinds: readonly Kind[] = [
  {
    group: 'autoscaling',
    kind: 'HorizontalPodAutoscaler',
    strategy: autoscalerStrategy,
    updateChecks: WITHOUT_METADATA,
    declared: declaredOfAutoscaler,
  },
]
