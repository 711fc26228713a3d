import fc from 'fast-check'
import type { JsonObject } from '../../src/engine/core/object'
import { horizontalPodAutoscalerV1 as conversionWith } from '../../src/engine/releases/conversions/autoscaler'
import { builtinModel } from '../../src/engine/schema/builtin'

export const horizontalPodAutoscalerV1 = conversionWith(builtinModel())
export const HUB = '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers'
export const OLD = '/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers'
export const METRICS = 'autoscaling.alpha.kubernetes.io/metrics'
export const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }

const utilization = fc.integer({ min: 1, max: 99 })
const quantity = fc.constantFrom('1', '500m', '10k', '2Gi')
const metric = fc.constantFrom('rps', 'queue-length')
const wanted = fc.oneof(
  utilization.map((averageUtilization) => ({ type: 'Utilization', averageUtilization })),
  quantity.map((averageValue) => ({ type: 'AverageValue', averageValue })),
)
export const source: fc.Arbitrary<JsonObject> = fc.oneof(
  fc
    .tuple(fc.constantFrom('cpu', 'memory'), wanted)
    .map(([name, target]) => ({ type: 'Resource', resource: { name, target } })),
  wanted.map((target) => ({
    type: 'ContainerResource',
    containerResource: { name: 'cpu', container: 'c', target },
  })),
  fc.tuple(metric, quantity).map(([name, averageValue]) => ({
    type: 'Pods',
    pods: { metric: { name }, target: { type: 'AverageValue', averageValue } },
  })),
  fc.tuple(metric, quantity).map(([name, value]) => ({
    type: 'External',
    external: { metric: { name }, target: { type: 'Value', value } },
  })),
  fc.tuple(metric, quantity).map(([name, value]) => ({
    type: 'Object',
    object: { describedObject: scaleTargetRef, metric: { name }, target: { type: 'Value', value } },
  })),
)
