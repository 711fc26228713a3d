/**
 * Recorded from kube-controller-manager 1.31.
 * https://kubernetes.io/docs/reference/access-authn-authz/rbac/#aggregated-clusterroles
 */

import type { ClusterRole, PolicyRule } from 'kubernetes-types/rbac/v1'
import { equalJson } from '../core/object'
import { matchesLabels } from '../selectors/labels'
import type { Controller } from './runtime/manager'
import type { Stored } from './runtime/stored'
import { requirementsOf } from './shared/selectors'

const NAME = 'clusterrole-aggregation-controller'

export const clusterRoleAggregation: Controller = {
  name: NAME,
  run(manager) {
    const roles = manager.informer<ClusterRole>('rbac.authorization.k8s.io', 'clusterroles')
    const client = manager.client(NAME)
    const queue = manager.queue(NAME, async (name) => {
      const role = roles.get(name)
      if (!role?.aggregationRule) return
      const rules = aggregated(role, [...roles.list()])
      if (equalJson(rules, role.rules ?? [])) return
      const { apiVersion, kind } = role
      const given = { apiVersion, kind, metadata: { name }, ...(rules.length > 0 && { rules }) }
      await client.apply(given, NAME)
    })
    // Any change checks all aggregated roles: there are few.
    roles.onChange(({ type, key, object, previous }) => {
      if (object.aggregationRule && type !== 'DELETED') queue.add(key)
      if (
        previous &&
        type !== 'DELETED' &&
        equalJson(object.rules, previous.rules) &&
        equalJson(object.metadata.labels, previous.metadata.labels)
      )
        return
      for (const other of roles.list())
        if (other.aggregationRule) queue.add(other.metadata.name ?? '')
    })
  },
}

function aggregated(role: Stored<ClusterRole>, all: Stored<ClusterRole>[]): PolicyRule[] {
  // Stored members are sorted, so equal rules have equal texts.
  const found = new Map<string, PolicyRule>()
  const byName = all.sort((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1))
  for (const selector of role.aggregationRule?.clusterRoleSelectors ?? []) {
    const requirements = requirementsOf(selector) ?? []
    for (const other of byName) {
      if (
        other.metadata.name === role.metadata.name ||
        !matchesLabels(requirements, other.metadata.labels)
      )
        continue
      for (const rule of other.rules ?? []) {
        const text = JSON.stringify(rule)
        if (!found.has(text)) found.set(text, rule)
      }
    }
  }
  return [...found.values()]
}
