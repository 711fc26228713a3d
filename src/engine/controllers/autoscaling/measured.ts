/** From what pods use to how many there should be (public documentation, "Horizontal Pod Autoscaling", "Algorithm details"). */

import type { MetricSpec, MetricStatus } from 'kubernetes-types/autoscaling/v2'
import type { Container, Pod } from 'kubernetes-types/core/v1'
import { amountText, type Usage, unitsOf } from '../../simulation/usage'

/** A ratio as near to one as this changes nothing. */
const TOLERANCE = 0.1

export interface MeasuredPod {
  pod: Pod
  ready: boolean
  usage: Usage
}

export interface Proposal {
  replicas: number
  status: MetricStatus
  /** As conditions and events name it: `cpu resource utilization (percentage of request)`. */
  name: string
}

export interface Problem {
  /** Why there is no proposal. */
  problem: string
}

/**
 * @param metric of type Resource or ContainerResource
 * @param pods those of the target that have not ended and do not go away
 */
export function proposalOf(metric: MetricSpec, pods: readonly MeasuredPod[], current: number): Proposal | Problem {
  const source = metric.resource ?? metric.containerResource
  if (source === undefined) return { problem: `a metric of type ${metric.type} cannot be measured` }
  const { name, target } = source
  const container = metric.containerResource?.container
  const ready = pods.filter((pod) => pod.ready)
  if (ready.length === 0) return { problem: 'did not receive metrics for targeted pods (pods might be unready)' }
  const used = ready.reduce((sum, { usage }) => sum + (usage.get(name) ?? 0), 0)
  const average = used / ready.length
  const asked = target.averageUtilization
  if (asked === undefined) {
    const wanted = unitsOf(name, String(target.averageValue ?? '0'))
    const replicas = sized({ used, each: () => wanted, pods, ready, current })
    return { replicas, status: statusOf(metric, { averageValue: amountText(name, average) }), name: `${label(name, container)}` }
  }
  const requests = new Map<MeasuredPod, number>()
  for (const measured of pods) {
    const amount = requestOf(measured.pod, name, container)
    if (typeof amount === 'string') return { problem: amount }
    requests.set(measured, amount)
  }
  const total = ready.reduce((sum, measured) => sum + (requests.get(measured) ?? 0), 0)
  const utilization = Math.floor((used * 100) / total)
  const replicas = sized({ used, each: (measured) => ((requests.get(measured) ?? 0) * asked) / 100, pods, ready, current })
  const now = { averageUtilization: utilization, averageValue: amountText(name, average) }
  return { replicas, status: statusOf(metric, now), name: `${label(name, container, 'utilization')} (percentage of request)` }
}

const label = (name: string, container: string | undefined, of = ''): string =>
  `${name} ${container === undefined ? 'resource' : 'container resource'}${of && ` ${of}`}`

interface Sizing {
  used: number
  /** What a pod may use. */
  each(pod: MeasuredPod): number
  pods: readonly MeasuredPod[]
  ready: readonly MeasuredPod[]
  current: number
}

/** Pods that are not ready yet count as using nothing when there are to be more, so that it does not go up too fast. */
function sized({ used, each, pods, ready, current }: Sizing): number {
  const allowed = (counted: readonly MeasuredPod[]) => counted.reduce((sum, pod) => sum + each(pod), 0)
  const ratio = used / allowed(ready)
  if (Math.abs(1 - ratio) <= TOLERANCE) return current
  if (ratio < 1 || ready.length === pods.length) return Math.ceil(ratio * ready.length)
  const careful = used / allowed(pods)
  if (careful < 1 || Math.abs(1 - careful) <= TOLERANCE) return current
  return Math.max(current, Math.ceil(careful * pods.length))
}

/** What the pod, or its one container, asks for; a text says what is missing. */
function requestOf(pod: Pod, resource: string, only: string | undefined): number | string {
  let sum = 0
  const containers: Container[] = (pod.spec?.containers ?? []).filter(({ name }) => only === undefined || name === only)
  if (containers.length === 0) return `container ${only} not present in metrics for pod ${pod.metadata?.namespace}/${pod.metadata?.name}`
  for (const { name, resources } of containers) {
    const amount = resources?.requests?.[resource]
    if (amount === undefined) return `missing request for ${resource} in container ${name} of Pod ${pod.metadata?.name}`
    sum += unitsOf(resource, String(amount))
  }
  return sum
}

function statusOf({ type, resource, containerResource }: MetricSpec, current: object): MetricStatus {
  if (containerResource)
    return { type, containerResource: { container: containerResource.container, name: containerResource.name, current } }
  return { type, resource: { name: resource?.name ?? '', current } }
}
