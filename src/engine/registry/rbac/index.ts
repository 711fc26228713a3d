/** Strategies of the kinds of group `rbac.authorization.k8s.io`. */

import { pathSegment } from '../rules/names'
import type { Strategy } from '../strategy'

const roles: Strategy = { nameRule: pathSegment, allowCreateOnUpdate: true }

export const rbacStrategies: Record<string, Strategy> = {
  'rbac.authorization.k8s.io/Role': roles,
  'rbac.authorization.k8s.io/RoleBinding': roles,
  'rbac.authorization.k8s.io/ClusterRole': roles,
  'rbac.authorization.k8s.io/ClusterRoleBinding': roles,
}
