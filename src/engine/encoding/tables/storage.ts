import type {
  CSIDriver,
  CSINode,
  StorageClass,
  VolumeAttachment,
} from 'kubernetes-types/storage/v1'
import { API_DOMAIN } from '../../core/names'
import { entryOf } from '../../core/object'
import type { Changes } from '../../release-tables/changes'
import { NONE, type ResourceTables, table, UNSET } from './resource-table'

const STORAGE = `storage.${API_DOMAIN}`
const DEFAULT_CLASS_ANNOTATIONS = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
]

function isDefaultClass({ metadata }: StorageClass): boolean {
  return DEFAULT_CLASS_ANNOTATIONS.some(
    (annotation) => entryOf(metadata?.annotations, annotation) === 'true',
  )
}

const defaultMark = (storageClass: StorageClass, changes: Changes): string =>
  isDefaultClass(storageClass) && !changes.has('DefaultClassUnmarked') ? ' (default)' : ''

export const storageTables: ResourceTables = {
  [`csidrivers.${STORAGE}`]: table<CSIDriver>(({ spec }) => ({
    AttachRequired: spec?.attachRequired ?? true,
    PodInfoOnMount: spec?.podInfoOnMount ?? false,
    StorageCapacity: spec?.storageCapacity ?? false,
    TokenRequests: spec?.tokenRequests?.map(({ audience }) => audience).join(',') ?? UNSET,
    RequiresRepublish: spec?.requiresRepublish ?? false,
    Modes: (spec?.volumeLifecycleModes ?? []).join(',') || NONE,
  })),
  [`csinodes.${STORAGE}`]: table<CSINode>(({ spec }) => ({ Drivers: spec?.drivers?.length ?? 0 })),
  [`storageclasses.${STORAGE}`]: table<StorageClass>((storageClass, _, changes) => ({
    Name: `${storageClass.metadata?.name ?? ''}${defaultMark(storageClass, changes)}`,
    Provisioner: storageClass.provisioner ?? '',
    ReclaimPolicy: storageClass.reclaimPolicy ?? 'Delete',
    VolumeBindingMode: storageClass.volumeBindingMode ?? 'Immediate',
    AllowVolumeExpansion: storageClass.allowVolumeExpansion ?? false,
  })),
  [`volumeattachments.${STORAGE}`]: table<VolumeAttachment>(({ spec, status }) => ({
    Attacher: spec?.attacher ?? '',
    PV: spec?.source?.persistentVolumeName ?? '',
    Node: spec?.nodeName ?? '',
    Attached: status?.attached ?? false,
  })),
  [`volumeattributesclasses.${STORAGE}`]: table<{ driverName?: string }>(({ driverName }) => ({
    DriverName: driverName ?? '',
  })),
}
