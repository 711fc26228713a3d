/**
 * Filters of the default profile, in order. Messages recorded from kube-scheduler 1.31, others from
 * pkg/scheduler/framework/plugins.
 */
import type { ContainerPort, Pod } from 'kubernetes-types/core/v1'
import type { Stored } from '../runtime/stored'
import { allowsNode } from '../shared/node-affinity'
import { NODE_TAINT, taintsOf, untolerated } from '../shared/taints'
import { affinityProblem } from './affinity'
import { type NodeState, requestsOf } from './cluster'
import { spreadProblem } from './spread'
import type { FilterStatus, Plugin, Scheduling } from './types'

type Filter = (scheduling: Scheduling, state: NodeState) => FilterStatus | undefined

const final = (reason: string): FilterStatus => ({ reasons: [reason], final: true })
const open = (reason: string): FilterStatus => ({ reasons: [reason], final: false })

export const NOT_BY_AFFINITY = "node(s) didn't match Pod's node affinity/selector"
export const NO_FREE_PORTS = "node(s) didn't have free ports for the requested pod ports"

const FILTERS: Record<Plugin, Filter | undefined> = {
  NodeUnschedulable({ pod }, { node }) {
    if (!node.spec?.unschedulable) return undefined
    const taint = { key: NODE_TAINT.unschedulable, effect: 'NoSchedule' }
    const tolerated =
      untolerated([taint], pod.spec?.tolerations ?? [], ['NoSchedule']) === undefined
    return tolerated ? undefined : final('node(s) were unschedulable')
  },
  TaintToleration({ pod }, { node }) {
    const taint = untolerated(taintsOf(node), pod.spec?.tolerations ?? [], [
      'NoSchedule',
      'NoExecute',
    ])
    return taint && final(`node(s) had untolerated taint {${taint.key}: ${taint.value ?? ''}}`)
  },
  NodeAffinity({ pod }, { node }) {
    return allowsNode(pod, node) ? undefined : final(NOT_BY_AFFINITY)
  },
  NodePorts({ pod }, { pods }) {
    return portsCollide(pod, pods) ? open(NO_FREE_PORTS) : undefined
  },
  NodeResourcesFit({ pod }, state) {
    const reasons = lacking(pod, state)
    return reasons.length > 0 ? { reasons, final: false } : undefined
  },
  // VolumeBinding runs these checks too, and sets `by` to VolumeRestrictions.
  VolumeRestrictions: undefined,
  VolumeBinding({ volumes }, state) {
    return volumes.filter(state)
  },
  PodTopologySpread(scheduling, state) {
    return spreadProblem(scheduling, state)
  },
  InterPodAffinity(scheduling, state) {
    return affinityProblem(scheduling, state)
  },
}

const IN_ORDER = Object.entries(FILTERS) as [Plugin, Filter | undefined][]

export function runFilters(scheduling: Scheduling, state: NodeState): FilterStatus | undefined {
  for (const [plugin, filter] of IN_ORDER) {
    const status = filter?.(scheduling, state)
    if (status === undefined) continue
    status.by ??= plugin
    return status
  }
  return undefined
}

export function lacking(pod: Stored<Pod>, { allocatable, requested }: NodeState): string[] {
  const reasons: string[] = []
  if ((requested.get('pods') ?? 0) + 1 > (allocatable.get('pods') ?? 0))
    reasons.push('Too many pods')
  for (const [name, amount] of requestsOf(pod)) {
    if (amount > 0 && amount > (allocatable.get(name) ?? 0) - (requested.get(name) ?? 0))
      reasons.push(`Insufficient ${name}`)
  }
  return reasons
}

export function portsCollide(pod: Stored<Pod>, others: readonly Stored<Pod>[]): boolean {
  const wanted = hostPorts(pod)
  const taken = wanted.length > 0 ? others.flatMap(hostPorts) : []
  return wanted.some((port) => taken.some((other) => collide(port, other)))
}

const hostPorts = ({ spec }: Stored<Pod>): ContainerPort[] =>
  (spec?.containers ?? []).flatMap(({ ports = [] }) => ports.filter(({ hostPort }) => hostPort))

const ANY = '0.0.0.0'

function collide(a: ContainerPort, b: ContainerPort): boolean {
  if (a.hostPort !== b.hostPort || (a.protocol ?? 'TCP') !== (b.protocol ?? 'TCP')) return false
  const [left, right] = [a.hostIP || ANY, b.hostIP || ANY]
  return left === right || left === ANY || right === ANY
}
