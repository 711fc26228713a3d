/** Metrics of requests: counts, latencies, sizes, requests in flight. */

import { Load } from '../flow-control/load'
import type { Cell, Distribution } from './instruments'
import type { MetricRegistry } from './registry'
import { RequestKinds } from './request-kinds'
import { countsSize, labelsOf } from './request-labels'
import type { RequestAttributes, Trace } from './trace'

/** Values that the label shows unchanged. */
const FIELD_VALIDATIONS = new Set(['Ignore', 'Strict', 'Warn'])
/** The user of the server's own requests. */
const SELF = 'system:apiserver'

export class RequestMetrics {
  private readonly kinds: RequestKinds
  private readonly fieldValidations
  private readonly terminations
  private readonly aborts
  private readonly selfRequests
  private readonly inFlight
  private readonly inQueue
  private readonly longRunning
  private readonly deprecated
  private readonly watchEvents
  private readonly watchEventSizes
  /** The number of executing requests over time. */
  readonly loads: Record<'mutating' | 'readOnly', Load>

  /** @param now milliseconds of the stopwatch */
  constructor(registry: MetricRegistry, now: number) {
    this.loads = { mutating: new Load(now), readOnly: new Load(now) }
    this.kinds = new RequestKinds(registry)
    this.fieldValidations = registry.histogram('field_validation_request_duration_seconds')
    this.terminations = registry.numbers('apiserver_request_terminations_total')
    this.aborts = registry.numbers('apiserver_request_aborts_total')
    this.selfRequests = registry.numbers('apiserver_selfrequest_total')
    this.inFlight = registry.numbers('apiserver_current_inflight_requests')
    this.inQueue = registry.numbers('apiserver_current_inqueue_requests')
    this.longRunning = registry.numbers('apiserver_longrunning_requests')
    this.deprecated = registry.numbers('apiserver_requested_deprecated_apis')
    this.watchEvents = registry.numbers('apiserver_watch_events_total')
    this.watchEventSizes = registry.histogram('apiserver_watch_events_sizes')
    this.fieldValidations.at({ field_validation: '' })
  }

  begin(trace: Trace): void {
    if (isMutating(trace.method)) this.loads.mutating.enter(trace)
    else this.loads.readOnly.enter(trace)
  }

  /**
   * Called when a response is ready or a stream starts. @param bytes length of the body, if known
   */
  responded(trace: Trace, bytes: number | undefined, streams: boolean): void {
    this.kinds.of(trace).responded(trace, countsSize(trace) ? bytes : undefined, streams)
    if (trace.terminatedBy !== undefined) this.terminated(trace)
    if ((trace.impersonated ?? trace.user)?.name === SELF) this.requestedByItself(trace)
    if (!isMutating(trace.method)) {
      this.loads.readOnly.leave(trace)
      return
    }
    this.loads.mutating.leave(trace)
    if (trace.fieldValidation !== '') this.validated(trace.fieldValidation)
  }

  streamBegins(trace: Trace): void {
    this.longRunning.at(labelsOf(trace)).value++
  }

  streamEnds(trace: Trace): void {
    this.longRunning.at(labelsOf(trace)).value--
    this.kinds.of(trace).seconds.observe(trace.elapsed() / 1000)
  }

  /** A proxied response ended before its end. */
  aborted(trace: Trace): void {
    const { component: _, ...labels } = labelsOf(trace)
    this.aborts.at(labels).value++
  }

  /** @param labels group, version and kind of the watched objects */
  watchEventsOf(labels: { group: string; version: string; kind: string }): WatchEventSeries {
    return { events: this.watchEvents.at(labels), sizes: this.watchEventSizes.at(labels) }
  }

  deprecatedUse(
    { group, version, resource, subresource }: RequestAttributes,
    removedRelease: string,
  ): void {
    this.deprecated.at({
      group,
      version,
      resource,
      subresource,
      removed_release: removedRelease,
    }).value = 1
  }

  /** Updates computed values. @param now milliseconds of the stopwatch */
  read(now: number): void {
    this.kinds.read()
    for (const [request_kind, load] of Object.entries(this.loads)) {
      this.inFlight.at({ request_kind }).value = load.peakOf(now)
      // Requests never wait in a queue here.
      this.inQueue.at({ request_kind }).value = 0
    }
  }

  private validated(value: string): void {
    this.fieldValidations.at({ field_validation: FIELD_VALIDATIONS.has(value) ? value : 'invalid' })
  }

  private requestedByItself(trace: Trace): void {
    const { verb = '', resource = '', subresource = '' } = this.kinds.labelsOf(trace)
    this.selfRequests.at({ verb, resource, subresource }).value++
  }

  private terminated(trace: Trace): void {
    this.terminations.at({
      ...this.kinds.labelsOf(trace),
      component: trace.terminatedBy ?? '',
      code: String(trace.status),
    }).value++
  }
}

export interface WatchEventSeries {
  events: Cell
  sizes: Distribution
}

const isMutating = (method: string): boolean =>
  method === 'POST' || method === 'PUT' || method === 'PATCH' || method === 'DELETE'
