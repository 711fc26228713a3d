/** Flat, like v1's annotations; behavior is an annotation. */
import { isJsonObject, type Json, type JsonObject, type KubeObject } from '../../core/object'
import { builtinModel } from '../../schema/builtin'
import type { Conversion } from '../conversion-type'
import { BEHAVIOR, behaviorIn } from './autoscaler-annotations'
import { behaviorText } from './autoscaler-behavior'
import { metricFromV1, metricToV1 } from './autoscaler-metrics'
import { objectAt, withAnnotation, withEach, withObject } from './members'

const HUB = { group: 'autoscaling', version: 'v2' }

const isZero = (amount: Json | undefined): boolean =>
  typeof amount === 'string' && /^0+(\.0*)?\D*$/.test(amount)

/** Always written, so zero is ignored if another one is set. */
function withoutZero(metric: JsonObject, word: 'target' | 'current'): JsonObject {
  const source = Object.keys(metric).find((name) => name !== 'type') ?? ''
  return withObject(metric, source, (value) =>
    withObject(value, word, (amount) => {
      const { value: whole, averageValue, averageUtilization, ...others } = amount
      const counts =
        averageUtilization !== undefined
          ? 'averageUtilization'
          : averageValue !== undefined
            ? 'averageValue'
            : 'value'
      const kept = Object.entries({ value: whole, averageValue, averageUtilization }).filter(
        ([name, given]) => given !== undefined && (name === counts || !isZero(given)),
      )
      return { ...others, ...Object.fromEntries(kept) } as JsonObject
    }),
  )
}

const raised = (word: 'target' | 'current') => (flat: JsonObject) =>
  withoutZero(metricFromV1(flat, word), word)
const laid = (word: 'target' | 'current') => (metric: JsonObject) => metricToV1(metric, word)

export const horizontalPodAutoscalerV2beta1: Conversion = {
  hub: HUB,
  toHub(object) {
    const behavior = behaviorIn(object.metadata.annotations, builtinModel())
    const bare = withAnnotation(object, BEHAVIOR, undefined)
    const wanted = withObject(bare, 'spec', (spec) => ({
      ...withEach(spec, 'metrics', raised('target')),
      ...(behavior ? { behavior } : {}),
    }))
    return {
      ...withObject(wanted, 'status', (status) =>
        withEach(status, 'currentMetrics', raised('current')),
      ),
      apiVersion: 'autoscaling/v2',
    }
  },
  fromHub(object) {
    const { behavior, ...spec } = objectAt(object, 'spec') ?? {}
    const wanted: KubeObject =
      object.spec === undefined
        ? object
        : { ...object, spec: withEach(spec, 'metrics', laid('target')) }
    const seen = withObject(wanted, 'status', (status) =>
      withEach(status, 'currentMetrics', laid('current')),
    )
    const served = { ...seen, apiVersion: 'autoscaling/v2beta1' }
    return withAnnotation(
      served,
      BEHAVIOR,
      isJsonObject(behavior) ? behaviorText(behavior, builtinModel()) : undefined,
    )
  },
}
