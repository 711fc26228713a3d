import type {
  HorizontalPodAutoscaler,
  MetricSpec,
  MetricStatus,
  MetricTarget,
  MetricValueStatus,
} from 'kubernetes-types/autoscaling/v2'
import { firstOf, NONE, type ResourceTables, table, UNKNOWN, UNSET } from './resource-table'

function valueOrAverage(target: MetricTarget, current: MetricValueStatus | undefined): string {
  if (target.averageValue === undefined)
    return `${current === undefined ? UNKNOWN : (current.value ?? NO_QUANTITY)}/${target.value ?? NO_QUANTITY}`
  return `${current?.averageValue ?? UNKNOWN}/${target.averageValue} (avg)`
}

/** As Go prints a nil pointer to a quantity. */
const NO_QUANTITY = '<nil>'

function resourceUse(
  name: string,
  target: MetricTarget,
  current: MetricValueStatus | undefined,
): string {
  if (target.averageValue !== undefined) {
    return `${name}: ${current === undefined ? UNKNOWN : (current.averageValue ?? NO_QUANTITY)}/${target.averageValue}`
  }
  const used =
    current?.averageUtilization === undefined ? UNKNOWN : `${current.averageUtilization}%`
  const wanted =
    target.averageUtilization === undefined ? '<auto>' : `${target.averageUtilization}%`
  return `${name}: ${used}/${wanted}`
}

function metricText(spec: MetricSpec, status: MetricStatus | undefined): string {
  if (spec.type === 'External' && spec.external)
    return valueOrAverage(spec.external.target, status?.external?.current)
  if (spec.type === 'Object' && spec.object)
    return valueOrAverage(spec.object.target, status?.object?.current)
  if (spec.type === 'Pods' && spec.pods) {
    const current = status?.pods?.current
    return `${current === undefined ? UNKNOWN : (current.averageValue ?? NO_QUANTITY)}/${spec.pods.target.averageValue ?? NO_QUANTITY}`
  }
  if (spec.type === 'Resource' && spec.resource) {
    return resourceUse(spec.resource.name, spec.resource.target, status?.resource?.current)
  }
  if (spec.type === 'ContainerResource' && spec.containerResource) {
    return resourceUse(
      spec.containerResource.name,
      spec.containerResource.target,
      status?.containerResource?.current,
    )
  }
  return '<unknown type>'
}

export const autoscalingTables: ResourceTables = {
  /** Other versions are converted. */
  'horizontalpodautoscalers.autoscaling': table<HorizontalPodAutoscaler>(({ spec, status }) => {
    const metrics = (spec?.metrics ?? []).map((metric, i) =>
      metricText(metric, status?.currentMetrics?.[i] ?? undefined),
    )
    return {
      Reference: `${spec?.scaleTargetRef?.kind ?? ''}/${spec?.scaleTargetRef?.name ?? ''}`,
      Targets: metrics.length === 0 ? NONE : firstOf(metrics, 2, ', '),
      MinPods: spec?.minReplicas === undefined ? UNSET : String(spec.minReplicas),
      MaxPods: spec?.maxReplicas ?? 0,
      Replicas: status?.currentReplicas ?? 0,
    }
  }),
}
