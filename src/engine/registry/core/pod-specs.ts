/** Where kinds keep the spec of their pods, by `group/Kind`, for what concerns all of them alike. */
import type { KubeObject } from '../../object'
import type { PodSpec, PodTemplate } from './pod-types'

type Finder = (object: KubeObject) => PodSpec | undefined

interface Templated {
  template?: PodTemplate
}

const ofTemplate: Finder = ({ spec }) => (spec as Templated | undefined)?.template?.spec

export const POD_SPEC_OF: Readonly<Record<string, Finder>> = {
  '/Pod': ({ spec }) => spec as PodSpec | undefined,
  '/PodTemplate': ({ template }) => (template as PodTemplate | undefined)?.spec,
  '/ReplicationController': ofTemplate,
  'apps/DaemonSet': ofTemplate,
  'apps/Deployment': ofTemplate,
  'apps/ReplicaSet': ofTemplate,
  'apps/StatefulSet': ofTemplate,
  'batch/Job': ofTemplate,
  'batch/CronJob': ({ spec }) => (spec as { jobTemplate?: { spec?: Templated } } | undefined)?.jobTemplate?.spec?.template?.spec,
}
