/** Keeps claims that pods use, and volumes that are bound, until that is over: takes off their protecting finalizers then. */
import type { PersistentVolume, PersistentVolumeClaim, Pod } from 'kubernetes-types/core/v1'
import { draftOf, type KubeObject } from '../../object'
import { type Client, isNotFound } from '../runtime/client'
import type { Controller } from '../runtime/manager'
import { keyOf } from '../runtime/stored'
import { usesClaim } from './claims'

const CLAIM_FINALIZER = 'kubernetes.io/pvc-protection'
const VOLUME_FINALIZER = 'kubernetes.io/pv-protection'

export const claimProtection: Controller = {
  name: 'persistentvolumeclaim-protection-controller',
  run(manager) {
    const claims = manager.informer<PersistentVolumeClaim>('', 'persistentvolumeclaims')
    const pods = manager.informer<Pod>('', 'pods')
    const client = manager.client('pvc-protection-controller')
    const queue = manager.queue('persistentvolumeclaim-protection-controller', async (key) => {
      const claim = claims.get(key)
      if (!claim?.metadata.deletionTimestamp) return
      // A pod without node does not use anything yet.
      const used = [...pods.list(claim.metadata.namespace)].some((pod) => pod.spec?.nodeName && usesClaim(pod, claim.metadata.name ?? ''))
      if (!used) await removeFinalizer(client, claim, CLAIM_FINALIZER)
    })
    claims.onChange(({ type, key, object }) => type !== 'DELETED' && object.metadata.deletionTimestamp && queue.add(key))
    pods.onChange(({ type, object }) => {
      if (type === 'ADDED') return
      for (const claim of claims.list(object.metadata.namespace)) {
        if (claim.metadata.deletionTimestamp && usesClaim(object, claim.metadata.name ?? '')) queue.add(keyOf(claim))
      }
    })
  },
}

export const volumeProtection: Controller = {
  name: 'persistentvolume-protection-controller',
  run(manager) {
    const volumes = manager.informer<PersistentVolume>('', 'persistentvolumes')
    const client = manager.client('pv-protection-controller')
    const queue = manager.queue('persistentvolume-protection-controller', async (key) => {
      const volume = volumes.get(key)
      if (volume?.metadata.deletionTimestamp && volume.status?.phase !== 'Bound') await removeFinalizer(client, volume, VOLUME_FINALIZER)
    })
    volumes.onChange(({ type, key, object }) => type !== 'DELETED' && object.metadata.deletionTimestamp && queue.add(key))
  },
}

async function removeFinalizer(client: Client, object: KubeObject, finalizer: string): Promise<void> {
  const draft = draftOf(object)
  const { finalizers = [], ...metadata } = draft.metadata
  if (!finalizers.includes(finalizer)) return
  const left = finalizers.filter((other) => other !== finalizer)
  try {
    await client.update({ ...draft, metadata: { ...metadata, ...(left.length > 0 && { finalizers: left }) } })
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}
