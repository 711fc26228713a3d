/** Error texts recorded from kube-apiserver 1.31. */
import type { UserInfo } from '../../authentication/authenticator'
import { equalJson, type KubeObject } from '../../core/object'
import type { Pod } from '../../validation/pods'
import { type AdmissionAttributes, type AdmissionPlugin, resourceKey } from '../admission'
import { subjectOf } from '../certificates'
import type { AdmissionEnvironment } from '../environment'
import { newForbidden } from '../errors'
import { forbiddenLabels } from './labels'
import { checkEviction, checkPodCreate, checkPodStatus, checkToken } from './pods'

const NODES_GROUP = 'system:nodes'
const NODE_PREFIX = 'system:node:'

export function nodeRestriction(environment: AdmissionEnvironment): AdmissionPlugin {
  return {
    name: 'NodeRestriction',
    operations: ['CREATE', 'UPDATE', 'DELETE'],
    mutate(attributes) {
      const node = nodeOf(attributes.user)
      return node === undefined ? undefined : restrict(environment, attributes, node)
    },
  }
}

function nodeOf({ name, groups }: UserInfo): string | undefined {
  return name.startsWith(NODE_PREFIX) && groups.includes(NODES_GROUP)
    ? name.slice(NODE_PREFIX.length)
    : undefined
}

function restrict(
  environment: AdmissionEnvironment,
  attributes: AdmissionAttributes,
  node: string,
): void | Promise<void> {
  const { subresource, operation } = attributes
  switch (resourceKey({ ...attributes, subresource: '' })) {
    case 'pods':
      return restrictPods(environment, attributes, node)
    case 'nodes':
      return checkNode(attributes, node)
    case 'persistentvolumeclaims':
      return checkClaim(
        attributes,
        node,
        environment.featureGates.RecoverVolumeExpansionFailure === true,
      )
    case 'serviceaccounts':
      return operation === 'CREATE' && subresource === 'token'
        ? checkToken(environment, attributes, node)
        : undefined
    case 'leases.coordination.k8s.io':
      if (attributes.namespace !== LEASES)
        throw newForbidden(
          attributes,
          `can only access leases in the ${JSON.stringify(LEASES)} system namespace`,
        )
      return checkName(attributes, node, 'node lease')
    case 'csinodes.storage.k8s.io':
      return checkName(attributes, node, 'CSINode')
    case 'resourceslices.resource.k8s.io':
      return checkSlice(attributes, node)
    case 'certificatesigningrequests.certificates.k8s.io':
      if (
        operation !== 'CREATE' ||
        environment.featureGates.AllowInsecureKubeletCertificateSigningRequests
      )
        return undefined
      return checkCertificateRequest(attributes)
  }
}

const LEASES = 'kube-node-lease'

function checkName(attributes: AdmissionAttributes, node: string, what: string): void {
  const name =
    attributes.operation === 'CREATE' ? attributes.object?.metadata.name : attributes.name
  if (name !== node)
    throw newForbidden(
      attributes,
      `can only access ${what} with the same name as the requesting node`,
    )
}

interface ResourceSlice extends KubeObject {
  spec: { nodeName?: string }
}

/** The node authorizer checks existing slices. */
function checkSlice(attributes: AdmissionAttributes, node: string): void {
  const { operation, object, oldObject } = attributes
  if (operation === 'UPDATE') return
  const slice = (operation === 'CREATE' ? object : oldObject) as ResourceSlice | undefined
  if (slice?.spec.nodeName === node) return
  throw newForbidden(
    attributes,
    `can only ${operation.toLowerCase()} ResourceSlice with the same NodeName as the requesting node`,
  )
}

