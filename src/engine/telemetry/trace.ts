/**
 * The course of one request: user, attributes, stages and outcome. Metrics, audit events and the
 * page read it, so that no decision is computed twice.
 */
import type { UserInfo } from '../authentication/authenticator'
import type { Attributes, Decider, Grounds, NearMiss } from '../authorization/authorizer'
import type { Tally } from '../flow-control/flows'
import type { PolicyFinding } from './policy-findings'

/** In the order in which a request meets them; not every request meets all. */
export type Stage =
  | 'authentication'
  | 'authorization'
  | 'routing'
  | 'decoding'
  | 'ownership'
  | 'mutating admission'
  | 'strategy'
  | 'validation'
  | 'validating admission'
  | 'storage'
  | 'encoding'

export interface Span {
  stage: Stage
  /** The plugin, where a stage has several. */
  part: string | undefined
  /** Milliseconds since the request arrived. */
  start: number
  /** Milliseconds; filled when the next stage begins. */
  duration: number
}

/** Attributes for authorization; members that do not apply are empty. */
export type RequestAttributes = Omit<Attributes, 'user'>

export interface Decision {
  decision: 'allow' | 'forbid'
  reason: string
  /** Error of an authorizer. */
  error?: string
  /** Whether an authorizer denied it; otherwise none allowed it. */
  denied?: boolean
  /** Set if the decision is not about the request itself. */
  of?: 'impersonation'
  by?: Decider
  /** The grant that allowed it, if a role did. */
  grounds?: Grounds
  /** Grants that nearly allowed a forbidden request; only if a listener is attached. */
  nearMisses?: NearMiss[]
}

/** Milliseconds that a request waited. */
export interface Waits {
  authentication: number
  authorization: number
  /** From arrival until it began to execute. */
  execution: number
  /** For mutating webhooks, one after the other. */
  mutatingWebhooks: number
  /** For the slowest validating webhook: they are called at once. */
  validatingWebhooks: number
}

export class Trace {
  readonly spans: Span[] = []
  /**
   * Whether all stages are recorded, which is so if a listener is attached. Admission plugins are
   * always recorded for metrics.
   */
  detailed = true
  /** The stage that the request is in, or ended in, if it is noted. */
  current: Span | undefined
  attributes: RequestAttributes | undefined
  /** Identity of the handler of the resource, once it is found. */
  resource: object | undefined
  /** No handler serves it. */
  unserved = false
  /** Whether a controller of this server sent the request. */
  inside = false
  /** The authenticated user. */
  user: UserInfo | undefined
  /** The result of authentication. */
  authentication: 'success' | 'failure' | 'error' | undefined
  /** The impersonated user. */
  impersonated: UserInfo | undefined
  /** Authentication failed or did not run. */
  unrecognized = false
  authorization: Decision | undefined
  /** The flow schema that it was classified by; undefined for requests that are not. */
  flow: Tally | undefined
  dryRun = false
  /** Milliseconds after arrival at which the request times out. */
  timeLimit = Number.POSITIVE_INFINITY
  /** A server-side apply, which is counted by itself. */
  apply = false
  /** The query parameter of that name. */
  fieldValidation = ''
  /** Length of the request's body, where a handler of resources reads it. */
  bodyBytes: number | undefined
  /** The part of the server that terminated the request in self-defense. */
  terminatedBy: 'apiserver' | 'aggregator' | undefined
  /** Wait times; undefined if the request waited for nothing, as most do. */
  waits: Waits | undefined
  /** Milliseconds from arrival to the response, once there is one. */
  took = 0
  /** Findings of policies; only if a listener is attached. */
  readonly policies: PolicyFinding[] = []
  /** Annotations of the audit event, in addition to those of authorization. */
  readonly annotations: Record<string, string> = {}
  /** Annotations that quote a body: only at levels that include bodies. */
  readonly bodyAnnotations: Record<string, string> = {}
  /** HTTP status, once there is one. */
  status = 0
  /** Message of the error Status. */
  failure: string | undefined
  /** The stopwatch's milliseconds when the request arrived. */
  readonly begun: number
  private readonly now: () => number

  /**
   * @param id identity of the request: the audit id
   * @param received milliseconds since the epoch
   * @param stopwatch milliseconds from any start, as fine as the host has it
   */
  constructor(
    readonly id: string,
    readonly method: string,
    readonly target: string,
    readonly userAgent: string,
    readonly received: number,
    stopwatch: () => number,
  ) {
    this.now = stopwatch
    this.begun = stopwatch()
  }

  /** The request enters a stage; the one before is over. */
  enter(stage: Stage, part?: string): void {
    const noted = this.detailed || part !== undefined
    if (!noted && this.current === undefined) return
    const at = this.elapsed()
    this.leave(at)
    this.current = noted ? { stage, part, start: at, duration: 0 } : undefined
    if (this.current) this.spans.push(this.current)
  }

  /** The last stage is over. */
  end(): void {
    if (this.current) this.leave(this.took)
  }

  /** Milliseconds since the request arrived. */
  elapsed(): number {
    return this.now() - this.begun
  }

  /** The wait times, created on first use. */
  waiting(): Waits {
    this.waits ??= {
      authentication: 0,
      authorization: 0,
      execution: 0,
      mutatingWebhooks: 0,
      validatingWebhooks: 0,
    }
    return this.waits
  }

  /** Milliseconds until the request times out. */
  timeLeft(): number {
    return this.timeLimit - this.elapsed()
  }

  private leave(at: number): void {
    if (this.current) this.current.duration = at - this.current.start
  }
}

/** A trace for writes of the server itself, which belong to no request. */
export function unobserved(): Trace {
  const trace = new Trace('', '', '', '', 0, () => 0)
  trace.detailed = false
  return trace
}
