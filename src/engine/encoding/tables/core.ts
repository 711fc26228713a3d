import type {
  ComponentStatus,
  ConfigMap,
  Namespace,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  ResourceQuota,
  Secret,
  ServiceAccount,
} from 'kubernetes-types/core/v1'
import { entryOf } from '../../core/object'
import type { Changes } from '../../release-tables/changes'
import { count, NONE, type ResourceTables, table, UNKNOWN, UNSET } from './resource-table'

const ROLE_LABEL_PREFIX = 'node-role.kubernetes.io/'
const ROLE_LABEL = 'kubernetes.io/role'
const STORAGE_CLASS_ANNOTATION = 'volume.beta.kubernetes.io/storage-class'

export function nodeStatus(node: Node): string {
  const ready = node.status?.conditions?.findLast(({ type }) => type === 'Ready')
  const status = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady'
  return node.spec?.unschedulable ? `${status},SchedulingDisabled` : status
}

function nodeRoles(node: Node): string {
  const roles = new Set<string>()
  for (const [label, value] of Object.entries(node.metadata?.labels ?? {})) {
    if (label.startsWith(ROLE_LABEL_PREFIX)) roles.add(label.slice(ROLE_LABEL_PREFIX.length))
    else if (label === ROLE_LABEL) roles.add(value)
  }
  roles.delete('')
  return [...roles].sort().join(',') || NONE
}

function kernelVersion({ status }: Node, changes: Changes): string {
  const { kernelVersion: version, architecture } = status?.nodeInfo ?? {}
  if (!version) return UNKNOWN
  return architecture && changes.has('NodeArchitectureShown')
    ? `${version} (${architecture})`
    : version
}

function nodeAddress(node: Node, wanted: 'InternalIP' | 'ExternalIP'): string {
  return node.status?.addresses?.find(({ type }) => type === wanted)?.address ?? NONE
}

const ACCESS_MODES = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
}

function accessModes(modes: string[] | undefined): string {
  return Object.entries(ACCESS_MODES)
    .filter(([mode]) => modes?.includes(mode))
    .map(([, short]) => short)
    .join(',')
}

/** The old annotation, else the field. */
function storageClass(object: {
  metadata?: { annotations?: Record<string, string> }
  spec?: { storageClassName?: string }
}): string {
  return (
    object.metadata?.annotations?.[STORAGE_CLASS_ANNOTATION] ?? object.spec?.storageClassName ?? ''
  )
}

const attributesClass = (spec: object | undefined): string =>
  (spec as { volumeAttributesClassName?: string } | undefined)?.volumeAttributesClassName ?? UNSET

/** `pods: 1/3, requests.cpu: 500m/4` */
function quotaUse({ status }: ResourceQuota, limits: boolean): string {
  return Object.keys(status?.hard ?? {})
    .sort()
    .filter((resource) => resource.startsWith('limits.') === limits)
    .map(
      (resource) =>
        `${resource}: ${entryOf(status?.used, resource) ?? '0'}/${entryOf(status?.hard, resource)}`,
    )
    .join(', ')
}

export const coreTables: ResourceTables = {
  componentstatuses: table<ComponentStatus>(({ conditions }) => {
    const healthy = conditions?.find(({ type }) => type === 'Healthy')
    return {
      Status:
        healthy === undefined ? 'Unknown' : healthy.status === 'True' ? 'Healthy' : 'Unhealthy',
      Message: healthy?.message ?? '',
      Error: healthy?.error ?? '',
    }
  }),
  configmaps: table<ConfigMap>(({ data, binaryData }) => ({
    Data: count(data) + count(binaryData),
  })),
  namespaces: table<Namespace>(({ status }) => ({ Status: status?.phase ?? '' })),
  nodes: table<Node>((node, _now, changes) => ({
    Status: nodeStatus(node),
    Roles: nodeRoles(node),
    Version: node.status?.nodeInfo?.kubeletVersion ?? '',
    'Internal-IP': nodeAddress(node, 'InternalIP'),
    'External-IP': nodeAddress(node, 'ExternalIP'),
    'OS-Image': node.status?.nodeInfo?.osImage || UNKNOWN,
    'Kernel-Version': kernelVersion(node, changes),
    'Container-Runtime': node.status?.nodeInfo?.containerRuntimeVersion || UNKNOWN,
  })),
  persistentvolumeclaims: table<PersistentVolumeClaim>((claim) => {
    const { metadata, spec, status } = claim
    return {
      Status: metadata?.deletionTimestamp ? 'Terminating' : (status?.phase ?? ''),
      Volume: spec?.volumeName ?? '',
      Capacity: spec?.volumeName ? (status?.capacity?.storage ?? '0') : '',
      'Access Modes': spec?.volumeName ? accessModes(status?.accessModes) : '',
      StorageClass: storageClass(claim),
      VolumeAttributesClass: attributesClass(spec),
      VolumeMode: spec?.volumeMode ?? UNSET,
    }
  }),
  persistentvolumes: table<PersistentVolume>((volume) => {
    const { metadata, spec, status } = volume
    return {
      Capacity: spec?.capacity?.storage ?? '0',
      'Access Modes': accessModes(spec?.accessModes),
      'Reclaim Policy': spec?.persistentVolumeReclaimPolicy ?? '',
      Status: metadata?.deletionTimestamp ? 'Terminating' : (status?.phase ?? ''),
      Claim: spec?.claimRef ? `${spec.claimRef.namespace ?? ''}/${spec.claimRef.name ?? ''}` : '',
      StorageClass: storageClass(volume),
      VolumeAttributesClass: attributesClass(spec),
      Reason: status?.reason ?? '',
      VolumeMode: spec?.volumeMode ?? UNSET,
    }
  }),
  resourcequotas: table<ResourceQuota>((quota) => ({
    Request: quotaUse(quota, false),
    Limit: quotaUse(quota, true),
  })),
  secrets: table<Secret>(({ type, data }) => ({ Type: type ?? '', Data: count(data) })),
  serviceaccounts: table<ServiceAccount>(({ secrets }) => ({ Secrets: secrets?.length ?? 0 })),
}
