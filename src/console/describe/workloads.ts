import type { DaemonSet, Deployment, ReplicaSet, StatefulSet } from 'kubernetes-types/apps/v1'
import type {
  PersistentVolumeClaim,
  Pod,
  PodTemplateSpec,
  ReplicationController,
} from 'kubernetes-types/core/v1'
import type { LabelSelector, ObjectMeta } from 'kubernetes-types/meta/v1'
import { equalJson } from '../../engine/core/object'
import { selectorCell } from '../../engine/encoding/tables/workloads'
import { selectorOf, selectorText } from '../../engine/selectors/labels'
import { type ClusterReader, describes } from './description'
import { annotations, controllerOf, labels } from './metadata'
import { podTemplate } from './pod-parts'
import type { Report } from './report'
import { longTime, NONE, orNone, pairsOf } from './words'

async function ownPods(
  metadata: ObjectMeta | undefined,
  labelSelector: string,
  reader: ClusterReader,
): Promise<Pod[]> {
  const pods = await reader.list<Pod>('pods', metadata?.namespace, { labels: labelSelector })
  return pods.filter((pod) =>
    pod.metadata?.ownerReferences?.some(
      ({ controller, uid }) => controller && uid === metadata?.uid,
    ),
  )
}

const selected = (selector: LabelSelector | undefined): string =>
  selectorText(selectorOf(selector) ?? [])

function podsStatus(report: Report, pods: Pod[]): void {
  const inPhase = (phase: string): number =>
    pods.filter(({ status }) => status?.phase === phase).length
  report.field(
    0,
    'Pods Status',
    `${inPhase('Running')} Running / ${inPhase('Pending')} Waiting / ${inPhase('Succeeded')} Succeeded / ${inPhase('Failed')} Failed`,
  )
}

interface Condition {
  type: string
  status: string
  reason?: string
}

function conditions(report: Report, list: Condition[] | undefined): void {
  if (!list?.length) return
  report.line(0, 'Conditions:')
  report.line(1, 'Type', 'Status', 'Reason')
  report.line(1, '----', '------', '------')
  for (const { type, status, reason } of list) report.line(1, `${type} `, status, reason)
}

interface ReplicaSets {
  old: ReplicaSet[]
  current: ReplicaSet | undefined
}

export const deployment = describes<Deployment, ReplicaSets>({
  related: async (deployment, reader) => {
    const { metadata, spec } = deployment
    const sets = await reader.list<ReplicaSet>('replicasets.apps', metadata?.namespace, {
      labels: selected(spec?.selector),
    })
    const own = sets.filter(({ metadata: { ownerReferences } = {} }) =>
      ownerReferences?.some(({ controller, uid }) => controller && uid === metadata?.uid),
    )
    const oldestFirst = [...own].sort((a, b) => created(a) - created(b))
    const current = oldestFirst.find((set) => sameTemplate(set.spec?.template, spec?.template))
    return { old: own.filter((set) => set !== current), current }
  },
  write: (report, { metadata, spec, status }, { old, current }) => {
    report.field(0, 'Name', metadata?.name)
    report.field(0, 'Namespace', metadata?.namespace)
    report.field(0, 'CreationTimestamp', longTime(metadata?.creationTimestamp))
    labels(report, 0, metadata?.labels)
    annotations(report, 0, metadata?.annotations)
    report.field(0, 'Selector', selected(spec?.selector))
    const {
      updatedReplicas = 0,
      replicas = 0,
      availableReplicas = 0,
      unavailableReplicas = 0,
    } = status ?? {}
    report.field(
      0,
      'Replicas',
      `${spec?.replicas ?? 0} desired | ${updatedReplicas} updated | ${replicas} total | ${availableReplicas} available | ${unavailableReplicas} unavailable`,
    )
    report.field(0, 'StrategyType', spec?.strategy?.type)
    report.field(0, 'MinReadySeconds', spec?.minReadySeconds ?? 0)
    const rolling = spec?.strategy?.rollingUpdate
    if (rolling)
      report.field(
        0,
        'RollingUpdateStrategy',
        `${rolling.maxUnavailable} max unavailable, ${rolling.maxSurge} max surge`,
      )
    podTemplate(report, spec?.template)
    conditions(report, status?.conditions)
    if (old.length === 0 && !current) return
    report.field(0, 'OldReplicaSets', replicaSetsText(old))
    report.field(0, 'NewReplicaSet', replicaSetsText(current ? [current] : []))
  },
})

const created = ({ metadata }: { metadata?: ObjectMeta }): number =>
  Date.parse(metadata?.creationTimestamp ?? '')

/** The selector without pod-template-hash. */
export function sameTemplate(
  of: PodTemplateSpec | undefined,
  wanted: PodTemplateSpec | undefined,
): boolean {
  const withoutHash = (template: PodTemplateSpec | undefined): unknown => {
    const { 'pod-template-hash': _hash, ...own } = template?.metadata?.labels ?? {}
    return { ...template, metadata: { ...template?.metadata, labels: own } }
  }
  return equalJson(withoutHash(of), withoutHash(wanted))
}

