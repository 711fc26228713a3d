/**
 * The admission plugin EventRateLimit, and its configuration. kubernetes.io, kube-apiserver Event
 * Rate Limit Configuration v1alpha1.
 */
import type { Clock } from '../core/environment'
import { entryOf, isJsonObject, type JsonObject } from '../core/object'
import { failure } from '../http/status'
import { goQuote } from '../schema/go-text'
import type { AdmissionAttributes, AdmissionPlugin } from './admission'
import { AdmissionConfigurationError, checkKind, checkMembers } from './configuration'
import type { AdmissionEnvironment } from './environment'

interface Limit {
  type: string
  /** Events a second. */
  qps: number
  burst: number
  /** Number of keys; the least recently used is evicted. */
  cacheSize: number
}

interface Event {
  source?: { component?: string; host?: string }
  involvedObject?: Record<string, string>
}

const MEMBERS = ['kind', 'namespace', 'name', 'uid', 'apiVersion']

const KEYS: Record<string, (attributes: AdmissionAttributes) => string> = {
  Server: () => '',
  Namespace: ({ namespace }) => namespace,
  User: ({ user }) => user.name,
  SourceAndObject({ object }) {
    const { source = {}, involvedObject = {} } = (object ?? {}) as Event
    return [
      source.component ?? '',
      source.host ?? '',
      ...MEMBERS.map((member) => entryOf(involvedObject, member) ?? ''),
    ].join('')
  },
}

const DEFAULT_CACHE = 4096

export function eventRateLimit(environment: AdmissionEnvironment): AdmissionPlugin {
  const limiters = limitsOf(environment.configurationOf('EventRateLimit')).map(
    (limit) => new Limiter(limit, environment.clock),
  )
  return {
    name: 'EventRateLimit',
    operations: ['CREATE', 'UPDATE'],
    // Events of events.k8s.io are not limited (Kubernetes 1.31, package
    // plugin/pkg/admission/eventratelimit).
    resources: ['events'],
    validate(attributes) {
      if (attributes.dryRun) return
      const reached = limiters.flatMap((limiter) => limiter.accept(attributes) ?? [])
      if (reached.length === 0) return
      const why = reached.length === 1 ? reached[0] : `[${[...new Set(reached)].join(', ')}]`
      throw failure(429, 'TooManyRequests', `Too many requests: ${why}`, {})
    },
  }
}

/** A token bucket per key. */
class Limiter {
  private readonly buckets = new Map<string, { tokens: number; since: number }>()

  constructor(
    private readonly limit: Limit,
    private readonly clock: Clock,
  ) {}

  /** @returns the exceeded limit; undefined if the event is accepted */
  accept(attributes: AdmissionAttributes): string | undefined {
    const { type, qps, burst, cacheSize } = this.limit
    const key = entryOf(KEYS, type)?.(attributes) ?? ''
    const now = this.clock.now()
    const bucket = this.buckets.get(key) ?? { tokens: burst, since: now }
    const tokens = Math.min(burst, bucket.tokens + ((now - bucket.since) / 1000) * qps)
    this.buckets.delete(key)
    this.buckets.set(key, { tokens: tokens >= 1 ? tokens - 1 : tokens, since: now })
    const [oldest] = this.buckets.keys()
    if (this.buckets.size > cacheSize && oldest !== undefined) this.buckets.delete(oldest)
    return tokens >= 1 ? undefined : `limit reached on type ${type} for key ${key}`
  }
}

function limitsOf(given: JsonObject | undefined): Limit[] {
  if (given === undefined) throw new AdmissionConfigurationError('no configuration specified')
  checkKind(given, ['eventratelimit.admission.k8s.io/v1alpha1'], 'Configuration')
  checkMembers(given, ['apiVersion', 'kind', 'limits'], '')
  const limits = Array.isArray(given.limits) ? given.limits.filter(isJsonObject) : []
  if (limits.length === 0)
    throw new AdmissionConfigurationError('limits: Invalid value: []: must not be empty')
  return limits.map((limit, i) => limitOf(limit, `limits[${i}]`))
}

function limitOf(given: JsonObject, path: string): Limit {
  checkMembers(given, ['type', 'qps', 'burst', 'cacheSize'], path)
  const { type = '', qps = 0, burst = 0, cacheSize = 0 } = given
  const reject = (member: string, shown: string, why: string): never => {
    throw new AdmissionConfigurationError(`${path}.${member}: ${shown}: ${why}`)
  }
  const types = Object.keys(KEYS).sort().map(goQuote).join(', ')
  if (entryOf(KEYS, String(type)) === undefined)
    reject('type', `Unsupported value: ${goQuote(String(type))}`, `supported values: ${types}`)
  for (const [member, value] of Object.entries({ burst, qps }))
    if (typeof value !== 'number' || value <= 0)
      reject(member, `Invalid value: ${value}`, 'must be positive')
  if (typeof cacheSize !== 'number' || cacheSize < 0)
    reject('cacheSize', `Invalid value: ${cacheSize}`, 'must not be negative')
  return {
    type: String(type),
    qps: Number(qps),
    burst: Number(burst),
    cacheSize: Number(cacheSize) || DEFAULT_CACHE,
  }
}
