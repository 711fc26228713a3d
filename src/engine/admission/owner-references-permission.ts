/**
 * OwnerReferencesPermissionEnforcement: who changes owners must have the right to delete the object, and who blocks an owner's
 * deletion the right to its finalizers.
 */
import type { Attributes } from '../authorization/authorizer'
import { equalJson, type OwnerReference, parseApiVersion } from '../object'
import type { AdmissionAttributes, AdmissionPlugin } from './admission'
import type { AdmissionEnvironment } from './environment'
import { refused } from './refusal'

export function ownerReferencesPermissionEnforcement(environment: AdmissionEnvironment): AdmissionPlugin {
  return {
    name: 'OwnerReferencesPermissionEnforcement',
    operations: ['CREATE', 'UPDATE'],
    async validate(attributes) {
      const owners = attributes.object?.metadata.ownerReferences ?? []
      const before = attributes.oldObject?.metadata.ownerReferences ?? []
      if (isPodsOwn(attributes) || equalJson(owners, before)) return
      const reason = await denied(environment, { ...ownAttributes(attributes), verb: 'delete' })
      if (reason !== undefined) throw refused(attributes, `cannot set an ownerRef on a resource you can't delete: ${reason}, <nil>`)
      for (const owner of newlyBlocking(owners, before)) await checkOwner(environment, attributes, owner)
    },
  }
}

/** Only binding writes through this subresource, and it changes no owners. */
const isPodsOwn = ({ resource, subresource }: AdmissionAttributes): boolean => resource === 'pods' && subresource === 'binding'

function ownAttributes({
  user,
  group,
  version,
  resource,
  subresource,
  namespaced,
  namespace,
  name,
  operation,
}: AdmissionAttributes): Attributes {
  // A new object may not have a name yet: the right must then be one to all.
  const known = operation === 'CREATE' ? '' : name
  const base = { user, verb: '', isResource: true, path: '', group, version, resource, subresource, name: known }
  return { ...base, namespace: namespaced ? namespace : '' }
}

/** @returns why the user may not; undefined: they may */
async function denied(environment: AdmissionEnvironment, asked: Attributes): Promise<string | undefined> {
  const { decision, reason } = await environment.authorizer().authorize(asked)
  return decision === 'allow' ? undefined : reason
}

function newlyBlocking(owners: OwnerReference[], before: OwnerReference[]): OwnerReference[] {
  const blockedBefore = new Set(before.filter(({ blockOwnerDeletion }) => blockOwnerDeletion).map(({ uid }) => uid))
  return owners.filter(({ blockOwnerDeletion, uid }) => blockOwnerDeletion && !blockedBefore.has(uid))
}

async function checkOwner(environment: AdmissionEnvironment, attributes: AdmissionAttributes, owner: OwnerReference): Promise<void> {
  const found = environment.resourceOf(owner.apiVersion, owner.kind)
  const rule = 'cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion'
  if (found === undefined) throw refused(attributes, `${rule} ${owner.apiVersion} Kind ${owner.kind}`)
  const { user, namespace } = attributes
  const { version } = parseApiVersion(owner.apiVersion)
  const { group, resource, namespaced } = found
  const place = { namespace: namespaced ? namespace : '', name: owner.name }
  const asked: Attributes = {
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
  const reason = await denied(environment, asked)
  if (reason === undefined) return
  const why = "cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on"
  throw refused(attributes, `${why}: ${reason}, <nil>`)
}
