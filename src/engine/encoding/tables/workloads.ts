import type {
  ControllerRevision,
  DaemonSet,
  Deployment,
  ReplicaSet,
  StatefulSet,
} from 'kubernetes-types/apps/v1'
import type { CronJob, Job } from 'kubernetes-types/batch/v1'
import type { PodTemplate, ReplicationController } from 'kubernetes-types/core/v1'
import type { LabelSelector } from 'kubernetes-types/meta/v1'
import { parseApiVersion } from '../../core/object'
import { selectorOf, selectorText } from '../../selectors/labels'
import { humanDuration, since } from '../duration'
import {
  containerCells,
  labelsText,
  NONE,
  type ResourceTables,
  table,
  UNSET,
} from './resource-table'

/** `app=web,tier in (a,b)`; an empty selector is `<none>`. */
export function selectorCell(selector: LabelSelector | undefined): string {
  return selectorText(selectorOf(selector) ?? []) || NONE
}

/** `statefulset.apps/db` */
function controllerOf(revision: ControllerRevision): string {
  const owner = revision.metadata?.ownerReferences?.find(({ controller }) => controller)
  if (owner === undefined) return NONE
  const { group } = parseApiVersion(owner.apiVersion)
  return `${owner.kind.toLowerCase()}${group === '' ? '' : `.${group}`}/${owner.name}`
}

export function completions({ spec, status }: Job): string {
  const succeeded = status?.succeeded ?? 0
  if (spec?.completions !== undefined) return `${succeeded}/${spec.completions}`
  const parallelism = spec?.parallelism ?? 0
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`
}

export function jobStatus(job: Job): string {
  const holds = (type: string) =>
    job.status?.conditions?.some(
      (condition) => condition.type === type && condition.status === 'True',
    )
  if (holds('Complete')) return 'Complete'
  if (holds('Failed')) return 'Failed'
  if (job.metadata?.deletionTimestamp) return 'Terminating'
  // There is no word for a met success policy.
  return ['Suspended', 'FailureTarget'].find(holds) ?? 'Running'
}

function jobDuration({ status }: Job, now: number): string {
  if (!status?.startTime) return ''
  const end = status.completionTime ? Date.parse(status.completionTime) : now
  return humanDuration(end - Date.parse(status.startTime))
}

export const workloadTables: ResourceTables = {
  replicationcontrollers: table<ReplicationController>(({ spec, status }) => ({
    Desired: spec?.replicas ?? 0,
    Current: status?.replicas ?? 0,
    Ready: status?.readyReplicas ?? 0,
    ...containerCells(spec?.template),
    Selector: labelsText(spec?.selector),
  })),
  podtemplates: table<PodTemplate>(({ template }) => ({
    ...containerCells(template),
    'Pod Labels': labelsText(template?.metadata?.labels),
  })),
  'controllerrevisions.apps': table<ControllerRevision>((revision) => ({
    Controller: controllerOf(revision),
    Revision: revision.revision ?? 0,
  })),
  'daemonsets.apps': table<DaemonSet>(({ spec, status }) => ({
    Desired: status?.desiredNumberScheduled ?? 0,
    Current: status?.currentNumberScheduled ?? 0,
    Ready: status?.numberReady ?? 0,
    'Up-to-date': status?.updatedNumberScheduled ?? 0,
    Available: status?.numberAvailable ?? 0,
    'Node Selector': labelsText(spec?.template?.spec?.nodeSelector),
    ...containerCells(spec?.template),
    Selector: selectorCell(spec?.selector),
  })),
  'deployments.apps': table<Deployment>(({ spec, status }) => ({
    Ready: `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`,
    'Up-to-date': status?.updatedReplicas ?? 0,
    Available: status?.availableReplicas ?? 0,
    ...containerCells(spec?.template),
    Selector: selectorText(selectorOf(spec?.selector) ?? []),
  })),
  'replicasets.apps': table<ReplicaSet>(({ spec, status }) => ({
    Desired: spec?.replicas ?? 0,
    Current: status?.replicas ?? 0,
    Ready: status?.readyReplicas ?? 0,
    ...containerCells(spec?.template),
    Selector: selectorCell(spec?.selector),
  })),
  'statefulsets.apps': table<StatefulSet>(({ spec, status }) => ({
    Ready: `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`,
    ...containerCells(spec?.template),
  })),
  'jobs.batch': table<Job>((job, now) => ({
    Status: jobStatus(job),
    Completions: completions(job),
    Duration: jobDuration(job, now),
    ...containerCells(job.spec?.template),
    Selector: selectorCell(job.spec?.selector),
  })),
  'cronjobs.batch': table<CronJob>(({ spec, status }, now) => ({
    Schedule: spec?.schedule ?? '',
    Timezone: (spec as { timeZone?: string } | undefined)?.timeZone ?? NONE,
    Suspend: spec?.suspend === undefined ? UNSET : spec.suspend ? 'True' : 'False',
    Active: status?.active?.length ?? 0,
    'Last Schedule': status?.lastScheduleTime ? since(status.lastScheduleTime, now) : NONE,
    ...containerCells(spec?.jobTemplate?.spec?.template),
    Selector: selectorCell(spec?.jobTemplate?.spec?.selector),
  })),
}
