import type { Kind } from '../../registry/kind'
import { OBJECT_FIRST, TWICE } from '../../registry/update-order'
import { type Declared, REQUIRED } from '../../validation/declared/rules'
import { clusterRoleBinding, roleBinding } from './bindings'
import { clusterRole, role } from './roles'

const DECLARED_OF_ROLE: Declared = {
  members: { rules: { items: { members: { verbs: REQUIRED } } } },
}
const DECLARED_OF_BINDING: Declared = {
  members: {
    subjects: { items: { members: { name: REQUIRED } } },
    roleRef: { members: { name: REQUIRED } },
  },
}

export const rbacKinds: readonly Kind[] = [
  {
    group: 'rbac.authorization.k8s.io',
    kind: 'Role',
    strategy: role,
    updateChecks: TWICE,
    later: { change: 'UpdatesCheckedOnce', updateChecks: OBJECT_FIRST },
    declared: DECLARED_OF_ROLE,
  },
  {
    group: 'rbac.authorization.k8s.io',
    kind: 'RoleBinding',
    strategy: roleBinding,
    updateChecks: TWICE,
    later: { change: 'UpdatesCheckedOnce', updateChecks: OBJECT_FIRST },
    declared: DECLARED_OF_BINDING,
  },
  {
    group: 'rbac.authorization.k8s.io',
    kind: 'ClusterRole',
    strategy: clusterRole,
    updateChecks: TWICE,
    later: { change: 'UpdatesCheckedOnce', updateChecks: OBJECT_FIRST },
    declared: DECLARED_OF_ROLE,
  },
  {
    group: 'rbac.authorization.k8s.io',
    kind: 'ClusterRoleBinding',
    strategy: clusterRoleBinding,
    updateChecks: TWICE,
    later: { change: 'UpdatesCheckedOnce', updateChecks: OBJECT_FIRST },
    declared: DECLARED_OF_BINDING,
  },
]
