import type { DaemonSet } from 'kubernetes-types/apps/v1'
import type { Node, NodeSelectorTerm, Pod, Toleration } from 'kubernetes-types/core/v1'
import type { Stored } from '../runtime/stored'
import { allowsNode } from '../shared/node-affinity'
import { podFrom } from '../shared/pods'
import { NODE_TAINT, taintsOf, untolerated } from '../shared/taints'

export const HASH_LABEL = 'controller-revision-hash'
export const GENERATION_LABEL = 'pod-template-generation'
export const GENERATION = 'deprecated.daemonset.template.generation'

const tolerationOf = (key: string, effect: string): Toleration => ({
  key,
  operator: 'Exists',
  effect,
})

/** https://kubernetes.io/docs/concepts/workloads/controllers/daemonset/#taints-and-tolerations */
const TOLERATIONS = [
  tolerationOf(NODE_TAINT.notReady, 'NoExecute'),
  tolerationOf(NODE_TAINT.unreachable, 'NoExecute'),
  tolerationOf(NODE_TAINT.diskPressure, 'NoSchedule'),
  tolerationOf(NODE_TAINT.memoryPressure, 'NoSchedule'),
  tolerationOf(NODE_TAINT.pidPressure, 'NoSchedule'),
  tolerationOf(NODE_TAINT.unschedulable, 'NoSchedule'),
]
const ON_HOST_NETWORK = tolerationOf(NODE_TAINT.networkUnavailable, 'NoSchedule')

export function daemonPod(
  set: Stored<DaemonSet>,
  node: string,
  hash: string,
): ReturnType<typeof podFrom> {
  const pod = podFrom(set.spec?.template, set)
  const spec = pod.spec ?? { containers: [] }
  const generation = set.metadata.annotations?.[GENERATION]
  pod.metadata.labels = {
    ...pod.metadata.labels,
    ...(generation !== undefined && { [GENERATION_LABEL]: generation }),
    ...(hash && { [HASH_LABEL]: hash }),
  }
  const given = spec.tolerations ?? []
  const own = spec.hostNetwork ? [...TOLERATIONS, ON_HOST_NETWORK] : TOLERATIONS
  const isSame = (a: Toleration, b: Toleration) =>
    a.key === b.key && a.effect === b.effect && a.operator === b.operator && !a.value
  // A template cannot shorten these `tolerationSeconds`.
  const kept = given.map(
    (toleration) => own.find((other) => isSame(toleration, other)) ?? toleration,
  )
  const added = own.filter((toleration) => !kept.includes(toleration))
  const here: NodeSelectorTerm = {
    matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }],
  }
  const affinity = {
    ...spec.affinity,
    nodeAffinity: {
      ...spec.affinity?.nodeAffinity,
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [here] },
    },
  }
  return { ...pod, spec: { ...spec, tolerations: [...kept, ...added], affinity } }
}

/** @returns the assigned or intended node */
export function nodeOf({ spec }: Pod): string | undefined {
  if (spec?.nodeName) return spec.nodeName
  for (const { matchFields = [] } of spec?.affinity?.nodeAffinity
    ?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? []) {
    const field = matchFields.find(
      ({ key, operator, values }) =>
        key === 'metadata.name' && operator === 'In' && values?.length === 1,
    )
    if (field) return field.values?.[0]
  }
  return undefined
}

export interface Fit {
  shouldRun: boolean
  mayStay: boolean
}

/** By node: whether pods of the DaemonSet may run on it. Linear in the nodes. */
export function fitsOf(
  set: Stored<DaemonSet>,
  nodes: Iterable<Stored<Node>>,
): Map<Stored<Node>, Fit> {
  const template = set.spec?.template
  const { tolerations = [] } = daemonPod(set, '', '').spec ?? {}
  const pod = { ...(template?.spec && { spec: template.spec }) }
  const fitOf = (node: Stored<Node>): Fit => {
    const { nodeName } = template?.spec ?? {}
    if ((nodeName && nodeName !== node.metadata.name) || !allowsNode(pod, node))
      return { shouldRun: false, mayStay: false }
    const taints = taintsOf(node)
    return {
      shouldRun: untolerated(taints, tolerations, ['NoSchedule', 'NoExecute']) === undefined,
      mayStay: untolerated(taints, tolerations, ['NoExecute']) === undefined,
    }
  }
  return new Map([...nodes].map((node) => [node, fitOf(node)]))
}
