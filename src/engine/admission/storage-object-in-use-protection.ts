/** Adds finalizers that protect claims and volumes in use. */
import { API_DOMAIN } from '../core/names'
import { entryOf } from '../core/object'
import { changesOf } from '../release-tables/changes'
import type { AdmissionPlugin } from './admission'
import type { AdmissionEnvironment } from './environment'

const FINALIZERS: Record<string, string> = {
  persistentvolumeclaims: 'kubernetes.io/pvc-protection',
  persistentvolumes: 'kubernetes.io/pv-protection',
}
/** Also behind the feature gate of the kind, from 1.32 on. */
const GROUPS = { volumeattributesclasses: `volumeattributesclasses.storage.${API_DOMAIN}` }
const OF_ATTRIBUTES = { volumeattributesclasses: 'kubernetes.io/vac-protection' }

export function storageObjectInUseProtection({
  release,
  featureGates,
}: AdmissionEnvironment): AdmissionPlugin {
  const protectsAttributes =
    featureGates.VolumeAttributesClass === true &&
    changesOf(release).has('VolumeAttributesClassProtected')
  const finalizers: Readonly<Record<string, string>> = {
    ...FINALIZERS,
    ...(protectsAttributes ? OF_ATTRIBUTES : {}),
  }
  return {
    name: 'StorageObjectInUseProtection',
    operations: ['CREATE'],
    resources: Object.keys(finalizers).map((name) => entryOf(GROUPS, name) ?? name),
    mutate({ resource, object }) {
      const finalizer = entryOf(finalizers, resource)
      if (finalizer === undefined || object === undefined) return
      const present = object.metadata.finalizers ?? []
      if (!present.includes(finalizer)) object.metadata.finalizers = [...present, finalizer]
    },
  }
}
