/** StorageObjectInUseProtection: adds finalizers that protect claims and volumes in use. */
import { entryOf } from '../object'
import type { AdmissionPlugin } from './admission'

const FINALIZERS: Record<string, string> = {
  persistentvolumeclaims: 'kubernetes.io/pvc-protection',
  persistentvolumes: 'kubernetes.io/pv-protection',
}

export function storageObjectInUseProtection(): AdmissionPlugin {
  return {
    name: 'StorageObjectInUseProtection',
    operations: ['CREATE'],
    resources: Object.keys(FINALIZERS),
    mutate({ resource, object }) {
      const finalizer = entryOf(FINALIZERS, resource)
      if (finalizer === undefined || object === undefined) return
      const present = object.metadata.finalizers ?? []
      if (!present.includes(finalizer)) object.metadata.finalizers = [...present, finalizer]
    },
  }
}
