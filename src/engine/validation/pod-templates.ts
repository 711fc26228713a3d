import type { KubeObject } from '../core/object'
import type { PodTemplate } from './pods'

interface TemplatedKind {
  group: string
  kind: string
  resource: string
  templateOf(object: KubeObject): PodTemplate | undefined
}

interface Templated {
  template?: PodTemplate
}

const ofSpec = ({ spec }: KubeObject) => (spec as Templated | undefined)?.template

export const TEMPLATED_KINDS: readonly TemplatedKind[] = [
  {
    group: '',
    kind: 'PodTemplate',
    resource: 'podtemplates',
    templateOf: (object) => object.template as PodTemplate | undefined,
  },
  {
    group: '',
    kind: 'ReplicationController',
    resource: 'replicationcontrollers',
    templateOf: ofSpec,
  },
  { group: 'apps', kind: 'ReplicaSet', resource: 'replicasets', templateOf: ofSpec },
  { group: 'apps', kind: 'Deployment', resource: 'deployments', templateOf: ofSpec },
  { group: 'apps', kind: 'StatefulSet', resource: 'statefulsets', templateOf: ofSpec },
  { group: 'apps', kind: 'DaemonSet', resource: 'daemonsets', templateOf: ofSpec },
  { group: 'batch', kind: 'Job', resource: 'jobs', templateOf: ofSpec },
  {
    group: 'batch',
    kind: 'CronJob',
    resource: 'cronjobs',
    templateOf: ({ spec }) =>
      (spec as { jobTemplate?: { spec?: Templated } } | undefined)?.jobTemplate?.spec?.template,
  },
]
