import type {
  PersistentVolumeClaimSpec,
  PersistentVolumeClaimStatus,
} from 'kubernetes-types/core/v1'
import type { ObjectMeta } from 'kubernetes-types/meta/v1'
import { annotations, labels } from './metadata'
import type { Report } from './report'

export interface Claim {
  metadata?: ObjectMeta
  spec?: PersistentVolumeClaimSpec & { volumeAttributesClassName?: string }
  status?: PersistentVolumeClaimStatus
}

const CLASS_ANNOTATION = 'volume.beta.kubernetes.io/storage-class'
const MODES = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
}

/** `RWO,ROX`, in the order of the list of modes. */
export function accessModes(modes: string[] | undefined): string {
  return Object.entries(MODES)
    .filter(([mode]) => modes?.includes(mode))
    .map(([, short]) => short)
    .join(',')
}

/** @param whole false in a pod, where the claim has no name and status */
export function claimFields(
  report: Report,
  { metadata, spec, status }: Claim,
  whole: boolean,
): void {
  const level = whole ? 0 : 2
  report.field(
    level,
    'StorageClass',
    metadata?.annotations?.[CLASS_ANNOTATION] ?? spec?.storageClassName,
  )
  if (whole)
    report.field(level, 'Status', metadata?.deletionTimestamp ? 'Terminating' : status?.phase)
  report.field(level, 'Volume', spec?.volumeName)
  const inset = whole ? '' : '    '
  labels(report, level, metadata?.labels, 'Labels', inset)
  annotations(report, level, metadata?.annotations, inset)
  if (whole) report.field(level, 'Finalizers', `[${(metadata?.finalizers ?? []).join(' ')}]`)
  const bound = Boolean(spec?.volumeName)
  report.field(level, 'Capacity', bound ? (status?.capacity?.storage ?? '0') : '')
  report.field(level, 'Access Modes', bound ? accessModes(status?.accessModes) : '')
  if (spec?.volumeMode) report.field(level, 'VolumeMode', spec.volumeMode)
  const { dataSource } = spec ?? {}
  if (dataSource) {
    report.line(level, 'DataSource:')
    report.optional(level + 1, 'APIGroup', dataSource.apiGroup)
    report.field(level + 1, 'Kind', dataSource.kind)
    report.field(level + 1, 'Name', dataSource.name)
  }
}
