/**
 * The APIServices of what this server itself serves: those of a fresh server, without the versions that are switched off, and with
 * those that are switched on (priorities: public documentation of the aggregator).
 */
import type { KubeObject } from '../../object'
import type { ApiService } from './api-service'

/** Of versions that are off by default. */
const PRIORITIES: Record<string, [group: number, version: number]> = {
  'admissionregistration.k8s.io/v1beta1': [16700, 12],
  'admissionregistration.k8s.io/v1alpha1': [16700, 9],
  'authentication.k8s.io/v1beta1': [17700, 9],
  'authentication.k8s.io/v1alpha1': [17700, 1],
  'certificates.k8s.io/v1alpha1': [17300, 1],
  'coordination.k8s.io/v1alpha1': [16500, 9],
  'internal.apiserver.k8s.io/v1alpha1': [16000, 9],
  'networking.k8s.io/v1beta1': [17200, 9],
  'resource.k8s.io/v1alpha3': [15900, 9],
  'storage.k8s.io/v1beta1': [16800, 9],
  'storage.k8s.io/v1alpha1': [16800, 1],
  'storagemigration.k8s.io/v1alpha1': [15800, 9],
}

/** @param serves whether any resource of a version is served */
export function localServices(fresh: readonly KubeObject[], serves: (group: string, version: string) => boolean): KubeObject[] {
  const kept = (fresh as ApiService[]).filter(({ spec }) => serves(spec?.group ?? '', spec?.version ?? ''))
  const [pattern] = fresh as ApiService[]
  if (pattern === undefined) return kept
  const added = Object.entries(PRIORITIES).flatMap(([apiVersion, [groupPriorityMinimum, versionPriority]]): KubeObject[] => {
    const [group = '', version = ''] = apiVersion.split('/')
    if (!serves(group, version)) return []
    const spec = { group, version, groupPriorityMinimum, versionPriority }
    return [{ ...pattern, metadata: { ...pattern.metadata, name: `${version}.${group}`, managedFields: ownersOf(pattern) }, spec }]
  })
  return [...kept, ...added]
}

/** The first service is that of the core group, which has no name to own. */
function ownersOf({ metadata }: KubeObject): NonNullable<KubeObject['metadata']['managedFields']> {
  return (metadata.managedFields ?? []).map((entry) => {
    const fields = entry.fieldsV1 ?? {}
    const spec = fields['f:spec']
    return { ...entry, fieldsV1: { ...fields, 'f:spec': { 'f:group': {}, ...(typeof spec === 'object' && spec !== null ? spec : {}) } } }
  })
}
