import type { Lease } from 'kubernetes-types/coordination/v1'
import type { Node, Pod } from 'kubernetes-types/core/v1'
import {
  podLimitsWithOverhead,
  podRequestsWithOverhead,
} from '../../engine/admission/pod-resources'
import { entryOf } from '../../engine/core/object'
import { since } from '../../engine/encoding/duration'
import {
  addQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
  quantityUnits,
  ZERO_QUANTITY,
} from '../../engine/schema/quantity'
import type { PodSpec } from '../../engine/validation/pods'
import { describes } from './description'
import { annotations, labels, stacked } from './metadata'
import type { Report } from './report'
import { byName, longTime, orNone, sortedEntries, UNSET } from './words'

interface OnNode {
  /** Pods that have not ended. */
  pods: Pod[]
  lease: Lease | undefined
}

export const node = describes<Node, OnNode>({
  /** Events of kubelets use the node's name as uid, those of controllers its uid. */
  eventUids: ({ metadata }) => [metadata?.uid ?? '', metadata?.name ?? ''],
  related: async ({ metadata }, reader) => ({
    pods: await reader.list<Pod>('pods', undefined, {
      fields: `spec.nodeName=${metadata?.name},status.phase!=Failed,status.phase!=Succeeded`,
    }),
    lease: await reader.get<Lease>(
      'leases.coordination.k8s.io',
      'kube-node-lease',
      metadata?.name ?? '',
    ),
  }),
  write: (report, node, { pods, lease }, now) => {
    const { metadata, spec, status } = node
    report.field(0, 'Name', metadata?.name)
    report.field(0, 'Roles', roles(metadata?.labels))
    labels(report, 0, metadata?.labels)
    annotations(report, 0, metadata?.annotations)
    report.field(0, 'CreationTimestamp', longTime(metadata?.creationTimestamp))
    const taints = (spec?.taints ?? []).map(
      ({ key, value, effect }) => `${key}${value ? `=${value}` : ''}:${effect}`,
    )
    stacked(report, 0, 'Taints', taints.sort(byName))
    report.field(0, 'Unschedulable', spec?.unschedulable ?? false)
    heartbeat(report, lease)
    conditions(report, status)
    if (status?.addresses?.length) report.line(0, 'Addresses:')
    for (const { type, address } of status?.addresses ?? []) report.field(1, type, address)
    amounts(report, 'Capacity', status?.capacity)
    amounts(report, 'Allocatable', status?.allocatable)
    systemInfo(report, status?.nodeInfo)
    report.optional(0, 'PodCIDR', spec?.podCIDR)
    if (spec?.podCIDRs?.length) report.field(0, 'PodCIDRs', spec.podCIDRs.join(','))
    report.optional(0, 'ProviderID', spec?.providerID)
    const whole =
      Object.keys(status?.allocatable ?? {}).length > 0 ? status?.allocatable : status?.capacity
    podTable(report, pods, whole ?? {}, now)
    allocated(report, pods, whole ?? {})
  },
})

const ROLE = 'node-role.kubernetes.io/'

function roles(map: Record<string, string> | undefined): string {
  const found = sortedEntries(map).flatMap(([key, value]) => {
    if (key.startsWith(ROLE)) return key.length > ROLE.length ? [key.slice(ROLE.length)] : []
    return key === 'kubernetes.io/role' && value !== '' ? [value] : []
  })
  return orNone([...new Set(found)].sort(byName).join(','))
}

function heartbeat(report: Report, lease: Lease | undefined): void {
  if (lease === undefined) {
    report.line(0, 'Lease:\tFailed to get lease: not found')
    return
  }
  report.line(0, 'Lease:')
  const { holderIdentity, acquireTime, renewTime } = lease.spec ?? {}
  report.field(1, 'HolderIdentity', holderIdentity ?? UNSET)
  report.field(1, 'AcquireTime', acquireTime ? longTime(acquireTime) : UNSET)
  report.field(1, 'RenewTime', renewTime ? longTime(renewTime) : UNSET)
}

function conditions(report: Report, status: Node['status']): void {
  if (!status?.conditions?.length) return
  report.line(0, 'Conditions:')
  report.line(1, 'Type', 'Status', 'LastHeartbeatTime', 'LastTransitionTime', 'Reason', 'Message')
  report.line(1, '----', '------', '-----------------', '------------------', '------', '-------')
  for (const {
    type,
    status: holds,
    lastHeartbeatTime,
    lastTransitionTime,
    reason,
    message,
  } of status.conditions) {
    const [beat, change] = [longTime(lastHeartbeatTime), longTime(lastTransitionTime)]
    report.line(1, `${type} `, `${holds} `, `${beat} `, `${change} `, `${reason ?? ''} `, message)
  }
}

