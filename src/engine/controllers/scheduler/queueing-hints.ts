/**
 * Only events that may change the result of rejecting plugins requeue a pod (KEP-4247). Recorded
 * from kube-scheduler 1.31.
 */
import type { Node, Pod } from 'kubernetes-types/core/v1'
import { equalJson } from '../../core/object'
import type { Stored } from '../runtime/stored'
import { allowsNode } from '../shared/node-affinity'
import { hasEnded } from '../shared/pods'
import { taintsOf, untolerated } from '../shared/taints'
import { requiredTerms, speaksOf } from './affinity'
import type { NodeState } from './cluster'
import { lacking, portsCollide } from './filters'
import type { Plugin, Scheduling } from './types'

type NodeNews = 'place' | 'labels' | 'amounts'
type News = NodeNews | 'pod gone' | 'claims' | 'storage'

export type Change =
  | { node: NodeState; news: readonly NodeNews[] }
  /** An assigned pod was added or changed. */
  | { pod: Stored<Pod> }
  | { news: readonly ['pod gone' | 'claims' | 'storage'] }

const MENDS: Record<News, (plugin: Plugin) => boolean> = {
  place: () => true,
  labels: among('NodeAffinity', 'PodTopologySpread', 'InterPodAffinity', 'VolumeBinding'),
  amounts: among('NodeResourcesFit'),
  'pod gone': among(
    'NodePorts',
    'NodeResourcesFit',
    'VolumeRestrictions',
    'PodTopologySpread',
    'InterPodAffinity',
  ),
  claims: among('VolumeRestrictions', 'VolumeBinding'),
  storage: among('VolumeBinding'),
}

function among(...plugins: Plugin[]): (plugin: Plugin) => boolean {
  return (plugin) => plugins.includes(plugin)
}

/** Only changes that may make the node feasible. */
export function nodeChanges(node: Stored<Node>, previous: Stored<Node> | undefined): NodeNews[] {
  if (previous === undefined) return ['place']
  const news: NodeNews[] = []
  const { taints, unschedulable } = node.spec ?? {}
  if (!equalJson(taints, previous.spec?.taints) || unschedulable !== previous.spec?.unschedulable)
    news.push('place')
  if (!equalJson(node.metadata.labels, previous.metadata.labels)) news.push('labels')
  if (!equalJson(node.status?.allocatable, previous.status?.allocatable)) news.push('amounts')
  return news
}

/** Event for other pods: added, deleted or none. */
export function changeOf(
  type: string,
  pod: Stored<Pod>,
  previous: Stored<Pod> | undefined,
): Change | undefined {
  const gone = type === 'DELETED' || hasEnded(pod)
  if (!gone) return { pod }
  return hasEnded(type === 'DELETED' ? pod : (previous ?? pod)) ? undefined : { news: ['pod gone'] }
}

/** @param rejectors undefined: any event counts */
export function isWorthRequeuing(
  change: Change,
  pod: Stored<Pod>,
  rejectors: ReadonlySet<Plugin> | undefined,
  labelsOfNamespace: Scheduling['labelsOfNamespace'],
): boolean {
  if ('pod' in change)
    return rejectors === undefined || isNear(change.pod, pod, rejectors, labelsOfNamespace)
  if ('node' in change && !wouldTake(change.node, pod)) return false
  return rejectors === undefined || change.news.some((news) => [...rejectors].some(MENDS[news]))
}

/** It may satisfy affinity or spread constraints. */
function isNear(
  came: Stored<Pod>,
  pod: Stored<Pod>,
  rejectors: ReadonlySet<Plugin>,
  labelsOfNamespace: Scheduling['labelsOfNamespace'],
): boolean {
  if (rejectors.has('PodTopologySpread') && came.metadata.namespace === pod.metadata.namespace)
    return true
  if (!rejectors.has('InterPodAffinity')) return false
  return requiredTerms(pod, 'podAffinity').some((term) =>
    speaksOf(term, pod, came, labelsOfNamespace),
  )
}

/** Only filters that need nothing but the node. */
function wouldTake(state: NodeState, pod: Stored<Pod>): boolean {
  const { node, pods } = state
  if (untolerated(taintsOf(node), pod.spec?.tolerations ?? [], ['NoSchedule']) !== undefined)
    return false
  return allowsNode(pod, node) && !portsCollide(pod, pods) && lacking(pod, state).length === 0
}
