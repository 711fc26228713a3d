/**
 * See kubernetes.io, "Kubernetes API health endpoints". Lines recorded from kube-apiserver 1.31.
 */

import { entryOf } from '../core/object'
import type { Engine } from '../registry/engine'
import type { ChangeName, Changes } from '../release-tables/changes'
import { goQuote } from '../schema/go-text'
import type { ApiResponse } from './messages'
import type { RequestInfo } from './request-info'
import { NO_SNIFFING, plainText } from './respond'

const START_HOOKS = [
  'poststarthook/start-apiserver-admission-initializer',
  'poststarthook/generic-apiserver-start-informers',
  'poststarthook/priority-and-fairness-config-consumer',
  'poststarthook/priority-and-fairness-filter',
  'poststarthook/storage-object-count-tracker-hook',
  'poststarthook/start-apiextensions-informers',
  'poststarthook/start-apiextensions-controllers',
  'poststarthook/crd-informer-synced',
  'poststarthook/start-system-namespaces-controller',
  'poststarthook/start-cluster-authentication-info-controller',
  'poststarthook/start-kube-apiserver-identity-lease-controller',
  'poststarthook/start-kube-apiserver-identity-lease-garbage-collector',
  'poststarthook/storage-readiness',
  'poststarthook/start-legacy-token-tracking-controller',
  'poststarthook/start-service-ip-repair-controllers',
  'poststarthook/rbac/bootstrap-roles',
  'poststarthook/scheduling/bootstrap-system-priority-classes',
  'poststarthook/priority-and-fairness-config-producer',
  'poststarthook/bootstrap-controller',
  'poststarthook/start-kube-aggregator-informers',
  'poststarthook/apiservice-status-local-available-controller',
  'poststarthook/apiservice-status-remote-available-controller',
  'poststarthook/apiservice-registration-controller',
  'poststarthook/apiservice-discovery-controller',
  'poststarthook/kube-apiserver-autoregistration',
  'autoregister-completion',
  'poststarthook/apiservice-openapi-controller',
  'poststarthook/apiservice-openapiv3-controller',
]

/** Each after an existing one. */
const LATER_HOOKS: readonly { change: ChangeName; hook: string; behind: string }[] = [
  {
    change: 'ServiceCidrHook',
    hook: 'poststarthook/start-kubernetes-service-cidr-controller',
    behind: 'poststarthook/bootstrap-controller',
  },
  {
    change: 'PeerAndStorageHooks',
    hook: 'poststarthook/peer-endpoint-reconciler-controller',
    behind: 'poststarthook/start-system-namespaces-controller',
  },
]

const GATED_HOOKS: Readonly<Record<string, string>> = {
  'poststarthook/start-kube-apiserver-identity-lease-controller': 'APIServerIdentity',
  'poststarthook/start-kube-apiserver-identity-lease-garbage-collector': 'APIServerIdentity',
  'poststarthook/storage-readiness': 'WatchCacheInitializationPostStartHook',
}

function hooksOf(changes: Changes, gates: Engine['featureGates']): string[] {
  const hooks = START_HOOKS.flatMap((name) => {
    const later = LATER_HOOKS.filter(({ change, behind }) => behind === name && changes.has(change))
    return [name, ...later.map(({ hook }) => hook)]
  })
  return hooks.filter((hook) => {
    const gate = entryOf(GATED_HOOKS, hook)
    return gate === undefined || entryOf(gates, gate) === true
  })
}

function checksOf({ tables: { changes }, featureGates }: Engine): Record<string, string[]> {
  const hooks = hooksOf(changes, featureGates)
  const alive = changes.has('PeerAndStorageHooks')
    ? ['ping', 'log', 'loopback-serving-certificate', 'etcd', ...hooks]
    : ['ping', 'log', 'etcd', ...hooks]
  return {
    healthz: alive,
    livez: alive,
    readyz: ['ping', 'log', 'etcd', 'etcd-readiness', 'informer-sync', ...hooks, 'shutdown'],
  }
}

export function healthPaths(engine: Engine): string[] {
  return Object.entries(checksOf(engine)).flatMap(([endpoint, checks]) => [
    `/${endpoint}`,
    ...checks.map((check) => `/${endpoint}/${check}`),
  ])
}

export function healthResponse(engine: Engine, info: RequestInfo): ApiResponse | undefined {
  const [, endpoint = '', ...rest] = info.path.split('/')
  const checks = entryOf(checksOf(engine), endpoint)
  if (checks === undefined) return undefined
  const one = rest.join('/')
  if (rest.length > 0) return checks.includes(one) ? single(failing(engine, one)) : undefined
  return report(engine, endpoint, checks, info)
}

/** See kubernetes.io, "Kubernetes Component SLI Metrics". */
export const healthMetrics = (engine: Engine): string => engine.state.health.text()

function failing(engine: Engine, check: string): string | undefined {
  return engine.health?.(check)
}

function report(
  engine: Engine,
  endpoint: string,
  checks: string[],
  info: RequestInfo,
): ApiResponse {
  const excluded = new Set(info.query.all('exclude'))
  const lines: string[] = []
  let failed = false
  for (const check of checks) {
    if (excluded.delete(check)) {
      lines.push(`[+]${check} excluded: ok`)
      continue
    }
    const why = failing(engine, check)
    engine.state.health.note(endpoint, check, why === undefined)
    failed ||= why !== undefined
    lines.push(why === undefined ? `[+]${check} ok` : `[-]${check} failed: reason withheld`)
  }
  if (excluded.size > 0)
    lines.push(
      `warn: some health checks cannot be excluded: no matches for ${[...excluded].sort().map(goQuote).join(',')}`,
    )
  if (failed) return outcome(500, `${lines.join('\n')}\n${endpoint} check failed\n`)
  return outcome(
    200,
    info.query.has('verbose') ? `${lines.join('\n')}\n${endpoint} check passed\n` : 'ok',
  )
}

const single = (why: string | undefined): ApiResponse =>
  why === undefined ? plainText(200, 'ok') : plainText(500, `internal server error: ${why}\n`)

function outcome(status: number, text: string): ApiResponse {
  const response = plainText(status, text)
  Object.assign(response.headers, NO_SNIFFING)
  return response
}
