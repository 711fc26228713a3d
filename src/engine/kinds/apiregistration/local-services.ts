/** Priorities: k8s.io/kubernetes, pkg/controlplane/apiserver/aggregator.go. */
import type { KubeObject } from '../../core/object'
import type { ApiService } from './api-service'

/** Off by default, or removed. */
const PRIORITIES: Record<string, [group: number, version: number]> = {
  'admissionregistration.k8s.io/v1beta1': [16700, 12],
  'admissionregistration.k8s.io/v1alpha1': [16700, 9],
  'apiextensions.k8s.io/v1beta1': [16700, 9],
  'apps/v1beta1': [17800, 1],
  'apps/v1beta2': [17800, 9],
  'authentication.k8s.io/v1beta1': [17700, 9],
  'authentication.k8s.io/v1alpha1': [17700, 1],
  'authorization.k8s.io/v1beta1': [17600, 9],
  'autoscaling/v2beta1': [17500, 9],
  'autoscaling/v2beta2': [17500, 1],
  'batch/v1beta1': [17400, 9],
  'certificates.k8s.io/v1beta1': [17300, 9],
  'certificates.k8s.io/v1alpha1': [17300, 1],
  'coordination.k8s.io/v1alpha1': [16500, 9],
  'coordination.k8s.io/v1beta1': [16500, 9],
  'discovery.k8s.io/v1beta1': [16200, 12],
  'events.k8s.io/v1beta1': [17750, 5],
  'extensions/v1beta1': [17900, 1],
  'flowcontrol.apiserver.k8s.io/v1beta1': [16100, 12],
  'flowcontrol.apiserver.k8s.io/v1beta2': [16100, 15],
  'internal.apiserver.k8s.io/v1alpha1': [16000, 9],
  'networking.k8s.io/v1beta1': [17200, 9],
  'networking.k8s.io/v1alpha1': [17200, 1],
  'node.k8s.io/v1beta1': [16300, 9],
  'policy/v1beta1': [17100, 9],
  'rbac.authorization.k8s.io/v1beta1': [17000, 12],
  'resource.k8s.io/v1alpha3': [15900, 9],
  'scheduling.k8s.io/v1beta1': [16600, 12],
  'storage.k8s.io/v1beta1': [16800, 9],
  'storage.k8s.io/v1alpha1': [16800, 1],
  'storagemigration.k8s.io/v1alpha1': [15800, 9],
}

/** Of kinds that Kubernetes does not have: those of custom resources. */
const LAST: readonly [group: number, version: number] = [1000, 100]

/**
 * The APIServices that a server creates at its start.
 * @param fresh those of the release
 * @param described versions that only this server has
 */
export function localServices(
  fresh: readonly KubeObject[],
  serves: (group: string, version: string) => boolean,
  described: readonly { group: string; version: string }[] = [],
): KubeObject[] {
  const kept = (fresh as ApiService[]).filter(({ spec }) =>
    serves(spec?.group ?? '', spec?.version ?? ''),
  )
  const [pattern] = fresh as ApiService[]
  if (pattern === undefined) return kept
  const priorities = [
    ...Object.entries(PRIORITIES),
    ...described.map(({ group, version }) => [`${group}/${version}`, LAST] as const),
  ]
  const added = priorities.flatMap(
    ([apiVersion, [groupPriorityMinimum, versionPriority]]): KubeObject[] => {
      const [group = '', version = ''] = apiVersion.split('/')
      if (!serves(group, version)) return []
      const spec = { group, version, groupPriorityMinimum, versionPriority }
      return [
        {
          ...pattern,
          metadata: {
            ...pattern.metadata,
            name: `${version}.${group}`,
            managedFields: ownersOf(pattern),
          },
          spec,
        },
      ]
    },
  )
  return [...kept, ...added]
}

/** Whether a change of release or configuration removed its version. */
export function isStale(
  { metadata, spec }: ApiService,
  serves: (group: string, version: string) => boolean,
): boolean {
  return (
    metadata.labels?.[AUTOMANAGED] === AT_START && !serves(spec?.group ?? '', spec?.version ?? '')
  )
}

const AUTOMANAGED = 'kube-aggregator.kubernetes.io/automanaged'
const AT_START = 'onstart'

/** The owner of the core group, the first, has no name. */
function ownersOf({ metadata }: KubeObject): NonNullable<KubeObject['metadata']['managedFields']> {
  return (metadata.managedFields ?? []).map((entry) => {
    const fields = entry.fieldsV1 ?? {}
    const spec = fields['f:spec']
    return {
      ...entry,
      fieldsV1: {
        ...fields,
        'f:spec': { 'f:group': {}, ...(typeof spec === 'object' && spec !== null ? spec : {}) },
      },
    }
  })
}