function replicaSetsText(sets: ReplicaSet[]): string {
  const texts = sets.map(({ metadata, spec, status }) => {
    return `${metadata?.name} (${status?.replicas ?? 0}/${spec?.replicas ?? 0} replicas created)`
  })
  return orNone(texts.join(', '))
}

function replicated(
  report: Report,
  object: ReplicaSet | ReplicationController,
  selector: string,
  pods: Pod[],
): void {
  const { metadata, spec, status } = object
  report.field(0, 'Name', metadata?.name)
  report.field(0, 'Namespace', metadata?.namespace)
  report.field(0, 'Selector', selector)
  labels(report, 0, metadata?.labels)
  annotations(report, 0, metadata?.annotations)
  report.optional(0, 'Controlled By', controllerOf(metadata))
  report.field(0, 'Replicas', `${status?.replicas ?? 0} current / ${spec?.replicas ?? 0} desired`)
  podsStatus(report, pods)
  podTemplate(report, spec?.template)
  conditions(report, status?.conditions)
}

export const replicaSet = describes<ReplicaSet, Pod[]>({
  related: ({ metadata, spec }, reader) => ownPods(metadata, selected(spec?.selector), reader),
  write: (report, set, pods) => replicated(report, set, selectorCell(set.spec?.selector), pods),
})

export const replicationController = describes<ReplicationController, Pod[]>({
  related: ({ metadata, spec }, reader) =>
    ownPods(metadata, pairsOf(spec?.selector).join(','), reader),
  write: (report, controller, pods) =>
    replicated(report, controller, orNone(pairsOf(controller.spec?.selector).join(',')), pods),
})

export const statefulSet = describes<StatefulSet, Pod[]>({
  related: ({ metadata, spec }, reader) => ownPods(metadata, selected(spec?.selector), reader),
  write: (report, { metadata, spec, status }, pods) => {
    report.field(0, 'Name', metadata?.name)
    report.field(0, 'Namespace', metadata?.namespace)
    report.field(0, 'CreationTimestamp', longTime(metadata?.creationTimestamp))
    report.field(0, 'Selector', selectorCell(spec?.selector))
    labels(report, 0, metadata?.labels)
    annotations(report, 0, metadata?.annotations)
    report.field(0, 'Replicas', `${spec?.replicas ?? 0} desired | ${status?.replicas ?? 0} total`)
    report.field(0, 'Update Strategy', spec?.updateStrategy?.type)
    const { partition, maxUnavailable } = spec?.updateStrategy?.rollingUpdate ?? {}
    report.optional(1, 'Partition', partition)
    report.optional(1, 'MaxUnavailable', maxUnavailable)
    podsStatus(report, pods)
    podTemplate(report, spec?.template)
    claimTemplates(report, spec?.volumeClaimTemplates)
  },
})

function claimTemplates(report: Report, templates: PersistentVolumeClaim[] | undefined): void {
  if (!templates?.length) {
    report.field(0, 'Volume Claims', NONE)
    return
  }
  report.line(0, 'Volume Claims:')
  for (const { metadata, spec } of templates) {
    report.field(1, 'Name', metadata?.name)
    report.field(
      1,
      'StorageClass',
      metadata?.annotations?.['volume.beta.kubernetes.io/storage-class'] ?? spec?.storageClassName,
    )
    labels(report, 1, metadata?.labels)
    annotations(report, 1, metadata?.annotations)
    report.field(1, 'Capacity', spec?.resources?.requests?.storage ?? '<default>')
    report.field(1, 'Access Modes', `[${(spec?.accessModes ?? []).join(' ')}]`)
  }
}

export const daemonSet = describes<DaemonSet, Pod[]>({
  related: ({ metadata, spec }, reader) => ownPods(metadata, selected(spec?.selector), reader),
  write: (report, { metadata, spec, status }, pods) => {
    report.field(0, 'Name', metadata?.name)
    report.field(0, 'Selector', selectorCell(spec?.selector))
    report.field(0, 'Node-Selector', orNone(pairsOf(spec?.template.spec?.nodeSelector).join(',')))
    labels(report, 0, metadata?.labels)
    annotations(report, 0, metadata?.annotations)
    report.line(0, `Desired Number of Nodes Scheduled: ${status?.desiredNumberScheduled ?? 0}`)
    report.line(0, `Current Number of Nodes Scheduled: ${status?.currentNumberScheduled ?? 0}`)
    report.line(
      0,
      `Number of Nodes Scheduled with Up-to-date Pods: ${status?.updatedNumberScheduled ?? 0}`,
    )
    report.line(0, `Number of Nodes Scheduled with Available Pods: ${status?.numberAvailable ?? 0}`)
    report.line(0, `Number of Nodes Misscheduled: ${status?.numberMisscheduled ?? 0}`)
    podsStatus(report, pods)
    podTemplate(report, spec?.template)
  },
})
