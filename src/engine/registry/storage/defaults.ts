/** What storage classes and drivers leave out (public documentation, API reference of storage.k8s.io; recorded). */
import { isJsonObject, type JsonObject, type KubeObject } from '../../object'

export function defaultStorageClass(object: KubeObject): void {
  object.reclaimPolicy ??= 'Delete'
  object.volumeBindingMode ??= 'Immediate'
}

const DRIVER: JsonObject = {
  attachRequired: true,
  podInfoOnMount: false,
  storageCapacity: false,
  fsGroupPolicy: 'ReadWriteOnceWithFSType',
  requiresRepublish: false,
  seLinuxMount: false,
}

export function defaultDriver(object: KubeObject): void {
  object.spec ??= {}
  const { spec } = object
  if (!isJsonObject(spec)) return
  for (const [name, value] of Object.entries(DRIVER)) spec[name] ??= value
  if (!Array.isArray(spec.volumeLifecycleModes) || spec.volumeLifecycleModes.length === 0) spec.volumeLifecycleModes = ['Persistent']
}