function amounts(report: Report, title: string, list: Record<string, string> | undefined): void {
  const entries = sortedEntries(list)
  if (entries.length > 0) report.line(0, `${title}:`)
  for (const [resource, quantity] of entries) report.field(1, resource, quantity)
}

const INFO = {
  'Machine ID': 'machineID',
  'System UUID': 'systemUUID',
  'Boot ID': 'bootID',
  'Kernel Version': 'kernelVersion',
  'OS Image': 'osImage',
  'Operating System': 'operatingSystem',
  Architecture: 'architecture',
  'Container Runtime Version': 'containerRuntimeVersion',
  'Kubelet Version': 'kubeletVersion',
  'Kube-Proxy Version': 'kubeProxyVersion',
} as const

function systemInfo(report: Report, info: NonNullable<Node['status']>['nodeInfo']): void {
  report.line(0, 'System Info:')
  for (const [title, member] of Object.entries(INFO)) report.field(1, title, info?.[member])
}

type Amounts = Record<string, string>

const requestsOf = ({ spec }: Pod): Amounts => podRequestsWithOverhead(spec as unknown as PodSpec)
const limitsOf = ({ spec }: Pod): Amounts => podLimitsWithOverhead(spec as unknown as PodSpec)

/** `100m (2%)` of the whole. */
function share(amount: Quantity, whole: string | undefined, decimals: number): string {
  const units = whole === undefined ? 0n : quantityUnits(parseQuantity(whole), decimals)
  const percent =
    units === 0n ? 0 : Math.trunc((Number(quantityUnits(amount, decimals)) / Number(units)) * 100)
  return `${formatQuantity(amount)} (${percent}%)`
}

const DECIMALS: Record<string, number> = { cpu: 3 }
const quantity = (text: string | undefined): Quantity =>
  text === undefined ? ZERO_QUANTITY : parseQuantity(text)

function podTable(report: Report, pods: Pod[], whole: Amounts, now: number): void {
  report.field(0, 'Non-terminated Pods', `(${pods.length} in total)`)
  report.line(
    1,
    'Namespace',
    'Name',
    '',
    'CPU Requests',
    'CPU Limits',
    'Memory Requests',
    'Memory Limits',
    'Age',
  )
  report.line(
    1,
    '---------',
    '----',
    '',
    '------------',
    '----------',
    '---------------',
    '-------------',
    '---',
  )
  for (const pod of pods) {
    const [requests, limits] = [requestsOf(pod), limitsOf(pod)]
    const cells = ['cpu', 'memory'].flatMap((resource) =>
      [requests, limits].map((list) =>
        share(
          quantity(entryOf(list, resource)),
          entryOf(whole, resource),
          entryOf(DECIMALS, resource) ?? 0,
        ),
      ),
    )
    report.line(
      1,
      pod.metadata?.namespace,
      pod.metadata?.name,
      '',
      ...cells,
      since(pod.metadata?.creationTimestamp, now),
    )
  }
}

const STANDARD = ['cpu', 'memory', 'ephemeral-storage']

function allocated(report: Report, pods: Pod[], whole: Amounts): void {
  report.line(0, 'Allocated resources:')
  report.line(1, '(Total limits may be over 100 percent, i.e., overcommitted.)')
  report.line(1, 'Resource', 'Requests', 'Limits')
  report.line(1, '--------', '--------', '------')
  const sum = (lists: Amounts[], resource: string): Quantity =>
    lists.map((list) => quantity(entryOf(list, resource))).reduce(addQuantities, ZERO_QUANTITY)
  const [requests, limits] = [pods.map(requestsOf), pods.map(limitsOf)]
  for (const resource of STANDARD) {
    report.line(
      1,
      resource,
      ...[requests, limits].map((lists) =>
        share(sum(lists, resource), entryOf(whole, resource), entryOf(DECIMALS, resource) ?? 0),
      ),
    )
  }
  const others = Object.keys(whole).filter(
    (name) => !STANDARD.includes(name) && name !== 'pods' && !name.startsWith('attachable-volumes'),
  )
  for (const resource of others.sort(byName)) {
    const texts = [requests, limits].map((lists) => {
      const total = sum(lists, resource)
      return resource.startsWith('hugepages-')
        ? share(total, entryOf(whole, resource), 0)
        : formatQuantity(total)
    })
    report.line(1, resource, ...texts)
  }
}