function restrictPods(
  environment: AdmissionEnvironment,
  attributes: AdmissionAttributes,
  node: string,
): void | Promise<void> {
  const { operation, subresource, oldObject } = attributes
  switch (`${subresource} ${operation}`) {
    case ' CREATE':
      return checkPodCreate(environment, attributes, node)
    case ' DELETE':
      if ((oldObject as Pod).spec.nodeName === node) return
      throw newForbidden(
        attributes,
        `node ${JSON.stringify(node)} can only delete pods with spec.nodeName set to itself`,
      )
    case 'status UPDATE':
      return checkPodStatus(attributes, node)
    case 'eviction CREATE':
      return checkEviction(environment, attributes, node)
  }
  if (subresource === '') {
    const only = `node ${JSON.stringify(node)} can only create and delete mirror pods`
    throw newForbidden(attributes, `unexpected operation ${JSON.stringify(operation)}, ${only}`)
  }
  if (subresource === 'status' || subresource === 'eviction') {
    throw newForbidden(
      attributes,
      `unexpected operation ${subresource === 'status' ? JSON.stringify(operation) : operation}`,
    )
  }
  throw newForbidden(
    attributes,
    `unexpected pod subresource ${JSON.stringify(subresource)}, only 'status' and 'eviction' are allowed`,
  )
}

interface Node extends KubeObject {
  spec?: { taints?: unknown[]; configSource?: unknown }
}

function checkNode(attributes: AdmissionAttributes, node: string): void {
  const who = `node ${JSON.stringify(node)}`
  const { operation, name } = attributes
  const written = attributes.object as Node | undefined
  const old = attributes.oldObject as Node | undefined
  if (name !== node)
    throw newForbidden(attributes, `${who} is not allowed to modify node ${JSON.stringify(name)}`)
  if (operation === 'CREATE') {
    if (written?.spec?.configSource)
      throw newForbidden(
        attributes,
        `${who} is not allowed to create pods with a non-nil configSource`,
      )
    const labels = forbiddenLabels(written?.metadata.labels)
    if (labels.length > 0)
      throw newForbidden(
        attributes,
        `${who} is not allowed to set the following labels: ${labels.join(', ')}`,
      )
  }
  if (operation === 'UPDATE') {
    const { configSource, taints } = written?.spec ?? {}
    if (configSource && !equalJson(configSource, old?.spec?.configSource)) {
      throw newForbidden(
        attributes,
        `${who} is not allowed to update configSource to a new non-nil configSource`,
      )
    }
    if (!equalJson(taints ?? [], old?.spec?.taints ?? []))
      throw newForbidden(attributes, `${who} is not allowed to modify taints`)
    const labels = forbiddenLabels(written?.metadata.labels, old?.metadata.labels)
    if (labels.length > 0)
      throw newForbidden(attributes, `is not allowed to modify labels: ${labels.join(', ')}`)
  }
}

interface Claim extends KubeObject {
  status?: Record<string, unknown>
}

/** Members of a claim status that a node may change. */
const GROWTH = ['capacity', 'conditions']
/** With the feature gate RecoverVolumeExpansionFailure. */
const RECOVERY = [...GROWTH, 'allocatedResourceStatuses', 'allocatedResources']

function checkClaim(attributes: AdmissionAttributes, node: string, recovers: boolean): void {
  const allowed = recovers ? RECOVERY : GROWTH
  if (attributes.subresource !== 'status')
    throw newForbidden(attributes, 'may only update PVC status')
  const others = (object: KubeObject | undefined) => {
    const { status, metadata, ...members } = object as Claim
    const { managedFields: _entries, resourceVersion: _version, ...meta } = metadata
    const rest = Object.fromEntries(
      Object.entries(status ?? {}).filter(([member]) => !allowed.includes(member)),
    )
    return { ...members, metadata: meta, status: rest }
  }
  if (equalJson(others(attributes.object), others(attributes.oldObject))) return
  throw newForbidden(
    attributes,
    `node ${JSON.stringify(node)} is not allowed to update fields other than status.quantity and status.conditions`,
  )
}

interface CertificateRequest extends KubeObject {
  spec: { signerName?: string; request?: string }
}

const NODE_SIGNERS = [
  'kubernetes.io/kubelet-serving',
  'kubernetes.io/kube-apiserver-client-kubelet',
]

function checkCertificateRequest(attributes: AdmissionAttributes): void {
  const { signerName = '', request = '' } = (attributes.object as CertificateRequest).spec
  if (!NODE_SIGNERS.includes(signerName)) return
  const { name } = attributes.user
  if (subjectOf(attributes, request, 'unable to parse csr').commonName !== name)
    throw newForbidden(attributes, `can only create a node CSR with CN=${name}`)
}
