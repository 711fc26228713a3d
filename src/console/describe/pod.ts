import type { Pod } from 'kubernetes-types/core/v1'
import { since } from '../../engine/encoding/duration'
import { containers } from './containers'
import { describes } from './description'
import { annotations, controllerOf, labels } from './metadata'
import { spreading, tolerations, volumes } from './pod-parts'
import type { Report } from './report'
import { longTime, NONE, orNone } from './words'

export const pod = describes<Pod>({
  write: (report, pod, _related, now) => {
    const { metadata, spec, status } = pod
    report.field(0, 'Name', metadata?.name)
    report.field(0, 'Namespace', metadata?.namespace)
    report.optional(0, 'Priority', spec?.priority)
    report.optional(0, 'Priority Class Name', spec?.priorityClassName)
    report.optional(0, 'Runtime Class Name', spec?.runtimeClassName)
    report.optional(0, 'Service Account', spec?.serviceAccountName)
    report.field(0, 'Node', spec?.nodeName ? `${spec.nodeName}/${status?.hostIP ?? ''}` : NONE)
    if (status?.startTime) report.field(0, 'Start Time', longTime(status.startTime))
    labels(report, 0, metadata?.labels)
    annotations(report, 0, metadata?.annotations)
    phase(report, pod, now)
    report.optional(0, 'Reason', status?.reason)
    report.optional(0, 'Message', status?.message)
    const profile = spec?.securityContext?.seccompProfile
    if (profile) {
      report.field(0, 'SeccompProfile', profile.type)
      if (profile.type === 'Localhost')
        report.field(0, 'LocalhostProfile', profile.localhostProfile)
    }
    report.field(0, 'IP', status?.podIP)
    if (status?.podIPs?.length) report.line(0, 'IPs:')
    else report.field(0, 'IPs', NONE)
    for (const { ip } of status?.podIPs ?? []) report.field(1, 'IP', ip)
    report.optional(0, 'Controlled By', controllerOf(metadata))
    report.optional(0, 'NominatedNodeName', status?.nominatedNodeName)
    allContainers(report, pod)
    gatesAndConditions(report, pod)
    volumes(report, spec?.volumes, '')
    report.optional(0, 'QoS Class', status?.qosClass)
    labels(report, 0, spec?.nodeSelector, 'Node-Selectors')
    tolerations(report, spec?.tolerations, '')
    spreading(report, spec?.topologySpreadConstraints, '')
  },
})

function phase(report: Report, { metadata, status }: Pod, now: number): void {
  const ended = status?.phase === 'Failed' || status?.phase === 'Succeeded'
  if (!metadata?.deletionTimestamp || ended) {
    report.field(0, 'Status', status?.phase)
    return
  }
  report.field(0, 'Status', `Terminating (lasts ${since(metadata.deletionTimestamp, now)})`)
  report.field(0, 'Termination Grace Period', `${metadata.deletionGracePeriodSeconds ?? 0}s`)
}

function allContainers(report: Report, pod: Pod): void {
  const { spec, status } = pod
  if (spec?.initContainers?.length)
    containers(report, 'Init Containers', spec.initContainers, {
      inset: '',
      pod,
      statuses: status?.initContainerStatuses,
    })
  containers(report, 'Containers', spec?.containers, {
    inset: '',
    pod,
    statuses: status?.containerStatuses,
  })
  if (spec?.ephemeralContainers?.length)
    containers(report, 'Ephemeral Containers', spec.ephemeralContainers, {
      inset: '',
      pod,
      statuses: status?.ephemeralContainerStatuses,
    })
}

function gatesAndConditions(report: Report, { spec, status }: Pod): void {
  if (spec?.readinessGates?.length) {
    report.line(0, 'Readiness Gates:')
    report.line(1, 'Type', 'Status')
    for (const { conditionType } of spec.readinessGates) {
      const met = status?.conditions?.find(({ type }) => type === conditionType)?.status
      report.line(1, `${conditionType} `, `${orNone(met)} `)
    }
  }
  if (!status?.conditions?.length) return
  report.line(0, 'Conditions:')
  report.line(1, 'Type', 'Status')
  for (const { type, status: holds } of status.conditions) report.line(1, `${type} `, `${holds} `)
}
