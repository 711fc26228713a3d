/**
 * Builds an authorizer from options as a server does, with files, a clock and a webhook of the
 * test.
 */
import {
  type BuiltAuthorizer,
  buildAuthorizer,
} from '../../src/engine/authorization/configuration/build'
import type { AuthorizationOptions } from '../../src/engine/authorization/configuration/options'
import { RoleIndex } from '../../src/engine/authorization/rbac/role-index'
import { ConditionCompiler } from '../../src/engine/authorization/webhook/match-conditions'
import { FileError, SimulatedClock, seededRandom } from '../../src/engine/core/environment'
import type { OutboundRequest, OutboundResponse } from '../../src/engine/core/outbound'
import type { Storage } from '../../src/engine/storage/storage'
import { AuthorizationInstruments } from '../../src/engine/telemetry/authorization-metrics'
import { MetricRegistry } from '../../src/engine/telemetry/registry'
import { roleBook } from './roles'

type TestResponse = { allowed?: boolean; denied?: boolean; reason?: string }

export interface Built extends BuiltAuthorizer {
  clock: SimulatedClock
  metrics(): string
  /** What was reported. */
  reported: string[]
}

export interface Surroundings {
  storage?: Storage
  /** By path. Tests may change the files later. */
  files?: Record<string, string>
  /** Handles every request. If it throws, the call fails. */
  webhook?: (request: OutboundRequest) => OutboundResponse | Promise<OutboundResponse>
  selectors?: boolean
}

export const KUBECONFIG = `apiVersion: v1
kind: Config
clusters: [{name: hook, cluster: {server: "http://hook/authorize"}}]
users: [{name: me, user: {token: secret}}]
contexts: [{name: c, context: {cluster: hook, user: me}}]
current-context: c
`

/** @throws AuthorizationOptionError, FileError */
export function built(
  options: AuthorizationOptions,
  { storage = roleBook().storage, files = {}, webhook, selectors = false }: Surroundings = {},
): Built {
  const clock = new SimulatedClock()
  const registry = new MetricRegistry()
  const metrics = new AuthorizationInstruments(registry)
  const reported: string[] = []
  const authorizer = buildAuthorizer(options, {
    storage,
    roles: new RoleIndex(storage),
    clock,
    random: seededRandom(1),
    log: {
      error: (message, cause) =>
        reported.push(`${message}: ${cause instanceof Error ? cause.message : String(cause)}`),
    },
    files: {
      read(path) {
        const text = files[path]
        if (text === undefined) throw new FileError(path, 'no such file or directory')
        return text
      },
    },
    outbound: webhook && { post: async (request) => webhook(request) },
    metrics,
    nodeFeatures: { selectors },
    conditions: new ConditionCompiler(selectors),
  })
  return {
    ...authorizer,
    clock,
    reported,
    metrics() {
      const lines = registry.text({ release: '1.31', showsHidden: false }).split('\n')
      return lines.filter((line) => line.startsWith('apiserver_authorization_')).join('\n')
    },
  }
}

/** The response of a webhook to a review. */
export function review(status: TestResponse, version = 'v1'): OutboundResponse {
  const body = {
    apiVersion: `authorization.k8s.io/${version}`,
    kind: 'SubjectAccessReview',
    status: { allowed: false, ...status },
  }
  return { status: 200, contentType: 'application/json', body: JSON.stringify(body) }
}
