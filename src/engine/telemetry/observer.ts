/** Looks on while requests are served: identities, traces, metrics, audit events. It never changes what is decided. */

import type { UserInfo } from '../authentication/authenticator'
import { type Clock, type Log, type Random, randomUuid } from '../environment'
import { isLongRunning } from '../flow-control/long-running'
import { headerText } from '../http/header-text'
import { type ApiRequest, type ApiResponse, type BodyStream, isStream } from '../http/messages'
import { AUDIT_ID_HEADER, CLIENT_HEADER } from '../names'
import { answerOf, unread } from './audit/contents'
import { withoutQueryToken } from './audit/credentials'
import { type AuditEvent, auditEvent, type Sent, withRequest } from './audit/event'
import { type AuditPolicy, type AuditStage, type Ruling, rulingFor } from './audit/policy'
import { sourcesOf } from './audit/sources'
import { countEvent, countedJoin } from './counted-sink'
import { ServerMetrics } from './server-metrics'
import { type Asked, Trace } from './trace'

export interface Audit {
  policy: AuditPolicy
  /** Gets every event as it happens; what it throws is reported. */
  sink(event: AuditEvent): void
}

export interface ObserverOptions {
  clock: Clock
  random: Random
  log: Log
  /** Milliseconds from any start, as fine as the host has it; the clock's own if absent. */
  stopwatch?: (() => number) | undefined
  audit?: Audit | undefined
  /** The kind behind a resource and the release that removes it, if it is deprecated. */
  describe(asked: Asked, served?: object): { kind: string; removedRelease?: string } | undefined
}

/** One request under observation. */
export interface Observation {
  trace: Trace
  request: ApiRequest
  /** What the audit policy says, once it is known who asks for what. */
  ruling?: Ruling
  body?: Uint8Array
  /** What the body turned out to be. */
  sent?: Sent
  /** Where it came from; only for audit events. */
  sources?: string[]
}

const NOBODY: UserInfo = { name: '', groups: [] }

/** What is answered is for who asked alone, so whatever says nothing else is kept by nobody without asking again (public). */
const ASK_AGAIN = 'no-cache, private'

export class Observer {
  readonly metrics: ServerMetrics
  audit: Audit | undefined
  private readonly listeners = new Set<(trace: Trace) => void>()
  /** Milliseconds from any start. */
  readonly stopwatch: () => number
  /** Requests differ in their last digits: fresh random bytes for each would cost more than answering some. */
  private readonly idPrefix: string
  /** Has eight hexadecimal digits from the beginning on. */
  private counter = 0x10000000

  constructor(private readonly options: ObserverOptions) {
    this.audit = options.audit
    this.stopwatch = options.stopwatch ?? (() => options.clock.now())
    this.metrics = new ServerMetrics(this.stopwatch)
    this.idPrefix = randomUuid(options.random).slice(0, -8)
  }

  /** Tells of every request when it has been answered. @returns how to stop */
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

  /** It is known now who asks for what. */
  identified(observation: Observation, asked: Asked, user: UserInfo): void {
    observation.trace.asked = asked
    observation.trace.user = user
    observation.trace.authentication = 'success'
    if (this.audit === undefined) return
    observation.ruling = this.ruled(this.audit, asked, user)
    this.write(observation, 'RequestReceived')
  }

  /** Nobody was recognized, or the request refused before anybody could be; it is known what was asked for. */
  unrecognized(observation: Observation, asked: Asked): void {
    observation.trace.unrecognized = true
    if (this.audit !== undefined) observation.ruling = this.ruled(this.audit, asked, NOBODY)
  }

  private ruled({ policy }: Audit, asked: Asked, user: UserInfo): Ruling {
    const ruling = rulingFor(policy, asked, user)
    this.metrics.auditedAt(ruling.level)
    return ruling
  }

  /** @returns the response with the request's identity; the same object */
  answered(observation: Observation, response: ApiResponse): ApiResponse {
    const { trace } = observation
    const { body } = response
    trace.end()
    trace.status = response.status
    response.headers[AUDIT_ID_HEADER] = trace.id
    response.headers['cache-control'] ??= ASK_AGAIN
    const streams = isStream(body)
    this.noteDeprecation(trace)
    this.metrics.answered(trace, streams || body === undefined ? undefined : body.length, streams)
    if (streams) response.body = this.watched(observation, body)
    else this.writeAnswer(observation, response)
    for (const listener of this.listeners) this.told(() => listener(trace))
    return response
  }

  /** Who is told of requests may fail: the request does not suffer from it. @returns whether it went well */
  private told(tell: () => void): boolean {
    try {
      tell()
      return true
    } catch (error) {
      this.options.log.error('an observer of requests failed', error)
      return false
    }
  }

  private writeAnswer(observation: Observation, response: ApiResponse): void {
    const { asked, unrecognized } = observation.trace
    // What may last is written when it begins too, though it ended at once.
    if (unrecognized || (asked && isLongRunning(asked)))
      this.write(observation, 'ResponseStarted', response)
    if (!unrecognized) this.write(observation, 'ResponseComplete', response)
  }

  private noteDeprecation(trace: Trace): void {
    const { asked } = trace
    if (!asked?.isResource) return
    const removedRelease = this.options.describe(asked, trace.resource)?.removedRelease
    if (removedRelease === undefined) return
    trace.annotations['k8s.io/deprecated'] = 'true'
    if (removedRelease !== '') trace.annotations['k8s.io/removed-release'] = removedRelease
    if (trace.resource !== undefined) this.metrics.requests.deprecatedUse(asked, removedRelease)
  }

  private watched(observation: Observation, stream: BodyStream): BodyStream {
    const { trace } = observation
    const { asked } = trace
    const kind = asked && this.options.describe(asked)?.kind
    const events =
      asked && kind
        ? this.metrics.requests.watchEventsOf({ group: asked.group, version: asked.version, kind })
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
          abort() {
            close()
            sink.abort()
          },
          ...(join && { join: events ? countedJoin(join, events) : join }),
        })
        return () => {
          close()
          cancel()
        }
      },
    }
  }

  private write(observation: Observation, stage: AuditStage, response?: ApiResponse): void {
    const { ruling, trace, body } = observation
    if (
      this.audit === undefined ||
      ruling === undefined ||
      ruling.level === 'None' ||
      ruling.omitStages.has(stage)
    )
      return
    const { sent, sources = [] } = observation
    const { asked } = trace
    const said = {
      sources,
      sent,
      request:
        withRequest(ruling) && asked !== undefined
          ? (sent?.whole ?? unread(asked, body))
          : undefined,
      response: response && answerOf(response, asked, ruling.level === 'RequestResponse'),
    }
    const { sink } = this.audit
    this.metrics.audited()
    const isWritten = this.told(() =>
      sink(auditEvent(trace, ruling, stage, this.options.clock.now(), said)),
    )
    if (!isWritten) this.metrics.auditFailed()
  }
}

/** The request, whose body is kept when it is read. */
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
      // What it is made into afterwards is not what was sent.
      const isShown = observation.ruling !== undefined && withRequest(observation.ruling)
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
