/** Namespaces, quotas and limit ranges. */

import type { LimitRange, Namespace, ResourceQuota } from 'kubernetes-types/core/v1'
import { entryOf } from '../../engine/core/object'
import { describes } from './description'
import { annotations, labels } from './metadata'
import type { Report } from './report'
import { byName } from './words'

const SCOPES: Record<string, string> = {
  Terminating:
    'Matches all pods that have an active deadline. These pods have a limited lifespan on a node before being actively terminated by the system.',
  NotTerminating:
    'Matches all pods that do not have an active deadline. These pods usually include long running pods whose container command is not expected to terminate.',
  BestEffort:
    'Matches all pods that do not have resource requirements set. These pods have a best effort quality of service.',
  NotBestEffort:
    'Matches all pods that have at least one resource requirement set. These pods have a burstable or guaranteed quality of service.',
}

const sortedScopes = (scopes: string[] | undefined): string[] => [...(scopes ?? [])].sort(byName)

/** Used amounts, sorted by resource. */
function amounts({ status }: ResourceQuota): [string, string | undefined, string | undefined][] {
  const { hard = {}, used = {} } = status ?? {}
  return Object.keys(hard)
    .sort(byName)
    .map((resource) => [resource, entryOf(used, resource) ?? '0', entryOf(hard, resource)])
}

export const resourceQuota = describes<ResourceQuota>({
  events: false,
  write: (report, quota) => {
    const { metadata, spec } = quota
    report.field(0, 'Name', metadata?.name)
    report.field(0, 'Namespace', metadata?.namespace)
    const scopes = sortedScopes(spec?.scopes)
    if (scopes.length > 0) {
      report.field(0, 'Scopes', scopes.join(', '))
      for (const scope of scopes)
        if (entryOf(SCOPES, scope)) report.line(0, ` * ${entryOf(SCOPES, scope)}`)
    }
    report.line(0, 'Resource', 'Used', 'Hard')
    report.line(0, '--------', '----', '----')
    for (const row of amounts(quota)) report.line(0, ...row)
  },
})

const LIMIT_HEADINGS = [
  'Type',
  'Resource',
  'Min',
  'Max',
  'Default Request',
  'Default Limit',
  'Max Limit/Request Ratio',
]

function limitRows({ spec }: LimitRange): string[][] {
  return (spec?.limits ?? []).flatMap(
    ({ type, min, max, defaultRequest, default: byDefault, maxLimitRequestRatio }) => {
      const lists = [min, max, defaultRequest, byDefault, maxLimitRequestRatio]
      const resources = [...new Set(lists.flatMap((list) => Object.keys(list ?? {})))].sort(byName)
      return resources.map((resource) => [
        type,
        resource,
        ...lists.map((list) => entryOf(list, resource) ?? '-'),
      ])
    },
  )
}

function limitTable(report: Report, before: string, rows: string[][]): void {
  for (const row of [
    LIMIT_HEADINGS,
    LIMIT_HEADINGS.map((heading) => '-'.repeat(heading.length)),
    ...rows,
  ]) {
    const [first = '', ...others] = row
    report.line(0, `${before}${first}`, ...others)
  }
}

export const limitRange = describes<LimitRange>({
  events: false,
  write: (report, range) => {
    report.field(0, 'Name', range.metadata?.name)
    report.field(0, 'Namespace', range.metadata?.namespace)
    limitTable(report, '', limitRows(range))
  },
})

interface Bounds {
  quotas: ResourceQuota[]
  ranges: LimitRange[]
}

export const namespace = describes<Namespace, Bounds>({
  events: false,
  related: async ({ metadata }, reader) => ({
    quotas: await reader.list<ResourceQuota>('resourcequotas', metadata?.name),
    ranges: await reader.list<LimitRange>('limitranges', metadata?.name),
  }),
  write: (report, { metadata, status }, { quotas, ranges }) => {
    report.field(0, 'Name', metadata?.name)
    labels(report, 0, metadata?.labels)
    annotations(report, 0, metadata?.annotations)
    report.field(0, 'Status', status?.phase)
    conditions(report, status?.conditions)
    quotaTables(report, quotas)
    rangeTables(report, ranges)
  },
})

function conditions(report: Report, list: NonNullable<Namespace['status']>['conditions']): void {
  if (!list?.length) return
  report.line(0, 'Conditions:')
  report.line(1, 'Type', 'Status', 'LastTransitionTime', 'Reason', 'Message')
  report.line(1, '----', '------', '------------------', '------', '-------')
  for (const { type, status, lastTransitionTime, reason, message } of list) {
    report.line(1, type, status, lastTransitionTime, reason, message)
  }
}

function quotaTables(report: Report, quotas: ResourceQuota[]): void {
  report.line(0, '')
  if (quotas.length === 0) {
    report.line(0, 'No resource quota.')
    return
  }
  report.line(0, 'Resource Quotas')
  for (const quota of quotas) {
    report.field(1, 'Name', quota.metadata?.name)
    const scopes = sortedScopes(quota.spec?.scopes)
    if (scopes.length > 0) {
      report.field(1, 'Scopes', scopes.join(', '))
      for (const scope of scopes)
        if (entryOf(SCOPES, scope)) report.line(1, `* ${entryOf(SCOPES, scope)}`)
    }
    report.line(1, 'Resource', 'Used', 'Hard')
    report.line(1, '--------', '---', '---')
    for (const row of amounts(quota)) report.line(1, ...row)
  }
}

function rangeTables(report: Report, ranges: LimitRange[]): void {
  report.line(0, '')
  if (ranges.length === 0) {
    report.line(0, 'No LimitRange resource.')
    return
  }
  report.line(0, 'Resource Limits')
  limitTable(report, ' ', ranges.flatMap(limitRows))
}
