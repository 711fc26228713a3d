/** Makes the claims of volumes that live and die with their pod (public documentation, "Generic ephemeral volumes"). */
import type { PersistentVolumeClaim, Pod } from 'kubernetes-types/core/v1'
import { ApiError } from '../../http/status'
import { alreadyExists, inTerminatingNamespace } from '../runtime/client'
import type { Controller } from '../runtime/manager'
import { controllerReference, isControlledBy } from '../shared/ownership'
import { hasEnded } from '../shared/pods'

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
      if (pod === undefined || pod.metadata.deletionTimestamp || hasEnded(pod)) return
      for (const { name, ephemeral } of pod.spec?.volumes ?? []) {
        const template = ephemeral?.volumeClaimTemplate
        if (template === undefined) continue
        const { namespace = '' } = pod.metadata
        const claim = `${pod.metadata.name}-${name}`
        const present = claims.get(`${namespace}/${claim}`)
        if (present && isControlledBy(present, pod)) continue
        const { labels, annotations } = template.metadata ?? {}
        const metadata = {
          name: claim,
          namespace,
          ...(labels && { labels }),
          ...(annotations && { annotations }),
          ownerReferences: [controllerReference(pod)],
        }
        try {
          if (present) throw new Error(`PVC "${namespace}/${claim}" was not created for pod "${key}" (pod is not owner)`)
          await client.create({ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata, spec: template.spec })
        } catch (error) {
          if (alreadyExists(error) || inTerminatingNamespace(error)) continue
          recorder.event(pod, 'Warning', 'EphemeralVolumeInvalid', error instanceof Error ? error.message : String(error))
          if (error instanceof ApiError) throw error
        }
      }
    })
    const hasOwnVolumes = ({ spec }: Pod) => spec?.volumes?.some(({ ephemeral }) => ephemeral !== undefined) ?? false
    pods.onChange(({ type, key, object }) => type === 'ADDED' && hasOwnVolumes(object) && queue.add(key))
    claims.onChange(({ type, object: { metadata } }) => {
      const owner = metadata.ownerReferences?.find(({ controller }) => controller)
      if (type === 'DELETED' && owner?.kind === 'Pod') queue.add(`${metadata.namespace}/${owner.name}`)
    })
  },
}
