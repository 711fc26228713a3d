/**
 * Changing owners needs `delete`, blockOwnerDeletion needs `update` of the owner's finalizers
 * (kubernetes.io, "Admission Control in Kubernetes"). Error texts: Kubernetes 1.31, package
 * plugin/pkg/admission/gc.
 */
import type { Attributes } from '../authorization/authorizer'
import { equalJson, type OwnerReference, parseApiVersion } from '../core/object'
import { goQuote } from '../schema/go-text'
import type { AdmissionAttributes, AdmissionPlugin } from './admission'
import type { AdmissionEnvironment } from './environment'
import { newForbidden } from './errors'

export function ownerReferencesPermissionEnforcement(
  environment: AdmissionEnvironment,
): AdmissionPlugin {
  return {
    name: 'OwnerReferencesPermissionEnforcement',
    operations: ['CREATE', 'UPDATE'],
    async validate(attributes) {
      const owners = attributes.object?.metadata.ownerReferences ?? []
      const before = attributes.oldObject?.metadata.ownerReferences ?? []
      if (isPodStatus(attributes) || equalJson(owners, before)) return
      if (attributes.operation !== 'CREATE') await checkDeletable(environment, attributes)
      for (const owner of newlyBlocking(owners, before))
        await checkOwner(environment, attributes, owner)
    },
  }
}

/** These writes cannot change owners, even if a kubelet sends others. */
const isPodStatus = ({ group, resource, subresource }: AdmissionAttributes): boolean =>
  group === '' && resource === 'pods' && subresource === 'status'

async function checkDeletable(
  environment: AdmissionEnvironment,
  attributes: AdmissionAttributes,
): Promise<void> {
  const { user, group, version, resource, subresource, namespaced, namespace, name } = attributes
  const place = {
    group,
    version,
    resource,
    subresource,
    name,
    namespace: namespaced ? namespace : '',
  }
  const reason = await denied(environment, {
    user,
    verb: 'delete',
    isResource: true,
    path: '',
    ...place,
  })
  if (reason !== undefined)
    throw newForbidden(
      attributes,
      `cannot set an ownerRef on a resource you can't delete: ${reason}, <nil>`,
    )
}

/** @returns the reason of a denial; undefined if the user has permission */
async function denied(
  environment: AdmissionEnvironment,
  attributes: Attributes,
): Promise<string | undefined> {
  const { decision, reason } = await environment.authorizer().authorize(attributes)
  return decision === 'allow' ? undefined : reason
}

function newlyBlocking(owners: OwnerReference[], before: OwnerReference[]): OwnerReference[] {
  const blockedBefore = new Set(
    before.filter(({ blockOwnerDeletion }) => blockOwnerDeletion).map(({ uid }) => uid),
  )
  return owners.filter(
    ({ blockOwnerDeletion, uid }) => blockOwnerDeletion && !blockedBefore.has(uid),
  )
}

async function checkOwner(
  environment: AdmissionEnvironment,
  attributes: AdmissionAttributes,
  owner: OwnerReference,
): Promise<void> {
  const found = environment.resourceOf(owner.apiVersion, owner.kind)
  const rule =
    'cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion'
  if (found === undefined) {
    const none = `no matches for kind ${goQuote(owner.kind)} in version ${goQuote(owner.apiVersion)}`
    throw newForbidden(attributes, `${rule} ${owner.apiVersion} Kind ${owner.kind}: ${none}`)
  }
  const { user, namespace } = attributes
  const { version } = parseApiVersion(owner.apiVersion)
  const { group, resource, namespaced } = found
  const place = { namespace: namespaced ? namespace : '', name: owner.name }
  const finalizerUpdate: Attributes = {
    user,
    verb: 'update',
    isResource: true,
    path: '',
    group,
    version,
    resource,
    subresource: 'finalizers',
    ...place,
  }
  const reason = await denied(environment, finalizerUpdate)
  if (reason === undefined) return
  const why =
    "cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on"
  throw newForbidden(attributes, `${why}: ${reason}, <nil>`)
}
