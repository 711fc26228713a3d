/** Error texts recorded from kube-apiserver 1.31. */

import { equalJson, type KubeObject } from '../../core/object'
import { notFound } from '../../http/status'
import {
  configMapNamesOf,
  isMirrorPod,
  MIRROR_ANNOTATION,
  type Pod,
  type PodSpec,
  podOf,
  projectedSources,
  secretNamesOf,
} from '../../validation/pods'
import type { AdmissionAttributes } from '../admission'
import { type AdmissionEnvironment, readObject } from '../environment'
import { newForbidden } from '../errors'

export async function checkPodCreate(
  environment: AdmissionEnvironment,
  attributes: AdmissionAttributes,
  node: string,
): Promise<void> {
  const pod = podOf(attributes.object)
  const who = `node ${JSON.stringify(node)}`
  if (!isMirrorPod(pod)) {
    throw newForbidden(
      attributes,
      `pod does not have ${JSON.stringify(MIRROR_ANNOTATION)} annotation, ${who} can only create mirror pods`,
    )
  }
  if (pod.spec.nodeName !== node)
    throw newForbidden(attributes, `${who} can only create pods with spec.nodeName set to itself`)
  await checkOwner(environment, attributes, pod, node)
  const referenced = referencesOf(pod.spec)
  if (referenced !== undefined)
    throw newForbidden(attributes, `${who} can not create pods that reference ${referenced}`)
}

async function checkOwner(
  environment: AdmissionEnvironment,
  attributes: AdmissionAttributes,
  pod: Pod,
  node: string,
): Promise<void> {
  const who = `node ${JSON.stringify(node)}`
  const [owner, ...others] = pod.metadata.ownerReferences ?? []
  if (others.length > 0)
    throw newForbidden(
      attributes,
      `${who} can only create pods with a single owner reference set to itself`,
    )
  if (owner?.apiVersion !== 'v1' || owner.kind !== 'Node' || owner.name !== node) {
    throw newForbidden(
      attributes,
      `${who} can only create pods with an owner reference set to itself`,
    )
  }
  if (!owner.controller)
    throw newForbidden(
      attributes,
      `${who} can only create pods with a controller owner reference set to itself`,
    )
  if (owner.blockOwnerDeletion)
    throw newForbidden(attributes, `${who} must not set blockOwnerDeletion on an owner reference`)
  const stored = await readObject(environment, `/registry/minions/${node}`)
  if (stored === undefined) throw notFound({ group: '', resource: 'node' }, node)
  if (stored.metadata.uid !== owner.uid) {
    throw newForbidden(
      attributes,
      `node ${node} UID mismatch: expected ${owner.uid} got ${stored.metadata.uid}`,
    )
  }
}

/** What a static pod may not reference. */
function referencesOf(spec: PodSpec): string | undefined {
  const volumes = spec.volumes ?? []
  if (spec.serviceAccountName) return 'a service account'
  if (!secretNamesOf(spec).next().done) return 'secrets'
  if (!configMapNamesOf(spec).next().done) return 'configmaps'
  if (
    volumes.some((volume) =>
      projectedSources(volume).some((source) => 'clusterTrustBundle' in source),
    )
  )
    return 'clustertrustbundles'
  if (volumes.some(({ persistentVolumeClaim }) => persistentVolumeClaim))
    return 'persistentvolumeclaims'
  if (spec.resourceClaims?.length) return 'resourceclaims'
  return undefined
}

export function checkPodStatus(attributes: AdmissionAttributes, node: string): void {
  const who = `node ${JSON.stringify(node)}`
  const old = attributes.oldObject as Pod
  const pod = attributes.object as Pod
  if (old.spec.nodeName !== node)
    throw newForbidden(
      attributes,
      `${who} can only update pod status for pods with spec.nodeName set to itself`,
    )
  if (!equalJson(pod.metadata.labels ?? {}, old.metadata.labels ?? {})) {
    throw newForbidden(attributes, `${who} cannot update labels through pod status`)
  }
  if (
    !equalJson(pod.status?.resourceClaimStatuses ?? [], old.status?.resourceClaimStatuses ?? [])
  ) {
    throw newForbidden(attributes, `${who} cannot update resource claim statues`)
  }
}

export async function checkEviction(
  environment: AdmissionEnvironment,
  attributes: AdmissionAttributes,
  node: string,
): Promise<void> {
  const pod = await existingPod(environment, attributes, attributes.name)
  if (pod.spec.nodeName !== node)
    throw newForbidden(
      attributes,
      `node ${node} can only evict pods with spec.nodeName set to itself`,
    )
}

interface TokenRequest extends KubeObject {
  spec: { boundObjectRef?: { apiVersion?: string; kind?: string; name?: string; uid?: string } }
}

/** Nodes may only request tokens that are bound to their pods. */
export async function checkToken(
  environment: AdmissionEnvironment,
  attributes: AdmissionAttributes,
  node: string,
): Promise<void> {
  const { boundObjectRef: bound } = (attributes.object as TokenRequest).spec
  if (bound?.apiVersion !== 'v1' || bound.kind !== 'Pod' || !bound.name)
    throw newForbidden(attributes, 'node requested token not bound to a pod')
  if (!bound.uid)
    throw newForbidden(attributes, 'node requested token with a pod binding without a uid')
  const pod = await existingPod(environment, attributes, bound.name)
  if (pod.metadata.uid !== bound.uid) {
    const why = `the UID in the bound object reference (${bound.uid}) does not match the UID in record`
    throw newForbidden(attributes, `${why}. The object might have been deleted and then recreated`)
  }
  if (pod.spec.nodeName !== node)
    throw newForbidden(
      attributes,
      'node requested token bound to a pod scheduled on a different node',
    )
}

async function existingPod(
  environment: AdmissionEnvironment,
  { namespace }: AdmissionAttributes,
  name: string,
): Promise<Pod> {
  const pod = await readObject<Pod>(environment, `/registry/pods/${namespace}/${name}`)
  if (pod === undefined) throw notFound({ group: '', resource: 'pod' }, name)
  return pod
}
