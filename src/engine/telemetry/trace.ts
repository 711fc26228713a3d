/** Metrics, audit events and the page read it, so that nothing is decided twice. */
import type { UserInfo } from '../authentication/authenticator'
import type { Attributes, Decider, Grounds, NearMiss } from '../authorization/authorizer'
import type { Tally } from '../flow-control/flows'
import type { ApiError } from '../http/status'
import type { PolicyFinding } from './policy-findings'

/** In order; some are skipped. */
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
  part: string | undefined
  /** Milliseconds since arrival. */
  start: number
  /** Milliseconds; set when the next one starts. */
  duration: number
}

/** Empty if they do not apply. */
export type RequestAttributes = Omit<Attributes, 'user'>

export interface Decision {
  decision: 'allow' | 'forbid'
  reason: string
  error?: string
  /** Otherwise none allowed it. */
  denied?: boolean
  /** Absent: the decision is about the request itself. */
  of?: 'impersonation'
  by?: Decider
  grounds?: Grounds
  /** With a listener. */
  nearMisses?: NearMiss[]
}

/** Milliseconds. */
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

/** The revision of the stored object, or the uid of the deleted one. */
export type Written = { revision: number } | { deleted: string }

export class Trace {
  readonly spans: Span[] = []
  /** All stages, for a listener; admission plugins are always recorded. */
  detailed = true
  /** Or the last stage, if recorded. */
  current: Span | undefined
  attributes: RequestAttributes | undefined
  /** The resource's handler, as an identity. */
  resource: object | undefined
  unserved = false
  inside = false
  user: UserInfo | undefined
  authentication: 'success' | 'failure' | 'error' | undefined
  impersonated: UserInfo | undefined
  /** Authentication failed or did not run. */
  unrecognized = false
  authorization: Decision | undefined
  flow: Tally | undefined
  dryRun = false
  timeLimit = Number.POSITIVE_INFINITY
  apply = false
  fieldValidation = ''
  /** Set if a handler reads the body. */
  bodyBytes: number | undefined
  /** In self-defense. */
  terminatedBy: 'apiserver' | 'aggregator' | undefined
  /** Most requests wait for nothing. */
  waits: Waits | undefined
  /** Milliseconds. */
  took = 0
  readonly policies: PolicyFinding[] = []
  /** In addition to those of authorization. */
  readonly annotations: Record<string, string> = {}
  /** These quote a body, so they need levels with bodies. */
  readonly bodyAnnotations: Record<string, string> = {}
  status = 0
  failure: string | undefined
  rejection: ApiError | undefined
  /** Set by writes of one object. */
  written: Written | undefined
  /** Milliseconds of the stopwatch. */
  readonly begun: number
  private readonly now: () => number

  /**
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

  /** Milliseconds. */
  elapsed(): number {
    return this.now() - this.begun
  }

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

  timeLeft(): number {
    return this.timeLimit - this.elapsed()
  }

  private leave(at: number): void {
    if (this.current) this.current.duration = at - this.current.start
  }
}

/** For the server's own writes. */
export function unobserved(): Trace {
  const trace = new Trace('', '', '', '', 0, () => 0)
  trace.detailed = false
  return trace
}
