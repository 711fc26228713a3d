/** Escalation risks of a role or binding. */
import { useEffect, useState } from 'react'
import type { KubeObject } from '../../../engine/core/object'
import type { PolicyRule } from '../../../hosts/shared/access'
import { Icon } from '../../components/Icon'
import { get } from '../../state/client'
import { pathOf } from '../../state/discovery'
import { useAccessQuery } from './state'
import './access.css'
import './chains.css'
import { risksOfObject } from './texts'
import { WarningList } from './Warnings'

interface RoleFields {
  rules?: PolicyRule[] | null
  roleRef?: { kind: string; name: string }
}

export default function Reaches({ object }: { object: KubeObject }) {
  const rules = useRules(object)
  const { data = [] } = useAccessQuery(
    'accessWarnings',
    rules === undefined || rules.length === 0 ? undefined : { rules },
  )
  if (rules === undefined || rules.length === 0 || data.length === 0) return null
  return (
    <details className="reaches-of">
      <summary>
        <Icon name="warning" size={14} />
        {risksOfObject(data.length, object.kind.endsWith('Binding'))}
      </summary>
      <WarningList warnings={data} />
    </details>
  )
}

/** Rules of the role or bound role; empty if the actor may not read it. */
function useRules(object: KubeObject): PolicyRule[] | undefined {
  const { rules, roleRef } = object as RoleFields
  const path = roleRef && rolePath(roleRef, object.metadata.namespace)
  const [found, setFound] = useState<{ path: string; rules: PolicyRule[] }>()
  useEffect(() => {
    if (path === undefined) return
    let over = false
    get<RoleFields>(path).then(
      (role) => over || setFound({ path, rules: role.rules ?? [] }),
      () => over || setFound({ path, rules: [] }),
    )
    return () => {
      over = true
    }
  }, [path])
  if (path === undefined) return rules ?? []
  return found?.path === path ? found.rules : undefined
}

function rolePath(
  { kind, name }: { kind: string; name: string },
  namespace: string | undefined,
): string {
  const namespaced = kind === 'Role'
  const resource = {
    group: 'rbac.authorization.k8s.io',
    version: 'v1',
    resource: namespaced ? 'roles' : 'clusterroles',
    namespaced,
  }
  return pathOf(resource, namespace, name)
}
