/** The role `system:node` (kubernetes.io, "Using RBAC Authorization", "Core component roles"). */
import type { PolicyRule } from '../rbac/rules'

const READ = ['get', 'list', 'watch']

const rule = (group: string, resources: string[], verbs: string[]): PolicyRule => ({
  verbs,
  apiGroups: [group],
  resources,
})

export const NODE_RULES: readonly PolicyRule[] = [
  rule('authentication.k8s.io', ['tokenreviews'], ['create']),
  rule('authorization.k8s.io', ['localsubjectaccessreviews', 'subjectaccessreviews'], ['create']),
  rule('', ['services'], READ),
  rule('', ['nodes'], ['create', ...READ]),
  rule('', ['nodes/status'], ['patch', 'update']),
  rule('', ['nodes'], ['patch', 'update']),
  rule('', ['events'], ['create', 'patch', 'update']),
  rule('', ['pods'], READ),
  rule('', ['pods'], ['create', 'delete']),
  rule('', ['pods/status'], ['patch', 'update']),
  rule('', ['pods/eviction'], ['create']),
  rule('', ['configmaps', 'secrets'], READ),
  rule('', ['persistentvolumeclaims', 'persistentvolumes'], ['get']),
  rule('', ['endpoints'], ['get']),
  rule('certificates.k8s.io', ['certificatesigningrequests'], ['create', ...READ]),
  rule('coordination.k8s.io', ['leases'], ['create', 'delete', 'get', 'patch', 'update']),
  rule('storage.k8s.io', ['volumeattachments'], ['get']),
  rule('', ['serviceaccounts/token'], ['create']),
  rule('', ['persistentvolumeclaims/status'], ['get', 'patch', 'update']),
  rule('storage.k8s.io', ['csidrivers'], READ),
  rule('storage.k8s.io', ['csinodes'], ['create', 'delete', 'get', 'patch', 'update']),
  rule('node.k8s.io', ['runtimeclasses'], READ),
]

/** With the feature gate ClusterTrustBundle. */
export const TRUST_BUNDLE_RULE = rule('certificates.k8s.io', ['clustertrustbundles'], READ)
