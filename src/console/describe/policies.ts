import type { CertificateSigningRequest } from 'kubernetes-types/certificates/v1'
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1'
import type { PriorityClass } from 'kubernetes-types/scheduling/v1'
import { humanDuration } from '../../engine/encoding/duration'
import { selectorCell } from '../../engine/encoding/tables/workloads'
import { describes } from './description'
import { annotationsCell } from './metadata'
import type { Report } from './report'
import { requestedNames } from './requested-names'
import { longTime, orNone, pairsOf, UNSET } from './words'

export const disruptionBudget = describes<PodDisruptionBudget>({
  write: (report, { metadata, spec, status }) => {
    report.field(0, 'Name', metadata?.name)
    report.field(0, 'Namespace', metadata?.namespace)
    if (spec?.minAvailable !== undefined) report.field(0, 'Min available', spec.minAvailable)
    else if (spec?.maxUnavailable !== undefined)
      report.field(0, 'Max unavailable', spec.maxUnavailable)
    report.field(0, 'Selector', spec?.selector ? selectorCell(spec.selector) : UNSET)
    report.line(0, 'Status:')
    report.field(2, 'Allowed disruptions', status?.disruptionsAllowed ?? 0)
    report.field(2, 'Current', status?.currentHealthy ?? 0)
    report.field(2, 'Desired', status?.desiredHealthy ?? 0)
    report.field(2, 'Total', status?.expectedPods ?? 0)
  },
})

export const priorityClass = describes<PriorityClass>({
  write: (report, { metadata, value, globalDefault = false, preemptionPolicy, description }) => {
    report.field(0, 'Name', metadata?.name)
    report.field(0, 'Value', value)
    report.field(0, 'GlobalDefault', globalDefault)
    report.field(0, 'PreemptionPolicy', preemptionPolicy)
    report.field(0, 'Description', description)
    report.field(0, 'Annotations', annotationsCell(metadata))
  },
})

export const signingRequest = describes<CertificateSigningRequest>({
  write: (report, request) => {
    const { metadata, spec } = request
    report.field(0, 'Name', metadata?.name)
    report.field(0, 'Labels', orNone(pairsOf(metadata?.labels).join(',')))
    report.field(0, 'Annotations', annotationsCell(metadata))
    report.field(0, 'CreationTimestamp', longTime(metadata?.creationTimestamp))
    report.field(0, 'Requesting User', spec.username)
    report.optional(0, 'Signer', spec.signerName)
    if (spec.expirationSeconds !== undefined)
      report.field(0, 'Requested Duration', humanDuration(spec.expirationSeconds * 1000))
    report.field(0, 'Status', signingStatus(request))
    const { subject, alternative } = requestedNames(spec.request)
    names(report, 'Subject', subject)
    if (alternative.length > 0) names(report, 'Subject Alternative Names', alternative)
  },
})

/** `Approved,Issued`: the decision and the result. */
function signingStatus({ status }: CertificateSigningRequest): string {
  const has = (wanted: string): boolean =>
    status?.conditions?.some(({ type }) => type === wanted) ?? false
  const decided = has('Denied') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending'
  return [
    decided,
    ...(has('Failed') ? ['Failed'] : []),
    ...(status?.certificate ? ['Issued'] : []),
  ].join(',')
}

function names(report: Report, title: string, list: [title: string, values: string[]][]): void {
  report.line(0, `${title}:`)
  for (const [name, [first, ...others]] of list) {
    report.line(0, '', `${name}:`, first)
    for (const other of others) report.line(0, '', '', other)
  }
}
