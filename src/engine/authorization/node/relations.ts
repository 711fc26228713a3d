/** Ignores mirror pods of nodes (Kubernetes 1.31, package plugin/pkg/auth/authorizer/node). */
import { entryOf, type KubeObject } from '../../core/object'
import type { Storage } from '../../storage/storage'
import { configMapNamesOf, isMirrorPod, type Pod, secretNamesOf } from '../../validation/pods'

interface Reference {
  name?: string
  secretName?: string
  namespace?: string
  secretNamespace?: string
}

interface PersistentVolume extends KubeObject {
  spec?: { claimRef?: { namespace?: string; name?: string } } & Record<string, unknown>
}

interface ResourceSlice extends KubeObject {
  spec?: { nodeName?: string }
}

interface VolumeAttachment extends KubeObject {
  spec?: { nodeName?: string }
}

/** @param kind plural resource */
export async function isRelated(
  storage: Storage,
  node: string,
  kind: string,
  namespace: string,
  name: string,
): Promise<boolean> {
  switch (kind) {
    case 'persistentvolumes':
      return isVolumeOf(storage, node, await volume(storage, name))
    case 'volumeattachments': {
      const attachment = await storage.get(`/registry/volumeattachments/${name}`)
      return (attachment?.object as VolumeAttachment | undefined)?.spec?.nodeName === node
    }
    case 'resourceslices': {
      const slice = await storage.get(`/registry/resourceslices/${name}`)
      return (slice?.object as ResourceSlice | undefined)?.spec?.nodeName === node
    }
    case 'pods':
      return (
        ((await storage.get(`/registry/pods/${namespace}/${name}`))?.object as Pod | undefined)
          ?.spec.nodeName === node
      )
    case 'secrets':
      return (
        (await podsOf(storage, node, namespace)).some((pod) => refersTo(pod, kind, name)) ||
        isVolumeSecret(storage, node, namespace, name)
      )
    default:
      return (await podsOf(storage, node, namespace)).some((pod) => refersTo(pod, kind, name))
  }
}

async function podsOf(storage: Storage, node: string, namespace: string): Promise<Pod[]> {
  if (namespace === '') return []
  const { items } = await storage.range(`/registry/pods/${namespace}/`)
  return items
    .map(({ object }) => object as Pod)
    .filter((pod) => pod.spec.nodeName === node && !isMirrorPod(pod))
}

function refersTo({ metadata, spec, status }: Pod, kind: string, name: string): boolean {
  switch (kind) {
    case 'secrets':
      return includes(secretNamesOf(spec), name)
    case 'configmaps':
      return includes(configMapNamesOf(spec), name)
    case 'serviceaccounts':
      return spec.serviceAccountName === name
    case 'resourceclaims': {
      const made = (status?.resourceClaimStatuses ?? []) as { resourceClaimName?: string }[]
      return [...(spec.resourceClaims ?? []), ...made].some(
        ({ resourceClaimName }) => resourceClaimName === name,
      )
    }
    case 'persistentvolumeclaims':
      return (spec.volumes ?? []).some((source) => {
        const claim = source.persistentVolumeClaim as { claimName?: string } | undefined
        return claim
          ? claim.claimName === name
          : Boolean(source.ephemeral) && `${metadata.name}-${source.name}` === name
      })
    default:
      return false
  }
}

function includes(names: Iterable<string>, name: string): boolean {
  for (const other of names) if (other === name) return true
  return false
}

async function volume(storage: Storage, name: string): Promise<PersistentVolume | undefined> {
  return (await storage.get(`/registry/persistentvolumes/${name}`))?.object as
    | PersistentVolume
    | undefined
}

/** A volume is related to nodes whose pods use its bound claim. */
async function isVolumeOf(
  storage: Storage,
  node: string,
  found: PersistentVolume | undefined,
): Promise<boolean> {
  const { namespace = '', name = '' } = found?.spec?.claimRef ?? {}
  if (name === '') return false
  return (await podsOf(storage, node, namespace)).some((pod) =>
    refersTo(pod, 'persistentvolumeclaims', name),
  )
}

const SECRETS_OF_VOLUMES: Record<string, readonly string[]> = {
  cephfs: ['secretRef'],
  cinder: ['secretRef'],
  flexVolume: ['secretRef'],
  rbd: ['secretRef'],
  scaleIO: ['secretRef'],
  iscsi: ['secretRef'],
  storageos: ['secretRef'],
  csi: ['nodePublishSecretRef', 'nodeStageSecretRef', 'nodeExpandSecretRef'],
}

async function isVolumeSecret(
  storage: Storage,
  node: string,
  namespace: string,
  name: string,
): Promise<boolean> {
  const { items } = await storage.range('/registry/persistentvolumes/')
  for (const { object } of items) {
    const found = object as PersistentVolume
    if (namesSecret(found, namespace, name) && (await isVolumeOf(storage, node, found))) return true
  }
  return false
}

function namesSecret({ spec = {} }: PersistentVolume, namespace: string, name: string): boolean {
  const ofClaim = spec.claimRef?.namespace ?? ''
  const azureFile = spec.azureFile as Reference | undefined
  if (azureFile?.secretName === name && (azureFile.secretNamespace || ofClaim) === namespace)
    return true
  return Object.entries(SECRETS_OF_VOLUMES).some(([type, members]) => {
    const source = spec[type] as Record<string, Reference | undefined> | undefined
    return members.some((member) => {
      const reference = entryOf(source, member)
      return reference?.name === name && (reference.namespace || ofClaim) === namespace
    })
  })
}
