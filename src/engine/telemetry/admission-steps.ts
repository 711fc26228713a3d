import { entryOf } from '../core/object'
import type { Distribution, Labels, Quantiles } from './instruments'
import type { MetricRegistry } from './registry'
import type { Span, Trace } from './trace'

const TYPES = ['admit', 'validate'] as const
type AdmissionType = (typeof TYPES)[number]
type Outcome = 'passed' | 'rejected'

const OPERATIONS: Record<string, string> = {
  create: 'CREATE',
  update: 'UPDATE',
  patch: 'UPDATE',
  delete: 'DELETE',
  deletecollection: 'DELETE',
}

export class AdmissionSteps {
  private readonly byOperation = new Map<
    string,
    Record<Outcome, Record<AdmissionType, StepSeries>>
  >()

  constructor(private readonly registry: MetricRegistry) {}

  responded({ spans, attributes, failure, current }: Trace): void {
    const operation = entryOf(OPERATIONS, attributes?.verb ?? '')
    if (operation === undefined) return
    const { passed, rejected } = this.seriesOf(operation)
    const seconds = { admit: 0, validate: 0 }
    let stopped: AdmissionType | undefined
    for (const span of spans) {
      const type = typeOf(span)
      if (type === undefined) continue
      const isRejected = failure !== undefined && span === current
      if (isRejected) stopped = type
      seconds[type] += span.duration / 1000
      if (span.part === undefined) continue
      const series = isRejected ? rejected : passed
      series[type].ofPlugin(span.part).observe(span.duration / 1000)
    }
    for (const type of TYPES) {
      if (stopped === type) rejected[type].observe(seconds[type])
      else if (seconds[type] > 0) passed[type].observe(seconds[type])
    }
  }

  private seriesOf(operation: string): Record<Outcome, Record<AdmissionType, StepSeries>> {
    let found = this.byOperation.get(operation)
    if (found === undefined) {
      const series = (type: AdmissionType, rejected: boolean) =>
        new StepSeries({ operation, type, rejected: String(rejected) }, this.registry)
      const both = (rejected: boolean) => ({
        admit: series('admit', rejected),
        validate: series('validate', rejected),
      })
      this.byOperation.set(operation, (found = { passed: both(false), rejected: both(true) }))
    }
    return found
  }
}

class StepSeries {
  private readonly plugins = new Map<string, Distribution>()
  private step: Distribution | undefined
  private recent: Quantiles | undefined

  constructor(
    private readonly labels: Labels,
    private readonly registry: MetricRegistry,
  ) {}

  observe(seconds: number): void {
    this.step ??= this.registry
      .histogram('apiserver_admission_step_admission_duration_seconds')
      .at(this.labels)
    this.recent ??= this.registry
      .summary('apiserver_admission_step_admission_duration_seconds_summary')
      .at(this.labels)
    this.step.observe(seconds)
    this.recent.observe(seconds)
  }

  ofPlugin(name: string): Distribution {
    let found = this.plugins.get(name)
    if (found === undefined) {
      const plugins = this.registry.histogram(
        'apiserver_admission_controller_admission_duration_seconds',
      )
      this.plugins.set(name, (found = plugins.at({ ...this.labels, name })))
    }
    return found
  }
}

function typeOf({ stage }: Span): AdmissionType | undefined {
  if (stage === 'mutating admission') return 'admit'
  return stage === 'validating admission' ? 'validate' : undefined
}
