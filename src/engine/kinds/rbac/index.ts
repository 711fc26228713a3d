/** Strategies of the kinds of group `rbac.authorization.k8s.io`. */
import type { Strategy } from '../../registry/strategy'
import { clusterRoleBinding, roleBinding } from './bindings'
import { clusterRole, role } from './roles'

export const rbacStrategies: Record<string, Strategy> = {
  'rbac.authorization.k8s.io/Role': role,
  'rbac.authorization.k8s.io/RoleBinding': roleBinding,
  'rbac.authorization.k8s.io/ClusterRole': clusterRole,
  'rbac.authorization.k8s.io/ClusterRoleBinding': clusterRoleBinding,
}
