import { useDiscovery } from '../../state/discovery'
import { selectObject } from '../../state/view'
import { showObject } from './texts'

interface ObjectLinkProps {
  group?: string
  kind: string
  /** Empty for cluster-scoped objects. */
  namespace: string
  name: string
}

const RBAC_GROUP = 'rbac.authorization.k8s.io'

export function ObjectLink({ group = RBAC_GROUP, kind, namespace, name }: ObjectLinkProps) {
  const resource = useDiscovery(({ resources }) =>
    resources.find((one) => one.kind === kind && one.group === group),
  )
  const shown = namespace === '' ? name : `${namespace}/${name}`
  if (resource === undefined) return <span className="mono wrap">{shown}</span>
  return (
    <button
      type="button"
      className="link mono"
      title={showObject(kind, shown)}
      onClick={() => selectObject({ resource, namespace, name })}
    >
      {shown}
    </button>
  )
}
