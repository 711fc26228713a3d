/** Metrics of authorization. kubernetes.io, "Kubernetes Metrics Reference". */
import type { Decider } from '../authorization/authorizer'
import type { AuthorizationMetrics, CallResult, Counter } from '../authorization/metrics'
import type { MetricRegistry } from './registry'

/** Only webhooks have conditions. */
const TYPE = 'Webhook'
/** kube-apiserver hashes its name; here there is one server. */
const SERVER = { apiserver_id_hash: '' }

export class AuthorizationInstruments implements AuthorizationMetrics {
  private readonly decided
  private readonly calls
  private readonly openCalls
  private readonly callSeconds
  private readonly conditionErrors
  private readonly conditionExclusions
  private readonly conditionSeconds
  private readonly reloads
  private readonly lastReload

  constructor(registry: MetricRegistry) {
    this.decided = registry.numbers('apiserver_authorization_decisions_total')
    this.calls = registry.numbers('apiserver_authorization_webhook_evaluations_total')
    this.openCalls = registry.numbers('apiserver_authorization_webhook_evaluations_fail_open_total')
    this.callSeconds = registry.histogram('apiserver_authorization_webhook_duration_seconds')
    this.conditionErrors = registry.numbers(
      'apiserver_authorization_match_condition_evaluation_errors_total',
    )
    this.conditionExclusions = registry.numbers(
      'apiserver_authorization_match_condition_exclusions_total',
    )
    this.conditionSeconds = registry.histogram(
      'apiserver_authorization_match_condition_evaluation_seconds',
    )
    this.reloads = registry.numbers(
      'apiserver_authorization_config_controller_automatic_reloads_total',
    )
    this.lastReload = registry.numbers(
      'apiserver_authorization_config_controller_automatic_reload_last_timestamp_seconds',
    )
  }

  decisions(by: Decider, decision: 'allowed' | 'denied'): Counter {
    return this.decided.at({ ...by, decision })
  }

  webhookCalled(name: string, result: CallResult, seconds: number, failedOpen: boolean): void {
    this.calls.at({ name, result }).value++
    this.callSeconds.at({ name, result }).observe(seconds)
    if (failedOpen) this.openCalls.at({ name, result }).value++
  }

  conditionsEvaluated(name: string, seconds: number): void {
    this.conditionSeconds.at({ type: TYPE, name }).observe(seconds)
  }

  conditionsFailed(name: string): void {
    this.conditionErrors.at({ type: TYPE, name }).value++
  }

  conditionsExcluded(name: string): void {
    this.conditionExclusions.at({ type: TYPE, name }).value++
  }

  reloaded(status: 'success' | 'failure', time: number): void {
    this.reloads.at({ ...SERVER, status }).value++
    this.lastReload.at({ ...SERVER, status }).value = time / 1000
  }
}
