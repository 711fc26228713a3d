import type {
  HorizontalPodAutoscaler,
  HPAScalingRules,
  MetricSpec,
  MetricStatus,
  MetricTarget,
  MetricValueStatus,
} from 'kubernetes-types/autoscaling/v2'
import { goQuote } from '../../engine/schema/go-text'
import { describes } from './description'
import { head } from './metadata'
import type { Report } from './report'
import { longTime, orUnset } from './words'

const UNKNOWN = '<unknown>'

export const autoscaler = describes<HorizontalPodAutoscaler>({
  write: (report, { metadata, spec, status }) => {
    head(report, metadata)
    report.field(0, 'CreationTimestamp', longTime(metadata?.creationTimestamp))
    report.field(0, 'Reference', `${spec?.scaleTargetRef.kind}/${spec?.scaleTargetRef.name}`)
    report.field(0, 'Metrics', '( current / target )')
    spec?.metrics?.forEach((metric, index) => {
      const [name, value] = metricRow(metric, status?.currentMetrics?.[index] ?? undefined)
      report.line(1, `${name}:`, value)
    })
    report.field(0, 'Min replicas', orUnset(spec?.minReplicas))
    report.field(0, 'Max replicas', spec?.maxReplicas)
    if (spec?.behavior) {
      report.line(0, 'Behavior:')
      direction(report, 'Up', spec.behavior.scaleUp)
      direction(report, 'Down', spec.behavior.scaleDown)
    }
    report.field(
      0,
      `${spec?.scaleTargetRef.kind} pods`,
      `${status?.currentReplicas ?? 0} current / ${status?.desiredReplicas ?? 0} desired`,
    )
    conditions(report, status?.conditions)
  },
})

/** The metric, and its current and target values. */
function metricRow(
  spec: MetricSpec,
  status: MetricStatus | undefined,
): [name: string, value: string] {
  const { resource, containerResource, pods, object, external } = spec
  if (external)
    return [
      `${goQuote(external.metric.name)} ${aimed(external.target)}`,
      values(external.target, status?.external?.current),
    ]
  if (pods)
    return [`${goQuote(pods.metric.name)} on pods`, averages(pods.target, status?.pods?.current)]
  if (object) {
    const { kind, name } = object.describedObject
    return [
      `${goQuote(object.metric.name)} on ${kind}/${name} ${aimed(object.target)}`,
      values(object.target, status?.object?.current),
    ]
  }
  if (resource)
    return resourceRow(
      `resource ${resource.name} on pods`,
      resource.target,
      status?.resource?.current,
    )
  if (containerResource) {
    const { name, container, target } = containerResource
    return resourceRow(
      `resource ${name} of container ${goQuote(container)} on pods`,
      target,
      status?.containerResource?.current,
    )
  }
  return [`<unknown metric type ${goQuote(spec.type)}>`, '']
}

const aimed = ({ averageValue }: MetricTarget): string =>
  averageValue === undefined ? '(target value)' : '(target average value)'

const averages = ({ averageValue }: MetricTarget, current: MetricValueStatus | undefined): string =>
  `${current?.averageValue ?? UNKNOWN} / ${averageValue}`

const values = (target: MetricTarget, current: MetricValueStatus | undefined): string =>
  target.averageValue === undefined
    ? `${current?.value ?? UNKNOWN} / ${target.value}`
    : averages(target, current)

function resourceRow(
  name: string,
  target: MetricTarget,
  current: MetricValueStatus | undefined,
): [string, string] {
  if (target.averageValue !== undefined) return [name, averages(target, current)]
  const used =
    current?.averageUtilization === undefined
      ? UNKNOWN
      : `${current.averageUtilization}% (${current.averageValue})`
  const wanted =
    target.averageUtilization === undefined ? '<auto>' : `${target.averageUtilization}%`
  return [`${name}  (as a percentage of request)`, `${used} / ${wanted}`]
}

function direction(report: Report, name: string, rules: HPAScalingRules | undefined): void {
  if (!rules) return
  report.line(1, `Scale ${name}:`)
  const { stabilizationWindowSeconds, policies, selectPolicy } = rules
  if (stabilizationWindowSeconds !== undefined)
    report.line(2, `Stabilization Window: ${stabilizationWindowSeconds} seconds`)
  if (!policies?.length) return
  report.line(2, `Select Policy: ${selectPolicy ?? 'Max'}`)
  report.line(2, 'Policies:')
  for (const { type, value, periodSeconds } of policies) {
    report.line(3, `- Type: ${type}`, `Value: ${value}`, `Period: ${periodSeconds} seconds`)
  }
}

function conditions(
  report: Report,
  list: NonNullable<HorizontalPodAutoscaler['status']>['conditions'],
): void {
  if (!list?.length) return
  report.line(0, 'Conditions:')
  report.line(1, 'Type', 'Status', 'Reason', 'Message')
  report.line(1, '----', '------', '------', '-------')
  for (const { type, status, reason, message } of list)
    report.line(1, type, status, reason, message)
}
