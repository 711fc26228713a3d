import type { MetricRegistry } from './registry'
import type { Decision, Trace } from './trace'

type AuthorizationResult = 'allowed' | 'denied' | 'no-opinion' | 'error'

/** Other users share a label. */
const KNOWN_USERS = new Set([
  'admin',
  'client',
  'kube_proxy',
  'kubelet',
  'system:serviceaccount:kube-system:default',
])

/** Requests that were allowed without waiting, as nearly all are. */
interface Usual {
  name: string
  requests: number
}

const MAX_CACHED = 1000

export class AccessMetrics {
  private usual: Usual = { name: '', requests: 0 }
  private readonly users = new Map<string, Usual>()

  constructor(private readonly registry: MetricRegistry) {}

  responded(trace: Trace): void {
    const { authentication, user, authorization, waits } = trace
    if (
      user === undefined ||
      authentication !== 'success' ||
      authorization?.decision !== 'allow' ||
      waits !== undefined
    )
      this.other(trace)
    else if (authorization.of !== undefined) this.other(trace)
    else {
      // Often of the same user.
      if (user.name !== this.usual.name) this.usual = this.usualOf(user.name)
      this.usual.requests++
    }
  }

  read(): void {
    let requests = 0
    for (const usual of this.users.values()) {
      this.authenticated('success', usual.requests, 0)
      this.countRequests(usual.name, usual.requests)
      requests += usual.requests
      usual.requests = 0
    }
    this.authorized('allowed', requests, 0)
  }

  private usualOf(name: string): Usual {
    let found = this.users.get(name)
    if (found !== undefined) return found
    if (this.users.size >= MAX_CACHED) {
      this.read()
      this.users.clear()
    }
    this.users.set(name, (found = { name, requests: 0 }))
    return found
  }

  private other({ authentication, user, authorization, waits }: Trace): void {
    if (authentication === undefined) return
    this.authenticated(authentication, 1, (waits?.authentication ?? 0) / 1000)
    if (user !== undefined) this.countRequests(user.name, 1)
    if (authorization === undefined || authorization.of !== undefined) return
    this.authorized(resultOf(authorization), 1, (waits?.authorization ?? 0) / 1000)
  }

  private countRequests(name: string, requests: number): void {
    if (requests === 0) return
    const username = KNOWN_USERS.has(name) ? name : name.includes('@') ? 'email_id' : 'other'
    this.registry.numbers('authenticated_user_requests').at({ username }).value += requests
  }

  /** @param seconds of each attempt */
  private authenticated(
    result: NonNullable<Trace['authentication']>,
    requests: number,
    seconds: number,
  ): void {
    if (requests === 0) return
    const { registry } = this
    registry.numbers('authentication_attempts').at({ result }).value += requests
    registry
      .histogram('authentication_duration_seconds')
      .at({ result })
      .observeTimes(seconds, requests)
    registry
      .histogram('apiserver_request_filter_duration_seconds')
      .at({ filter: 'authentication' })
      .observeTimes(seconds, requests)
  }

  private authorized(result: AuthorizationResult, requests: number, seconds: number): void {
    if (requests === 0) return
    const { registry } = this
    registry.numbers('authorization_attempts_total').at({ result }).value += requests
    registry
      .histogram('authorization_duration_seconds')
      .at({ result })
      .observeTimes(seconds, requests)
    registry
      .histogram('apiserver_request_filter_duration_seconds')
      .at({ filter: 'authorization' })
      .observeTimes(seconds, requests)
  }
}

function resultOf({ decision, denied, error }: Decision): AuthorizationResult {
  if (decision === 'allow') return 'allowed'
  if (error !== undefined) return 'error'
  return denied ? 'denied' : 'no-opinion'
}
