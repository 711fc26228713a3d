/** One request, for metrics, audit events and the page, so that no decision is computed twice. */
import type { UserInfo } from '../authentication/authenticator'
import type { Attributes, Decider, Grounds, NearMiss } from '../authorization/authorizer'
import type { Tally } from '../flow-control/flows'
import type { PolicyFinding } from './policy-findings'

/** In the order of a request, which may skip some. */
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
  /** The plugin. */
  part: string | undefined
  /** Milliseconds since the arrival of the request. */
  start: number
  /** Milliseconds; set when the next stage starts. */
  duration: number
}

/** Members that do not apply are empty. */
export type RequestAttributes = Omit<Attributes, 'user'>

export interface Decision {
  decision: 'allow' | 'forbid'
  reason: string
  /** Of an authorizer. */
  error?: string
  /** By an authorizer; otherwise none allowed it. */
  denied?: boolean
  /** Set if the decision is not about the request itself. */
  of?: 'impersonation'
  by?: Decider
  /** If a role allowed it. */
  grounds?: Grounds
  /** Grants that nearly allowed it; only with a listener. */
  nearMisses?: NearMiss[]
}

/** In milliseconds. */
export interface Waits {
  authentication: number
  authorization: number
  /** From arrival to execution. */
  execution: number
  /** They run one after another. */
  mutatingWebhooks: number
  /** The slowest one: they run in parallel. */
  validatingWebhooks: number
}

export class Trace {
  readonly spans: Span[] = []
  /** All stages, for a listener. Admission plugins are always recorded for metrics. */
  detailed = true
  /** Or the last stage, if recorded. */
  current: Span | undefined
  attributes: RequestAttributes | undefined
  /** The resource's handler, as an identity. */
  resource: object | undefined
  /** No handler serves the path. */
  unserved = false
  /** Sent by a controller of this server. */
  inside = false
  /** The authenticated user. */
  user: UserInfo | undefined
  authentication: 'success' | 'failure' | 'error' | undefined
  impersonated: UserInfo | undefined
  /** Authentication failed or did not run. */
  unrecognized = false
  authorization: Decision | undefined
  /** undefined for requests that are not classified. */
  flow: Tally | undefined
  dryRun = false
  /** Milliseconds after arrival. */
  timeLimit = Number.POSITIVE_INFINITY
  /** Server-side apply, which metrics count separately. */
  apply = false
  /** The query parameter. */
  fieldValidation = ''
  /** Set if a resource handler reads the body. */
  bodyBytes: number | undefined
  /** In self-defense. */
  terminatedBy: 'apiserver' | 'aggregator' | undefined
  /** undefined if the request waited for nothing, as most do. */
  waits: Waits | undefined
  /** Milliseconds from arrival to response. */
  took = 0
  /** Only with a listener. */
  readonly policies: PolicyFinding[] = []
  /** For the audit event, in addition to those of authorization. */
  readonly annotations: Record<string, string> = {}
  /** These quote a body, so they need levels that include bodies. */
  readonly bodyAnnotations: Record<string, string> = {}
  status = 0
  /** Message of the error Status. */
  failure: string | undefined
  /** Arrival, in milliseconds of the stopwatch. */
  readonly begun: number
  private readonly now: () => number

  /**
   * @param id the audit id
   * @param received milliseconds since the epoch
   * @param stopwatch milliseconds from any start
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

  /** Ends the stage before. */
  enter(stage: Stage, part?: string): void {
    const noted = this.detailed || part !== undefined
    if (!noted && this.current === undefined) return
    const at = this.elapsed()
    this.leave(at)
    this.current = noted ? { stage, part, start: at, duration: 0 } : undefined
    if (this.current) this.spans.push(this.current)
  }

  end(): void {
    if (this.current) this.leave(this.took)
  }

  /** Milliseconds since the arrival. */
  elapsed(): number {
    return this.now() - this.begun
  }

  /** Creates the wait times on first use. */
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

  /** Milliseconds until the timeout. */
  timeLeft(): number {
    return this.timeLimit - this.elapsed()
  }

  private leave(at: number): void {
    if (this.current) this.current.duration = at - this.current.start
  }
}

/** For the server's own writes, which belong to no request. */
export function unobserved(): Trace {
  const trace = new Trace('', '', '', '', 0, () => 0)
  trace.detailed = false
  return trace
}
