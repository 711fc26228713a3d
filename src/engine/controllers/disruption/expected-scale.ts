/**
 * Counts the Pods that a PodDisruptionBudget expects.
 * https://kubernetes.io/docs/tasks/run-application/configure-pdb/
 */
import type { Pod } from 'kubernetes-types/core/v1'
import { type OwnerReference, parseApiVersion } from '../../core/object'
import { ApiError } from '../../http/status'
import { type Client, isNotFound } from '../runtime/client'
import type { Informer } from '../runtime/informer'
import type { Manager } from '../runtime/manager'
import type { Stored } from '../runtime/stored'
import { controllerOf } from '../shared/ownership'

interface Sized {
  spec?: { replicas?: number }
}

type Size = [uid: string, size: number]

export class ExpectedScale {
  private readonly kinds: Record<string, Informer<Sized>>

  constructor(
    private readonly manager: Manager,
    private readonly client: Client,
  ) {
    this.kinds = {
      '/ReplicationController': manager.informer<Sized>('', 'replicationcontrollers'),
      'apps/ReplicaSet': manager.informer<Sized>('apps', 'replicasets'),
      'apps/StatefulSet': manager.informer<Sized>('apps', 'statefulsets'),
      'apps/Deployment': manager.informer<Sized>('apps', 'deployments'),
    }
  }

  onChange(changed: (namespace: string) => void): void {
    for (const informer of Object.values(this.kinds)) {
      informer.onChange(({ object, previous }) => {
        if (object.spec?.replicas !== previous?.spec?.replicas)
          changed(object.metadata.namespace ?? '')
      })
    }
  }

  /**
   * Pods without a controller count as `unmanaged`. @returns an error if a controller has no
   * replicas
   */
  async ofAll(
    pods: Stored<Pod>[],
  ): Promise<{ size: number; unmanaged: boolean } | { problem: string }> {
    const sizes = new Map<string, number>()
    const known = new Set<string>()
    for (const pod of pods) {
      const owner = controllerOf(pod)
      if (owner === undefined || known.has(owner.uid)) continue
      known.add(owner.uid)
      const found = await this.ofOwner(pod.metadata.namespace ?? '', owner)
      if (typeof found === 'string') return { problem: found }
      if (found === undefined)
        return { problem: `found no controllers for pod ${JSON.stringify(pod.metadata.name)}` }
      sizes.set(...found)
    }
    const size = [...sizes.values()].reduce((sum, one) => sum + one, 0)
    return { size, unmanaged: pods.some((pod) => controllerOf(pod) === undefined) }
  }

  /** @returns a string for an error, undefined without such an owner */
  private async ofOwner(
    namespace: string,
    reference: OwnerReference,
  ): Promise<Size | string | undefined> {
    const { apiVersion, kind, name, uid } = reference
    const informer = this.kinds[`${parseApiVersion(apiVersion).group}/${kind}`]
    if (informer === undefined) return this.scaleOf(namespace, reference)
    const owner = informer.get(`${namespace}/${name}`)
    if (owner?.metadata.uid !== uid) return undefined
    const above = kind === 'ReplicaSet' ? controllerOf(owner) : undefined
    const deployment =
      above?.kind === 'Deployment' ? await this.ofOwner(namespace, above) : undefined
    return deployment ?? [uid, owner.spec?.replicas ?? 1]
  }

  /** Reads the replicas of any other kind from its scale subresource. */
  private async scaleOf(
    namespace: string,
    { apiVersion, kind, name, uid }: OwnerReference,
  ): Promise<Size | string | undefined> {
    const { group, version } = parseApiVersion(apiVersion)
    const resource = this.manager.engine.resources.byKind(group, version, kind)
    if (resource === undefined)
      return `no matches for kind ${JSON.stringify(kind)} in version ${JSON.stringify(apiVersion)}`
    if (!resource.subresources.has('scale'))
      return `${[resource.resource, group].filter(Boolean).join('.')} does not implement the scale subresource`
    try {
      const { metadata, spec } = await this.client.get<Sized>(
        { apiVersion, kind, metadata: { name, namespace } },
        'scale',
      )
      return metadata.uid === uid ? [uid, spec?.replicas ?? 0] : undefined
    } catch (error) {
      if (isNotFound(error)) return undefined
      if (error instanceof ApiError) return error.message
      throw error
    }
  }
}
