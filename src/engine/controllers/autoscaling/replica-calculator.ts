/**
 * Computes the replicas that a metric calls for.
 * https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/#algorithm-details
 */

import type { MetricSpec, MetricStatus } from 'kubernetes-types/autoscaling/v2'
import type { Container, Pod } from 'kubernetes-types/core/v1'
import { entryOf } from '../../core/object'
import { amountText, type Usage, unitsOf } from '../../simulation/usage'
import type { Stored } from '../runtime/stored'
import { condition } from '../shared/pods'

/** Ratios this close to 1 change nothing. */
const TOLERANCE = 0.1

/** CPU initialization period: CPU usage counts only while ready. */
const BEGINNING_MILLISECONDS = 300_000
/** Initial readiness delay: pods that became unready within it were never ready. */
const NEVER_READY_MILLISECONDS = 30_000

export interface MeasuredPod {
  pod: Stored<Pod>
  usage: Usage | undefined
}

export interface Proposal {
  replicas: number
  status: MetricStatus
  /** `cpu resource utilization (percentage of request)` */
  name: string
}

export interface Problem {
  problem: string
}

interface Groups {
  used: Map<MeasuredPod, number>
  unready: MeasuredPod[]
  missing: MeasuredPod[]
}

/** @param metric of type Resource or ContainerResource */
export function computeReplicas(
  metric: MetricSpec,
  pods: readonly MeasuredPod[],
  current: number,
  now: number,
): Proposal | Problem {
  const source = metric.resource ?? metric.containerResource
  if (source === undefined) return { problem: `a metric of type ${metric.type} cannot be measured` }
  const { name, target } = source
  const container = metric.containerResource?.container
  const groups = groupsOf(pods, name, now)
  if (groups.used.size === 0)
    return { problem: 'did not receive metrics for targeted pods (pods might be unready)' }
  const average = Math.floor(sumOf(groups.used.values()) / groups.used.size)
  const targetUtilization = target.averageUtilization
  if (targetUtilization === undefined) {
    const wanted = unitsOf(name, String(target.averageValue ?? '0'))
    const ratioOf = (used: Map<MeasuredPod, number>) =>
      Math.floor(sumOf(used.values()) / used.size) / wanted
    const replicas = sized(groups, { ratioOf, unknown: () => wanted, current })
    return {
      replicas,
      status: statusOf(metric, { averageValue: amountText(name, average) }),
      name: `${name} resource`,
    }
  }
  const requests = new Map<MeasuredPod, number>()
  for (const measured of pods) {
    const amount = requestOf(measured.pod, name, container)
    if (typeof amount === 'string') return { problem: amount }
    requests.set(measured, amount)
  }
  const requestOfPod = (pod: MeasuredPod) => requests.get(pod) ?? 0
  const utilization = (used: Map<MeasuredPod, number>) =>
    Math.floor((sumOf(used.values()) * 100) / sumOf([...used.keys()].map(requestOfPod)))
  const replicas = sized(groups, {
    ratioOf: (used) => utilization(used) / targetUtilization,
    unknown: (pod) => (requestOfPod(pod) * Math.max(100, targetUtilization)) / 100,
    current,
  })
  const status = {
    averageUtilization: utilization(groups.used),
    averageValue: amountText(name, average),
  }
  const label = `${name} ${container === undefined ? '' : 'container '}resource utilization (percentage of request)`
  return { replicas, status: statusOf(metric, status), name: label }
}

const sumOf = (values: Iterable<number>): number =>
  [...values].reduce((sum, value) => sum + value, 0)

function groupsOf(pods: readonly MeasuredPod[], resource: string, now: number): Groups {
  const groups: Groups = { used: new Map(), unready: [], missing: [] }
  for (const measured of pods) {
    const { pod, usage } = measured
    if (pod.metadata.deletionTimestamp || pod.status?.phase === 'Failed') continue
    if (pod.status?.phase === 'Pending') groups.unready.push(measured)
    else if (usage === undefined) groups.missing.push(measured)
    else if (resource === 'cpu' && isBeginning(pod, now)) groups.unready.push(measured)
    else groups.used.set(measured, usage.get(resource) ?? 0)
  }
  return groups
}

/** Pods that were never ready do not count for CPU. */
function isBeginning(pod: Stored<Pod>, now: number): boolean {
  const ready = condition(pod, 'Ready')
  if (ready === undefined || !pod.status?.startTime) return true
  const start = Date.parse(pod.status.startTime)
  if (ready.status !== 'False') return false
  return (
    start + BEGINNING_MILLISECONDS > now ||
    start + NEVER_READY_MILLISECONDS > Date.parse(String(ready.lastTransitionTime))
  )
}

interface Sizing {
  /** Usage divided by target. */
  ratioOf(used: Map<MeasuredPod, number>): number
  unknown(pod: MeasuredPod): number
  current: number
}

const isNearlyRight = (ratio: number): boolean => Math.abs(1 - ratio) <= TOLERANCE

/**
 * Unready pods and pods without metrics count as unused on scale-up, as fully used on scale-down.
 * If that reverses the direction, nothing changes.
 */
function sized({ used, unready, missing }: Groups, { ratioOf, unknown, current }: Sizing): number {
  const ratio = ratioOf(used)
  const countsUnready = unready.length > 0 && ratio > 1
  if (!countsUnready && missing.length === 0)
    return isNearlyRight(ratio) ? current : Math.ceil(ratio * used.size)
  const all = new Map(used)
  if (ratio !== 1) for (const pod of missing) all.set(pod, ratio < 1 ? unknown(pod) : 0)
  if (countsUnready) for (const pod of unready) all.set(pod, 0)
  const careful = ratioOf(all)
  if (isNearlyRight(careful) || ratio < 1 !== careful < 1) return current
  const replicas = Math.ceil(careful * all.size)
  return replicas > current === careful > 1 ? replicas : current
}

/** @returns a string if a request is missing */
function requestOf(pod: Pod, resource: string, only: string | undefined): number | string {
  let sum = 0
  const containers: Container[] = (pod.spec?.containers ?? []).filter(
    ({ name }) => only === undefined || name === only,
  )
  if (containers.length === 0)
    return `container ${only} not present in metrics for pod ${pod.metadata?.namespace}/${pod.metadata?.name}`
  for (const { name, resources } of containers) {
    const amount = entryOf(resources?.requests ?? {}, resource)
    if (amount === undefined)
      return `missing request for ${resource} in container ${name} of Pod ${pod.metadata?.name}`
    sum += unitsOf(resource, String(amount))
  }
  return sum
}

function statusOf(
  { type, resource, containerResource }: MetricSpec,
  current: object,
): MetricStatus {
  if (containerResource)
    return {
      type,
      containerResource: {
        container: containerResource.container,
        name: containerResource.name,
        current,
      },
    }
  return { type, resource: { name: resource?.name ?? '', current } }
}
