/** Roles and bindings in their own store, in short notation, and permission checks against them. */
import type { UserInfo } from '../../src/engine/authentication/authenticator'
import type { Attributes } from '../../src/engine/authorization/authorizer'
import type { Subject } from '../../src/engine/authorization/rbac/role-index'
import type { PolicyRule } from '../../src/engine/authorization/rbac/rules'
import type { KubeObject } from '../../src/engine/core/object'
import { createMemoryStorage } from '../../src/engine/storage/memory'
import type { Storage } from '../../src/engine/storage/storage'

export interface RoleBook {
  storage: Storage
  /** @param namespace empty: a ClusterRole */
  role(namespace: string, name: string, rules: PolicyRule[]): Promise<void>
  /** @param namespace empty: a ClusterRoleBinding @param role `Role/name` or `ClusterRole/name` */
  binding(namespace: string, name: string, role: string, subjects: Subject[]): Promise<void>
  remove(key: string): Promise<void>
}

export const roleKey = (namespace: string, name: string): string =>
  namespace === '' ? `/registry/clusterroles/${name}` : `/registry/roles/${namespace}/${name}`

export const bindingKey = (namespace: string, name: string): string =>
  namespace === ''
    ? `/registry/clusterrolebindings/${name}`
    : `/registry/rolebindings/${namespace}/${name}`

export function roleBook(): RoleBook {
  const storage = createMemoryStorage()
  const put = async (
    key: string,
    namespace: string,
    name: string,
    members: Record<string, unknown>,
  ) => {
    const metadata = { name, ...(namespace === '' ? {} : { namespace }), resourceVersion: '0' }
    const object: KubeObject = {
      kind: '',
      apiVersion: 'rbac.authorization.k8s.io/v1',
      metadata,
      ...members,
    }
    await storage.transaction([], [{ type: 'put', key, object }])
  }
  return {
    storage,
    role: (namespace, name, rules) => put(roleKey(namespace, name), namespace, name, { rules }),
    binding(namespace, name, role, subjects) {
      const [kind = '', roleName = ''] = role.split('/')
      const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind, name: roleName }
      return put(bindingKey(namespace, name), namespace, name, { subjects, roleRef })
    },
    async remove(key) {
      await storage.transaction([], [{ type: 'delete', key }])
    },
  }
}

export const user = (name: string): Subject => ({ kind: 'User', name })
export const group = (name: string): Subject => ({ kind: 'Group', name })
export const account = (name: string, namespace?: string): Subject => ({
  kind: 'ServiceAccount',
  name,
  ...(namespace ? { namespace } : {}),
})

/** A rule on resources of the core group. */
export const may = (verbs: string, resources: string, resourceNames?: string[]): PolicyRule => ({
  verbs: verbs.split(','),
  apiGroups: [''],
  resources: resources.split(','),
  ...(resourceNames ? { resourceNames } : {}),
})

/**
 * Parses `get pods/log a/name`: attributes of a request. Without a slash the name is
 * cluster-scoped.
 */
export function attributesOf(
  actor: string | UserInfo,
  verb: string,
  resource: string,
  namespace = '',
  more: Partial<Attributes> = {},
): Attributes {
  const [plural = '', subresource = ''] = resource.split('/')
  const who = typeof actor === 'string' ? { name: actor, groups: ['system:authenticated'] } : actor
  return {
    user: who,
    verb,
    isResource: true,
    path: '',
    group: '',
    version: 'v1',
    resource: plural,
    subresource,
    namespace,
    name: '',
    ...more,
  }
}

export function pathAttributes(actor: string, verb: string, path: string): Attributes {
  const none = { group: '', version: '', resource: '', subresource: '', namespace: '', name: '' }
  return {
    user: { name: actor, groups: ['system:authenticated'] },
    verb,
    isResource: false,
    path,
    ...none,
  }
}
