/** The pods that a controller would create for an object. */
import { isJsonObject, type Json, type KubeObject } from '../../engine/core/object'

export interface PodOf {
  object: KubeObject
  /** Of the pod template in the owner. */
  path: string
}

/** Built-in kinds with a pod template, and where it is. */
const TEMPLATES: ReadonlyMap<string, string> = new Map([
  ['Deployment', 'spec.template'],
  ['ReplicaSet', 'spec.template'],
  ['StatefulSet', 'spec.template'],
  ['DaemonSet', 'spec.template'],
  ['ReplicationController', 'spec.template'],
  ['Job', 'spec.template'],
  ['CronJob', 'spec.jobTemplate.spec.template'],
])
const GROUPS: ReadonlySet<string> = new Set(['v1', 'apps/v1', 'batch/v1'])

/** undefined for objects without pods. */
export function podOf({ apiVersion, kind, metadata, ...rest }: KubeObject): PodOf | undefined {
  const path = GROUPS.has(apiVersion) ? TEMPLATES.get(kind) : undefined
  if (path === undefined) return undefined
  let template: Json | undefined = rest as Json
  for (const member of path.split('.'))
    template = isJsonObject(template) ? template[member] : undefined
  if (!isJsonObject(template)) return undefined
  const { labels, annotations } = isJsonObject(template.metadata) ? template.metadata : {}
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `${metadata.name ?? 'pod'}-0`,
      ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
      ...(labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
    },
    spec: template.spec,
  }
  return { object: pod as unknown as KubeObject, path }
}
