/** The metrics of authorization, by the names, labels and buckets of the real server (public documentation, "Kubernetes metrics reference"). */
import type { Decider } from '../authorization/authorizer'
import type { AuthorizationMetrics, CallResult, Counter } from '../authorization/metrics'
import { counter, histogram, type Instrument, Numbers } from './instruments'

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const CONDITION_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25]
/** Only webhooks have conditions. */
const TYPE = 'Webhook'
/** There is one server; the real one tells several apart by a hash of their names. */
const SERVER = { apiserver_id_hash: '' }

export class AuthorizationInstruments implements AuthorizationMetrics, Instrument {
  private readonly decided = counter(
    'apiserver_authorization_decisions_total',
    'Total number of terminal decisions made by an authorizer split by authorizer type, name, and decision.',
  )
  private readonly calls = counter('apiserver_authorization_webhook_evaluations_total', 'Round-trips to authorization webhooks.')
  private readonly openCalls = counter(
    'apiserver_authorization_webhook_evaluations_fail_open_total',
    'NoOpinion results due to webhook timeout or error.',
  )
  private readonly callSeconds = histogram('apiserver_authorization_webhook_duration_seconds', 'Request latency in seconds.', SECONDS)
  private readonly conditionErrors = counter(
    'apiserver_authorization_match_condition_evaluation_errors_total',
    'Total number of errors when an authorization webhook encounters a match condition error split by authorizer type and name.',
  )
  private readonly conditionExclusions = counter(
    'apiserver_authorization_match_condition_exclusions_total',
    'Total number of exclusions when an authorization webhook is skipped because match conditions exclude it.',
  )
  private readonly conditionSeconds = histogram(
    'apiserver_authorization_match_condition_evaluation_seconds',
    'Authorization match condition evaluation time in seconds, split by authorizer type and name.',
    CONDITION_SECONDS,
  )
  private readonly reloads = counter(
    'apiserver_authorization_config_controller_automatic_reloads_total',
    'Total number of automatic reloads of authorization configuration split by status and apiserver identity.',
  )
  private readonly lastReload = new Numbers(
    {
      name: 'apiserver_authorization_config_controller_automatic_reload_last_timestamp_seconds',
      stability: 'ALPHA',
      help: 'Timestamp of the last automatic reload of authorization configuration split by status and apiserver identity.',
    },
    'gauge',
  )

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

  write(lines: string[], release?: string): void {
    const { decided, calls, openCalls, callSeconds, conditionErrors, conditionExclusions, conditionSeconds, reloads, lastReload } = this
    for (const one of [decided, calls, openCalls, callSeconds, conditionErrors, conditionExclusions, conditionSeconds, reloads, lastReload])
      one.write(lines, release)
  }
}
