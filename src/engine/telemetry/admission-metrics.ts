/** Metrics of admission control. kubernetes.io, "Kubernetes Metrics Reference". */
import type { AdmissionMetrics, CalledHook, PolicyCheck, RejectionCause } from '../webhooks/metrics'
import type { Cell, Distribution } from './instruments'
import type { MetricRegistry } from './registry'

/** Higher codes are counted as this one. */
const HIGHEST_CODE = 600

export class AdmissionInstruments implements AdmissionMetrics {
  private readonly callSeconds
  private readonly calls
  private readonly rejections
  private readonly openCalls
  private readonly conditionErrors
  private readonly conditionExclusions
  private readonly conditionSeconds
  private readonly checks
  private readonly checkSeconds

  constructor(registry: MetricRegistry) {
    this.callSeconds = registry.histogram('apiserver_admission_webhook_admission_duration_seconds')
    this.calls = registry.numbers('apiserver_admission_webhook_request_total')
    this.rejections = registry.numbers('apiserver_admission_webhook_rejection_count')
    this.openCalls = registry.numbers('apiserver_admission_webhook_fail_open_count')
    this.conditionErrors = registry.numbers(
      'apiserver_admission_match_condition_evaluation_errors_total',
    )
    this.conditionExclusions = registry.numbers(
      'apiserver_admission_match_condition_exclusions_total',
    )
    this.conditionSeconds = registry.histogram(
      'apiserver_admission_match_condition_evaluation_seconds',
    )
    this.checks = registry.numbers('apiserver_validating_admission_policy_check_total')
    this.checkSeconds = registry.histogram(
      'apiserver_validating_admission_policy_check_duration_seconds',
    )
  }

  /** Every write evaluates all matching policies. */
  private readonly knownChecks = new Map<string, { count: Cell; seconds: Distribution }>()

  webhookCalled(
    { name, type, operation }: CalledHook,
    seconds: number,
    code: number,
    rejection: RejectionCause | undefined,
  ): void {
    const hook = { name, type, operation, rejected: String(rejection !== undefined) }
    const known = String(Math.min(code, HIGHEST_CODE))
    this.callSeconds.at(hook).observe(seconds)
    this.calls.at({ ...hook, code: known }).value++
    if (rejection === undefined) return
    this.rejections.at({ name, type, operation, error_type: rejection, rejection_code: known })
      .value++
  }

  webhookFailedOpen({ name, type }: CalledHook): void {
    this.openCalls.at({ name, type }).value++
  }

  conditionsEvaluated(
    of: { kind: string; name: string; type: string; operation: string },
    seconds: number,
    outcome: 'met' | 'excluded' | 'failed',
  ): void {
    this.conditionSeconds.at(of).observe(seconds)
    if (outcome === 'excluded') this.conditionExclusions.at(of).value++
    if (outcome === 'failed') this.conditionErrors.at(of).value++
  }

  policyChecked(
    { policy, binding, action, error }: PolicyCheck,
    seconds: number,
    validations: number,
  ): void {
    const key = `${policy} ${binding} ${action} ${error}`
    let found = this.knownChecks.get(key)
    if (found === undefined) {
      const labels = {
        policy,
        policy_binding: binding,
        enforcement_action: action,
        error_type: error,
      }
      this.knownChecks.set(
        key,
        (found = { count: this.checks.at(labels), seconds: this.checkSeconds.at(labels) }),
      )
    }
    found.count.value += validations
    found.seconds.observeTimes(seconds, validations)
  }
}
