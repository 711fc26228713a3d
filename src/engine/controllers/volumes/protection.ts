/**
 * Keeps claims and volumes while they are in use.
 * https://kubernetes.io/docs/concepts/storage/persistent-volumes/#storage-object-in-use-protection
 */
import type { PersistentVolume, PersistentVolumeClaim, Pod } from 'kubernetes-types/core/v1'
import { draftOf, type KubeObject } from '../../core/object'
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
      if (claim === undefined) return
      if (!claim.metadata.deletionTimestamp) return addFinalizer(client, claim, CLAIM_FINALIZER)
      // Unscheduled pods do not use claims yet.
      const used = [...pods.list(claim.metadata.namespace)].some(
        (pod) => pod.spec?.nodeName && usesClaim(pod, claim.metadata.name ?? ''),
      )
      if (!used) await removeFinalizer(client, claim, CLAIM_FINALIZER)
    })
    claims.onChange(
      ({ type, key, object }) =>
        type !== 'DELETED' && concerns(object, CLAIM_FINALIZER) && queue.add(key),
    )
    pods.onChange(({ type, object }) => {
      if (type === 'ADDED') return
      for (const claim of claims.list(object.metadata.namespace)) {
        if (claim.metadata.deletionTimestamp && usesClaim(object, claim.metadata.name ?? ''))
          queue.add(keyOf(claim))
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
      if (volume === undefined) return
      if (!volume.metadata.deletionTimestamp) await addFinalizer(client, volume, VOLUME_FINALIZER)
      else if (volume.status?.phase !== 'Bound')
        await removeFinalizer(client, volume, VOLUME_FINALIZER)
    })
    volumes.onChange(
      ({ type, key, object }) =>
        type !== 'DELETED' && concerns(object, VOLUME_FINALIZER) && queue.add(key),
    )
  },
}

const concerns = ({ metadata }: KubeObject, finalizer: string): boolean =>
  metadata.deletionTimestamp !== undefined || !metadata.finalizers?.includes(finalizer)

async function addFinalizer(client: Client, object: KubeObject, finalizer: string): Promise<void> {
  const draft = draftOf(object)
  const { finalizers = [], ...metadata } = draft.metadata
  if (!finalizers.includes(finalizer))
    await write(client, {
      ...draft,
      metadata: { ...metadata, finalizers: [...finalizers, finalizer] },
    })
}

async function removeFinalizer(
  client: Client,
  object: KubeObject,
  finalizer: string,
): Promise<void> {
  const draft = draftOf(object)
  const { finalizers = [], ...metadata } = draft.metadata
  if (!finalizers.includes(finalizer)) return
  const left = finalizers.filter((other) => other !== finalizer)
  await write(client, {
    ...draft,
    metadata: { ...metadata, ...(left.length > 0 && { finalizers: left }) },
  })
}

async function write(client: Client, object: KubeObject): Promise<void> {
  try {
    await client.update(object)
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}
