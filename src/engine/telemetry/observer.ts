/** Observes requests: identities, traces, metrics, audit events. It never changes a decision. */

import type { UserInfo } from '../authentication/authenticator'
import { type Clock, type Log, type Random, randomUuid } from '../core/environment'
import { AUDIT_ID_HEADER, CLIENT_HEADER } from '../core/names'
import { isLongRunning } from '../flow-control/long-running'
import { headerText } from '../http/header-text'
import { type ApiRequest, type ApiResponse, type BodyStream, isStream } from '../http/messages'
import { responseObjectOf, undecodedRequestObject } from './audit/contents'
import { withoutQueryToken } from './audit/credentials'
import { type AuditEvent, auditEvent, type SentObject, withRequest } from './audit/event'
import {
  type AuditPolicy,
  type AuditStage,
  evaluatePolicyRule,
  type RequestAuditConfig,
} from './audit/policy'
import { sourcesOf } from './audit/sources'
import { CountedSinks, countEvent } from './counted-sink'
import { ServerMetrics } from './server-metrics'
import { type RequestAttributes, Trace } from './trace'

export interface Audit {
  policy: AuditPolicy
  /** Receives every event. Exceptions are logged. */
  sink(event: AuditEvent): void
}

export interface ObserverOptions {
  clock: Clock
  random: Random
  log: Log
  /** Milliseconds from any start, in the host's finest resolution; the clock's own if absent. */
  stopwatch?: (() => number) | undefined
  audit?: Audit | undefined
  /** The kind of a resource, and the release that removes it if it is deprecated. */
  describe(
    attributes: RequestAttributes,
    served?: object,
  ): { kind: string; removedRelease?: string } | undefined
}

export interface Observation {
  trace: Trace
  request: ApiRequest
  /** Set when the user and the attributes are known. */
  auditConfig?: RequestAuditConfig
  body?: Uint8Array
  /** The identity of the object in the body. */
  sent?: SentObject
  /** Client addresses, only for audit events. */
  sources?: string[]
}

const UNKNOWN_USER: UserInfo = { name: '', groups: [] }

/**
 * Responses are for one user, so caches must revalidate them unless the handler sets another policy
 * (k8s.io/apiserver, package pkg/endpoints/filters, WithCacheControl).
 */
const NO_CACHE = 'no-cache, private'

export class Observer {
  readonly metrics: ServerMetrics
  private readonly countedSinks = new CountedSinks()
  audit: Audit | undefined
  private readonly listeners = new Set<(trace: Trace) => void>()
  /** Milliseconds from any start. */
  readonly stopwatch: () => number
  /** Request ids share a prefix: random bytes for each would cost more than some requests. */
  private readonly idPrefix: string
  /** Starts with eight hexadecimal digits. */
  private counter = 0x10000000

  constructor(private readonly options: ObserverOptions) {
    this.audit = options.audit
    this.stopwatch = options.stopwatch ?? (() => options.clock.now())
    this.metrics = new ServerMetrics(this.stopwatch)
    this.idPrefix = randomUuid(options.random).slice(0, -8)
  }

