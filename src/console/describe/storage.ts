import type {
  NodeSelectorTerm,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
} from 'kubernetes-types/core/v1'
import type { CSINode, StorageClass } from 'kubernetes-types/storage/v1'
import { entryOf, type JsonObject } from '../../engine/core/object'
import { since } from '../../engine/encoding/duration'
import { accessModes, type Claim, claimFields } from './claim-fields'
import { describes } from './description'
import { annotations, annotationsCell, labels, stacked } from './metadata'
import type { Report } from './report'
import { volumeSource } from './volume-sources'
import { longTime, NONE, orNone, pairsOf, titleBoolean, UNSET } from './words'

const CLASS_ANNOTATION = 'volume.beta.kubernetes.io/storage-class'
const DEFAULT_ANNOTATIONS = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
]

interface Expression {
  key: string
  operator?: string
  values?: string[]
}

/** `Term 0:  zone in [a, b]`, one expression per line. */
function term(report: Report, index: number, expressions: Expression[] | undefined): void {
  const texts = (expressions ?? []).map(({ key, operator = 'In', values }) => {
    return `${key} ${operator.toLowerCase()}${values?.length ? ` [${values.join(', ')}]` : ''}`
  })
  const [first = NONE, ...others] = texts
  report.line(2, `Term ${index}:`, first)
  for (const text of others) report.line(2, '', text)
}

export const persistentVolume = describes<PersistentVolume>({
  write: (report, { metadata, spec, status }, _related, now) => {
    report.field(0, 'Name', metadata?.name)
    labels(report, 0, metadata?.labels)
    annotations(report, 0, metadata?.annotations)
    report.field(0, 'Finalizers', `[${(metadata?.finalizers ?? []).join(' ')}]`)
    report.field(
      0,
      'StorageClass',
      metadata?.annotations?.[CLASS_ANNOTATION] ?? spec?.storageClassName,
    )
    const going = metadata?.deletionTimestamp
    report.field(0, 'Status', going ? `Terminating (lasts ${since(going, now)})` : status?.phase)
    const { claimRef } = spec ?? {}
    report.field(0, 'Claim', claimRef ? `${claimRef.namespace}/${claimRef.name}` : '')
    report.field(0, 'Reclaim Policy', spec?.persistentVolumeReclaimPolicy)
    report.field(0, 'Access Modes', accessModes(spec?.accessModes))
    report.optional(0, 'VolumeMode', spec?.volumeMode)
    report.field(0, 'Capacity', spec?.capacity?.storage)
    affinity(
      report,
      spec?.nodeAffinity?.required?.nodeSelectorTerms,
      spec?.nodeAffinity !== undefined,
    )
    report.field(0, 'Message', status?.message)
    report.line(0, 'Source:')
    if (!volumeSource(report, (spec ?? {}) as unknown as JsonObject, true))
      report.line(0, '<unknown>')
  },
})

function affinity(report: Report, terms: NodeSelectorTerm[] | undefined, there: boolean): void {
  if (!there) {
    report.field(0, 'Node Affinity', NONE)
    return
  }
  report.field(0, 'Node Affinity', '')
  if (!terms) {
    report.field(1, 'Required Terms', NONE)
    return
  }
  report.field(1, 'Required Terms', '')
  for (const [index, { matchExpressions }] of terms.entries()) term(report, index, matchExpressions)
}

export const persistentVolumeClaim = describes<PersistentVolumeClaim, Pod[]>({
  related: async ({ metadata }, reader) =>
    (await reader.list<Pod>('pods', metadata?.namespace)).filter((pod) =>
      pod.spec?.volumes?.some(({ name, persistentVolumeClaim: claim, ephemeral }) => {
        return (
          claim?.claimName === metadata?.name ||
          (ephemeral !== undefined && `${pod.metadata?.name}-${name}` === metadata?.name)
        )
      }),
    ),
  write: (report, claim, pods) => {
    report.field(0, 'Name', claim.metadata?.name)
    report.field(0, 'Namespace', claim.metadata?.namespace)
    claimFields(report, claim as Claim, true)
    stacked(
      report,
      0,
      'Used By',
      pods.map(({ metadata }) => metadata?.name ?? ''),
    )
    conditions(report, claim.status?.conditions)
  },
})

