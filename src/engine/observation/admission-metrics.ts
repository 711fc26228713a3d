/** The metrics of admission webhooks and policies, by the names, labels and buckets of the real server (public documentation, "Kubernetes metrics reference"). */
import type { AdmissionMetrics, CalledHook, PolicyCheck, RejectionCause } from '../webhooks/metrics'
import { type Cell, counter, type Distribution, histogram, type Instrument, Numbers } from './instruments'

const CALL_SECONDS = [0.005, 0.025, 0.1, 0.5, 1, 2.5, 10, 25]
const CONDITION_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25]
const CHECK_SECONDS = [0.0000005, 0.001, 0.01, 0.1, 1]
/** Codes above are all called so. */
const HIGHEST_CODE = 600

const BY_NAME = 'identified by name and broken out for each admission type'

export class AdmissionInstruments implements AdmissionMetrics, Instrument {
  private readonly callSeconds = histogram(
    'apiserver_admission_webhook_admission_duration_seconds',
    'Admission webhook latency histogram in seconds, identified by name and broken out for each operation and API resource and type (validate or admit).',
    CALL_SECONDS,
    'STABLE',
  )
  private readonly calls = counter(
    'apiserver_admission_webhook_request_total',
    `Admission webhook request total, ${BY_NAME} (validating or mutating) and operation. Additional labels specify whether the request was rejected or not and an HTTP status code. Codes greater than 600 are truncated to 600, to keep the metrics cardinality bounded.`,
  )
  private readonly rejections = counter(
    'apiserver_admission_webhook_rejection_count',
    `Admission webhook rejection count, ${BY_NAME} (validating or admit) and operation. Additional labels specify an error type (calling_webhook_error or apiserver_internal_error if an error occurred; no_error otherwise) and optionally a non-zero rejection code if the webhook rejects the request with an HTTP status code (honored by the apiserver when the code is greater or equal to 400). Codes greater than 600 are truncated to 600, to keep the metrics cardinality bounded.`,
  )
  private readonly openCalls = counter(
    'apiserver_admission_webhook_fail_open_count',
    `Admission webhook fail open count, ${BY_NAME} (validating or mutating).`,
  )
  private readonly conditionErrors = counter(
    'apiserver_admission_match_condition_evaluation_errors_total',
    'Admission match condition evaluation errors count, identified by name of resource containing the match condition and broken out for each kind containing matchConditions (webhook or policy), operation and admission type (validate or admit).',
  )
  private readonly conditionExclusions = counter(
    'apiserver_admission_match_condition_exclusions_total',
    'Admission match condition evaluation exclusions count, identified by name of resource containing the match condition and broken out for each kind containing matchConditions (webhook or policy), operation and admission type (validate or admit).',
  )
  private readonly conditionSeconds = histogram(
    'apiserver_admission_match_condition_evaluation_seconds',
    'Admission match condition evaluation time in seconds, identified by name and broken out for each kind containing matchConditions (webhook or policy), operation and type (validate or admit).',
    CONDITION_SECONDS,
  )
  private readonly checks = new Numbers(
    {
      name: 'apiserver_validating_admission_policy_check_total',
      stability: 'BETA',
      help: 'Validation admission policy check total, labeled by policy and further identified by binding and enforcement action taken.',
    },
    'counter',
  )
  private readonly checkSeconds = histogram(
    'apiserver_validating_admission_policy_check_duration_seconds',
    'Validation admission latency for individual validation expressions in seconds, labeled by policy and further including binding and enforcement action taken.',
    CHECK_SECONDS,
    'BETA',
  )

  /** Every write meets every policy that matches it: what counts it is found once. */
  private readonly knownChecks = new Map<string, { count: Cell; seconds: Distribution }>()

  webhookCalled({ name, type, operation }: CalledHook, seconds: number, code: number, rejection: RejectionCause | undefined): void {
    const hook = { name, type, operation, rejected: String(rejection !== undefined) }
    const known = String(Math.min(code, HIGHEST_CODE))
    this.callSeconds.at(hook).observe(seconds)
    this.calls.at({ ...hook, code: known }).value++
    if (rejection === undefined) return
    this.rejections.at({ name, type, operation, error_type: rejection, rejection_code: known }).value++
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

  policyChecked({ policy, binding, action, error }: PolicyCheck, seconds: number, validations: number): void {
    const key = `${policy} ${binding} ${action} ${error}`
    let found = this.knownChecks.get(key)
    if (found === undefined) {
      const labels = { policy, policy_binding: binding, enforcement_action: action, error_type: error }
      this.knownChecks.set(key, (found = { count: this.checks.at(labels), seconds: this.checkSeconds.at(labels) }))
    }
    found.count.value += validations
    for (let n = 0; n < validations; n++) found.seconds.observe(seconds)
  }

  write(lines: string[]): void {
    const { callSeconds, calls, rejections, openCalls, conditionErrors, conditionExclusions, conditionSeconds, checks, checkSeconds } = this
    for (const one of [
      callSeconds,
      calls,
      rejections,
      openCalls,
      conditionErrors,
      conditionExclusions,
      conditionSeconds,
      checks,
      checkSeconds,
    ])
      one.write(lines)
  }
}