  /** @returns a function that removes the listener */
  onTrace(listener: (trace: Trace) => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  begin(request: ApiRequest): Observation {
    const id = request.header(AUDIT_ID_HEADER) || `${this.idPrefix}${(this.counter++).toString(16)}`
    const userAgent = headerText(
      request.header(CLIENT_HEADER) ?? request.header('user-agent') ?? '',
    )
    const trace = new Trace(
      id,
      request.method,
      withoutQueryToken(request.target),
      userAgent,
      this.options.clock.now(),
      this.stopwatch,
    )
    trace.detailed = this.listeners.size > 0
    this.metrics.begin(trace)
    const observation: Observation = { trace, request }
    if (this.audit !== undefined) {
      observation.sources = sourcesOf(request)
      observation.request = keepingBody(observation)
    }
    return observation
  }

  /** Called when the user and the request attributes are resolved. */
  identified(observation: Observation, attributes: RequestAttributes, user: UserInfo): void {
    observation.trace.attributes = attributes
    observation.trace.user = user
    observation.trace.authentication = 'success'
    if (this.audit === undefined) return
    observation.auditConfig = this.evaluateRule(this.audit, attributes, user)
    this.write(observation, 'RequestReceived')
  }

  /** Called if authentication fails, or if the request is rejected before it. */
  unrecognized(observation: Observation, attributes: RequestAttributes): void {
    observation.trace.unrecognized = true
    if (this.audit !== undefined)
      observation.auditConfig = this.evaluateRule(this.audit, attributes, UNKNOWN_USER)
  }

  private evaluateRule(
    { policy }: Audit,
    attributes: RequestAttributes,
    user: UserInfo,
  ): RequestAuditConfig {
    const auditConfig = evaluatePolicyRule(policy, attributes, user)
    this.metrics.auditedAt(auditConfig.level)
    return auditConfig
  }

  /**
   * Sets `Audit-ID` and a default `Cache-Control`, ends the trace, and records metrics and the
   * audit event.
   * @returns the same object
   */
  responded(observation: Observation, response: ApiResponse): ApiResponse {
    const { trace } = observation
    const { body } = response
    trace.end()
    trace.status = response.status
    response.headers[AUDIT_ID_HEADER] = trace.id
    response.headers['cache-control'] ??= NO_CACHE
    const streams = isStream(body)
    this.noteDeprecation(trace)
    this.metrics.responded(trace, streams || body === undefined ? undefined : body.length, streams)
    if (streams) response.body = this.watched(observation, body)
    else this.writeResponse(observation, response)
    for (const listener of this.listeners) this.notify(() => listener(trace))
    return response
  }

  /** A failure of an observer must not affect the request. @returns whether it succeeded */
  private notify(run: () => void): boolean {
    try {
      run()
      return true
    } catch (error) {
      this.options.log.error('an observer of requests failed', error)
      return false
    }
  }

  private writeResponse(observation: Observation, response: ApiResponse): void {
    const { attributes, unrecognized } = observation.trace
    // A long-running request has a ResponseStarted event even if it ends at once.
    if (unrecognized || (attributes && isLongRunning(attributes)))
      this.write(observation, 'ResponseStarted', response)
    if (!unrecognized) this.write(observation, 'ResponseComplete', response)
  }

  private noteDeprecation(trace: Trace): void {
    const { attributes } = trace
    if (!attributes?.isResource) return
    const removedRelease = this.options.describe(attributes, trace.resource)?.removedRelease
    if (removedRelease === undefined) return
    trace.annotations['k8s.io/deprecated'] = 'true'
    if (removedRelease !== '') trace.annotations['k8s.io/removed-release'] = removedRelease
    if (trace.resource !== undefined)
      this.metrics.requests.deprecatedUse(attributes, removedRelease)
  }

  private watched(observation: Observation, stream: BodyStream): BodyStream {
    const { trace } = observation
    const { attributes } = trace
    const kind = attributes && this.options.describe(attributes)?.kind
    const events =
      attributes && kind
        ? this.metrics.requests.watchEventsOf({
            group: attributes.group,
            version: attributes.version,
            kind,
          })
        : undefined
    return {
      start: (sink) => {
        let open = true
        const close = () => {
          if (!open) return
          open = false
          this.metrics.requests.streamEnds(trace)
          this.write(observation, 'ResponseComplete')
        }
        this.metrics.requests.streamBegins(trace)
        this.write(observation, 'ResponseStarted')
        const join = sink.join?.bind(sink)
        const cancel = stream.start({
          write(chunk) {
            if (events) countEvent(events, chunk.length)
            return sink.write(chunk)
          },
          end() {
            close()
            sink.end()
          },
          abort: () => {
            // Slow watches of own resources are terminated, not aborted.
            if (open && trace.resource === undefined) this.metrics.requests.aborted(trace)
            close()
            sink.abort()
          },
          ...(join && { join: events ? this.countedSinks.join(join, events) : join }),
        })
        return () => {
          close()
          cancel()
        }
      },
    }
  }

  private write(observation: Observation, stage: AuditStage, response?: ApiResponse): void {
    const { auditConfig, trace, body } = observation
    if (
      this.audit === undefined ||
      auditConfig === undefined ||
      auditConfig.level === 'None' ||
      auditConfig.omitStages.has(stage)
    )
      return
    const { sent, sources = [] } = observation
    const { attributes } = trace
    const contents = {
      sources,
      sent,
      request:
        withRequest(auditConfig) && attributes !== undefined
          ? (sent?.whole ?? undecodedRequestObject(attributes, body))
          : undefined,
      response:
        response && responseObjectOf(response, attributes, auditConfig.level === 'RequestResponse'),
    }
    const { sink } = this.audit
    this.metrics.audited()
    const isWritten = this.notify(() =>
      sink(auditEvent(trace, auditConfig, stage, this.options.clock.now(), contents)),
    )
    if (!isWritten) this.metrics.auditFailed()
  }
}

/** Keeps the body for audit events. */
function keepingBody(observation: Observation): ApiRequest {
  const { request } = observation
  return {
    method: request.method,
    target: request.target,
    header: (name) => request.header(name),
    headerNames: () => request.headerNames(),
    ...(request.headerValues
      ? { headerValues: (name: string) => request.headerValues?.(name) ?? [] }
      : {}),
    understood({ name, namespace, uid, resourceVersion }, whole) {
      // Later stages change the object, but must not change the event.
      const isShown = observation.auditConfig !== undefined && withRequest(observation.auditConfig)
      observation.sent = {
        name,
        namespace,
        uid,
        resourceVersion,
        whole: isShown ? whole && structuredClone(whole()) : undefined,
      }
    },
    ...(request.clientCertificate
      ? { clientCertificate: () => request.clientCertificate?.() }
      : {}),
    async body() {
      observation.body = await request.body()
      return observation.body
    },
    ...(request.onClose ? { onClose: (run: () => void) => request.onClose?.(run) } : {}),
  }
}
