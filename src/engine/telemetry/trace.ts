/**
 * What became of one request: who asked for what, the stages it went through, where it stopped. Metrics, audit events and the
 * page's view of a request are made of it; nobody works a decision out again.
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

/** What the request asks for, in the words of authorization; empty where it does not apply. */
export type Asked = Omit<Attributes, 'user'>

export interface Decision {
  decision: 'allow' | 'forbid'
  reason: string
  /** Why it could not be decided properly. */
  error?: string
  /** An authorizer denied it; otherwise none allowed it. */
  denied?: boolean
  /** What was decided, if not the request itself. */
  of?: 'impersonation'
  by?: Decider
  /** From whom the right comes, where roles gave it. */
  grounds?: Grounds
  /** What almost allowed a request that was refused; only while somebody looks on. */
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
  /** Whether all stages are noted: while somebody looks on. Of others only the plugins of admission are, which are measured. */
  detailed = true
  /** The stage that the request is in, or ended in, if it is noted. */
  current: Span | undefined
  asked: Asked | undefined
  /** What serves the resource that is asked for, once it has been found: only which one it is matters here. */
  resource: object | undefined
  /** Nothing serves it. */
  unserved = false
  /** The server's own controllers ask. */
  inside = false
  /** Who asks. */
  user: UserInfo | undefined
  /** What came of authentication, once that is known. */
  authentication: 'success' | 'failure' | 'error' | undefined
  /** As whom, if not as oneself. */
  impersonated: UserInfo | undefined
  /** Whoever asks was not let in, or not even looked at. */
  unrecognized = false
  authorization: Decision | undefined
  /** The flow schema that it was classified by; undefined for requests that are not. */
  flow: Tally | undefined
  dryRun = false
  /** Milliseconds after which nobody waits for the answer any more. */
  timeLimit = Number.POSITIVE_INFINITY
  /** A server-side apply, which is counted by itself. */
  apply = false
  /** The query parameter of that name. */
  fieldValidation = ''
  /** Length of the request's body, where a handler of resources reads it. */
  bodyBytes: number | undefined
  /** The part of the server that gave the request up in self-defense. */
  terminatedBy: 'apiserver' | 'aggregator' | undefined
  /** What it waited for; undefined where it waited for nothing, as most requests do. */
  waits: Waits | undefined
  /** Milliseconds from arrival to the response, once there is one. */
  took = 0
  /** What policies found, while somebody looks on. */
  readonly policies: PolicyFinding[] = []
  /** Annotations of the audit event besides those of authorization. */
  readonly annotations: Record<string, string> = {}
  /** Those that say what was in a body: only at levels that show bodies. */
  readonly bodyAnnotations: Record<string, string> = {}
  /** HTTP status, once there is one. */
  status = 0
  /** Message of the Status that refused the request. */
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

  /** What it waited for, to be added to. */
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

  /** Milliseconds until nobody waits any more. */
  timeLeft(): number {
    return this.timeLimit - this.elapsed()
  }

  private leave(at: number): void {
    if (this.current) this.current.duration = at - this.current.start
  }
}

/** What the server writes by itself is part of no request. */
export function unobserved(): Trace {
  const trace = new Trace('', '', '', '', 0, () => 0)
  trace.detailed = false
  return trace
}
