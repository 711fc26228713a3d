/**
 * Creates the claims of generic ephemeral volumes.
 * https://kubernetes.io/docs/concepts/storage/ephemeral-volumes/#generic-ephemeral-volumes
 */
import type { PersistentVolumeClaim, Pod } from 'kubernetes-types/core/v1'
import { ApiError } from '../../http/status'
import { inTerminatingNamespace } from '../runtime/client'
import type { Controller } from '../runtime/manager'
import { keyOf } from '../runtime/stored'
import { controllerReference, isControlledBy } from '../shared/ownership'
import { usesClaim } from './claims'

const NAME = 'ephemeral-volume-controller'

export const ephemeralVolumes: Controller = {
  name: NAME,
  run(manager) {
    const pods = manager.informer<Pod>('', 'pods')
    const claims = manager.informer<PersistentVolumeClaim>('', 'persistentvolumeclaims')
    const client = manager.client(NAME)
    const recorder = manager.recorder(client, 'ephemeral_volume')
    const queue = manager.queue(NAME, async (key) => {
      const pod = pods.get(key)
      if (pod === undefined || pod.metadata.deletionTimestamp) return
      const recordEvent = (volume: string, why: string) =>
        recorder.event(pod, 'Warning', 'FailedBinding', `ephemeral volume ${volume}: ${why}`)
      for (const { name, ephemeral } of pod.spec?.volumes ?? []) {
        const template = ephemeral?.volumeClaimTemplate
        if (template === undefined) continue
        const { namespace = '' } = pod.metadata
        const claim = `${pod.metadata.name}-${name}`
        const present = claims.get(`${namespace}/${claim}`)
        // A claim that the pod does not own blocks the volume.
        if (present && !isControlledBy(present, pod))
          return recordEvent(
            name,
            `PVC ${namespace}/${claim} was not created for pod ${key} (pod is not owner)`,
          )
        if (present) continue
        const { labels, annotations } = template.metadata ?? {}
        const metadata = {
          name: claim,
          namespace,
          ...(labels && { labels }),
          ...(annotations && { annotations }),
          ownerReferences: [controllerReference(pod)],
        }
        try {
          await client.create({
            apiVersion: 'v1',
            kind: 'PersistentVolumeClaim',
            metadata,
            spec: template.spec,
          })
        } catch (error) {
          if (inTerminatingNamespace(error)) return
          if (error instanceof ApiError) recordEvent(name, `create PVC ${claim}: ${error.message}`)
          throw error
        }
      }
    })
    const hasOwnVolumes = ({ spec }: Pod) =>
      spec?.volumes?.some(({ ephemeral }) => ephemeral !== undefined) ?? false
    pods.onChange(
      ({ type, key, object }) => type === 'ADDED' && hasOwnVolumes(object) && queue.add(key),
    )
    claims.onChange(({ type, object: { metadata } }) => {
      if (type !== 'DELETED') return
      for (const pod of pods.list(metadata.namespace))
        if (hasOwnVolumes(pod) && usesClaim(pod, metadata.name ?? '')) queue.add(keyOf(pod))
    })
  },
}
