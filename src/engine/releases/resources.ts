/** Resources of removed versions. See the API references of the releases. */
import type { DiscoveryResource, DiscoverySubresource } from '../generated/discovery'

export interface RemovedVersion {
  group: string
  version: string
  like: { group: string; version: string }
  resources: string[]
}

const removed = (
  group: string,
  version: string,
  like: string,
  resources: string,
): RemovedVersion => {
  const [likeGroup = '', likeVersion = ''] = like.includes('/') ? like.split('/') : [group, like]
  return {
    group,
    version,
    like: { group: likeGroup, version: likeVersion },
    resources: resources.split(' '),
  }
}

const ADMISSION = 'admissionregistration.k8s.io'
const FLOW_CONTROL = 'flowcontrol.apiserver.k8s.io'

export const REMOVED_VERSIONS: RemovedVersion[] = [
  removed(
    ADMISSION,
    'v1beta1',
    'v1',
    'mutatingwebhookconfigurations validatingwebhookconfigurations',
  ),
  removed('apiextensions.k8s.io', 'v1beta1', 'v1', 'customresourcedefinitions'),
  removed('apiregistration.k8s.io', 'v1beta1', 'v1', 'apiservices'),
  removed('apps', 'v1beta1', 'v1', 'controllerrevisions deployments statefulsets'),
  removed(
    'apps',
    'v1beta2',
    'v1',
    'controllerrevisions daemonsets deployments replicasets statefulsets',
  ),
  removed('authentication.k8s.io', 'v1beta1', 'v1', 'tokenreviews'),
  removed(
    'authorization.k8s.io',
    'v1beta1',
    'v1',
    'localsubjectaccessreviews selfsubjectaccessreviews selfsubjectrulesreviews subjectaccessreviews',
  ),
  removed('autoscaling', 'v2beta1', 'v2', 'horizontalpodautoscalers'),
  removed('autoscaling', 'v2beta2', 'v2', 'horizontalpodautoscalers'),
  removed('batch', 'v1beta1', 'v1', 'cronjobs'),
  removed('certificates.k8s.io', 'v1beta1', 'v1', 'certificatesigningrequests'),
  removed('coordination.k8s.io', 'v1beta1', 'v1', 'leases'),
  removed('discovery.k8s.io', 'v1beta1', 'v1', 'endpointslices'),
  removed('events.k8s.io', 'v1beta1', 'v1', 'events'),
  removed('extensions', 'v1beta1', 'apps/v1', 'daemonsets deployments replicasets'),
  removed('extensions', 'v1beta1', 'networking.k8s.io/v1', 'ingresses networkpolicies'),
  removed('extensions', 'v1beta1', '', 'podsecuritypolicies'),
  removed(FLOW_CONTROL, 'v1beta1', 'v1', 'flowschemas prioritylevelconfigurations'),
  removed(FLOW_CONTROL, 'v1beta2', 'v1', 'flowschemas prioritylevelconfigurations'),
  removed('networking.k8s.io', 'v1alpha1', 'v1beta1', 'ipaddresses servicecidrs'),
  removed('networking.k8s.io', 'v1beta1', 'v1', 'ingressclasses ingresses'),
  removed('node.k8s.io', 'v1beta1', 'v1', 'runtimeclasses'),
  removed('policy', 'v1beta1', 'v1', 'poddisruptionbudgets'),
  removed('policy', 'v1beta1', '', 'podsecuritypolicies'),
  removed(
    'rbac.authorization.k8s.io',
    'v1beta1',
    'v1',
    'clusterrolebindings clusterroles rolebindings roles',
  ),
  removed('scheduling.k8s.io', 'v1beta1', 'v1', 'priorityclasses'),
  removed('storage.k8s.io', 'v1alpha1', 'v1', 'csistoragecapacities volumeattachments'),
  removed(
    'storage.k8s.io',
    'v1beta1',
    'v1',
    'csidrivers csinodes csistoragecapacities storageclasses volumeattachments',
  ),
]

const ALL_VERBS = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
]

/** No current version describes these. */
export const GONE_RESOURCES: Record<string, DiscoveryResource> = {
  podsecuritypolicies: {
    resource: 'podsecuritypolicies',
    responseKind: { group: '', version: '', kind: 'PodSecurityPolicy' },
    scope: 'Cluster',
    singularResource: 'podsecuritypolicy',
    verbs: ALL_VERBS,
    shortNames: ['psp'],
  },
}

const ROLLBACK: DiscoverySubresource = {
  subresource: 'rollback',
  responseKind: { group: '', version: '', kind: 'DeploymentRollback' },
  verbs: ['create'],
}

export const OWN_SCALE = ['extensions/v1beta1', 'apps/v1beta1', 'apps/v1beta2']
export const WITH_ROLLBACK: Record<string, DiscoverySubresource> = {
  'extensions/v1beta1': ROLLBACK,
  'apps/v1beta1': ROLLBACK,
}

/** Eviction of policy/v1 was introduced in 1.22. */
export const OLDER_KINDS: {
  resource: string
  subresource: string
  until: string
  version: string
}[] = [{ resource: 'pods', subresource: 'eviction', until: '1.22', version: 'v1beta1' }]

/** Subresources that are younger than their resource. */
export const LATER_SUBRESOURCES: Record<string, Record<string, string>> = {
  pods: { ephemeralcontainers: '1.23' },
}

/** A removed group is listed after this one. */
export const GONE_GROUPS: Record<string, string> = { extensions: 'apiregistration.k8s.io' }

/** The first one is preferred. */
export const VERSION_ORDER: Record<string, string[]> = {
  autoscaling: ['v2', 'v1', 'v2beta1', 'v2beta2'],
}
