/**
 * Recorded from kube-controller-manager 1.31; other messages follow pkg/controller/podautoscaler.
 */

import type { MetricSpec } from 'kubernetes-types/autoscaling/v2'
import { selectorDump } from '../../schema/go-text'

export interface Unavailable {
  reason: string
  message: string
  whole: string
}

const NO_RESOURCE_METRICS =
  'unable to fetch metrics from resource metrics API: the server could not find the requested resource (get pods.metrics.k8s.io)'
const NO_CUSTOM_METRICS =
  'unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io) registered'
const noExternal = (name: string) =>
  `unable to fetch metrics from external metrics API: the server could not find the requested resource (get ${name}.external.metrics.k8s.io)`

/** @param problem default: no metrics API */
export function unavailable(metric: MetricSpec, namespace: string, problem?: string): Unavailable {
  const { type, resource, containerResource, pods, object, external } = metric
  const of = (name: string, average: boolean) =>
    `failed to get ${name} ${average ? 'usage' : 'utilization'}: ${problem ?? `unable to get metrics for resource ${name}: ${NO_RESOURCE_METRICS}`}`
  const condition = (reason: string, message: string, kind: string) => ({
    reason,
    message,
    whole: `failed to get ${kind}: ${message}`,
  })
  if (type === 'Resource' && resource) {
    const message = of(resource.name, resource.target.averageUtilization === undefined)
    return condition('FailedGetResourceMetric', message, `${resource.name} resource metric value`)
  }
  if (type === 'ContainerResource' && containerResource) {
    const message = of(
      containerResource.name,
      containerResource.target.averageUtilization === undefined,
    )
    return condition(
      'FailedGetContainerResourceMetric',
      message,
      `${containerResource.container} container metric value`,
    )
  }
  if (type === 'Pods' && pods) {
    return condition(
      'FailedGetPodsMetric',
      `unable to get metric ${pods.metric.name}: ${NO_CUSTOM_METRICS}`,
      'pods metric value',
    )
  }
  if (type === 'Object' && object) {
    const { kind, name } = object.describedObject
    const message = `unable to get metric ${object.metric.name}: ${kind} on ${namespace} ${name}/${NO_CUSTOM_METRICS}`
    return condition('FailedGetObjectMetric', message, 'object metric value')
  }
  const { name = '', selector } = external?.metric ?? {}
  const message = `unable to get external metric ${namespace}/${name}/${selector ? selectorDump(selector) : 'nil'}: ${noExternal(name)}`
  const each = external?.target.averageValue !== undefined
  const whole = `failed to get ${each ? `${name} external metric` : `external metric ${name}`}: ${message}`
  return {
    reason: 'FailedGetExternalMetric',
    message,
    whole: `failed to get ${name} external metric value: ${whole}`,
  }
}