function conditions(
  report: Report,
  list: NonNullable<PersistentVolumeClaim['status']>['conditions'],
): void {
  if (!list?.length) return
  report.line(0, 'Conditions:')
  report.line(1, 'Type', 'Status', 'LastProbeTime', 'LastTransitionTime', 'Reason', 'Message')
  report.line(1, '----', '------', '-----------------', '------------------', '------', '-------')
  for (const {
    type,
    status,
    lastProbeTime,
    lastTransitionTime,
    reason = '',
    message = '',
  } of list) {
    report.line(
      1,
      `${type} `,
      `${status} `,
      `${longTime(lastProbeTime)} `,
      `${longTime(lastTransitionTime)} `,
      `${reason} `,
      message,
    )
  }
}

export const storageClass = describes<StorageClass>({
  write: (report, object) => {
    const {
      metadata,
      provisioner,
      parameters,
      allowVolumeExpansion,
      mountOptions,
      reclaimPolicy,
      volumeBindingMode,
      allowedTopologies,
    } = object
    report.field(0, 'Name', metadata?.name)
    const isDefault = DEFAULT_ANNOTATIONS.some(
      (key) => entryOf(metadata?.annotations, key) === 'true',
    )
    report.field(0, 'IsDefaultClass', isDefault ? 'Yes' : 'No')
    report.field(0, 'Annotations', annotationsCell(metadata))
    report.field(0, 'Provisioner', provisioner)
    report.field(0, 'Parameters', orNone(pairsOf(parameters).join(',')))
    report.field(
      0,
      'AllowVolumeExpansion',
      allowVolumeExpansion === undefined ? UNSET : titleBoolean(allowVolumeExpansion),
    )
    if (mountOptions?.length) {
      report.line(0, 'MountOptions:')
      for (const option of mountOptions) report.line(1, option)
    } else report.field(0, 'MountOptions', NONE)
    report.optional(0, 'ReclaimPolicy', reclaimPolicy)
    report.optional(0, 'VolumeBindingMode', volumeBindingMode)
    if (!allowedTopologies) return
    report.field(0, 'AllowedTopologies', allowedTopologies.length === 0 ? NONE : '')
    allowedTopologies.forEach(({ matchLabelExpressions }, index) => {
      const [first = NONE, ...others] = (matchLabelExpressions ?? []).map(
        ({ key, values }) => `${key} in [${values.join(', ')}]`,
      )
      report.line(1, `Term ${index}:`, first)
      for (const text of others) report.line(1, '', text)
    })
  },
})

interface AttributesClass {
  metadata?: PersistentVolume['metadata']
  driverName?: string
  parameters?: Record<string, string>
}

export const volumeAttributesClass = describes<AttributesClass>({
  write: (report, { metadata, driverName, parameters }) => {
    report.field(0, 'Name', metadata?.name)
    report.field(0, 'Annotations', annotationsCell(metadata))
    report.field(0, 'DriverName', driverName)
    report.field(0, 'Parameters', orNone(pairsOf(parameters).join(',')))
  },
})

export const csiNode = describes<CSINode>({
  write: (report, { metadata, spec }) => {
    report.field(0, 'Name', metadata?.name)
    labels(report, 0, metadata?.labels)
    annotations(report, 0, metadata?.annotations)
    report.field(0, 'CreationTimestamp', longTime(metadata?.creationTimestamp))
    report.line(0, 'Spec:')
    if (spec.drivers.length === 0) return
    report.line(1, 'Drivers:')
    for (const { name, nodeID, allocatable, topologyKeys } of spec.drivers) {
      report.line(2, `${name}:`)
      report.field(3, 'Node ID', nodeID)
      if (allocatable?.count !== undefined) {
        report.line(3, 'Allocatables:')
        report.field(4, 'Count', allocatable.count)
      }
      if (topologyKeys) report.field(3, 'Topology Keys', `[${topologyKeys.join(' ')}]`)
    }
  },
})
