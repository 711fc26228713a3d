/**
 * The rules and alerts of kubernetes-mixin (`rules/kube_apiserver-*`, `alerts/kube_apiserver`) find
 * the series that they select after some traffic.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import type { ApiRequest } from '../../src/engine/http/messages'
import { readExposition, type Sample } from '../support/exposition'
import { sendRequest, testServer } from '../support/server'
import { metricsAfter, TRAFFIC } from '../support/traffic'

const READ = { verb: /LIST|GET/ }
const WRITE = { verb: /POST|PUT|PATCH|DELETE/ }
const NOT_STREAMING = { subresource: /(?!(?:proxy|attach|log|exec|portforward)$).*/ }
const FAILED = { code: /5../ }
const SERVICE_LEVEL = 'apiserver_request_sli_duration_seconds'

/** A rule and a selector of its expression. Patterns match whole values. */
type Rule = readonly [rule: string, series: string, labels: Record<string, RegExp>]

const BURN_RATES: readonly Rule[] = [
  ['apiserver_request:burnrate (read)', `${SERVICE_LEVEL}_count`, { ...READ, ...NOT_STREAMING }],
  [
    'apiserver_request:burnrate (read)',
    `${SERVICE_LEVEL}_bucket`,
    { ...READ, ...NOT_STREAMING, scope: /resource|/, le: /1/ },
  ],
  [
    'apiserver_request:burnrate (read)',
    `${SERVICE_LEVEL}_bucket`,
    { ...READ, ...NOT_STREAMING, scope: /namespace/, le: /5/ },
  ],
  [
    'apiserver_request:burnrate (read)',
    `${SERVICE_LEVEL}_bucket`,
    { ...READ, ...NOT_STREAMING, scope: /cluster/, le: /30/ },
  ],
  ['apiserver_request:burnrate (read)', 'apiserver_request_total', { ...READ, ...FAILED }],
  ['apiserver_request:burnrate (read)', 'apiserver_request_total', READ],
  ['apiserver_request:burnrate (write)', `${SERVICE_LEVEL}_count`, { ...WRITE, ...NOT_STREAMING }],
  [
    'apiserver_request:burnrate (write)',
    `${SERVICE_LEVEL}_bucket`,
    { ...WRITE, ...NOT_STREAMING, le: /1/ },
  ],
  ['apiserver_request:burnrate (write)', 'apiserver_request_total', { ...WRITE, ...FAILED }],
  ['apiserver_request:burnrate (write)', 'apiserver_request_total', WRITE],
]

const AVAILABILITY: readonly Rule[] = [
  ...[/2../, /4../, /5../].map(
    (code): Rule => [
      'code_verb:apiserver_request_total:increase1h',
      'apiserver_request_total',
      { verb: /LIST|GET|POST|PUT|PATCH|DELETE/, code },
    ],
  ),
  [
    'cluster_verb_scope_le:apiserver_request_sli_duration_seconds_bucket:increase1h',
    `${SERVICE_LEVEL}_bucket`,
    {},
  ],
  [
    'cluster_verb_scope:apiserver_request_sli_duration_seconds_count:increase1h',
    `${SERVICE_LEVEL}_bucket`,
    { le: /\+Inf/ },
  ],
  ...[READ, WRITE].map(
    (verbs): Rule => [
      'code_resource:apiserver_request_total:rate5m',
      'apiserver_request_total',
      verbs,
    ],
  ),
]

const QUANTILES: readonly Rule[] = [READ, WRITE].map((verbs) => [
  'cluster_quantile:apiserver_request_sli_duration_seconds:histogram_quantile',
  `${SERVICE_LEVEL}_bucket`,
  { ...verbs, ...NOT_STREAMING, resource: /.+/ },
])

const ALERTS: readonly Rule[] = [
  ['KubeClientCertificateExpiration', 'apiserver_client_certificate_expiration_seconds_count', {}],
  [
    'KubeClientCertificateExpiration',
    'apiserver_client_certificate_expiration_seconds_bucket',
    { le: /604800/ },
  ],
  ['KubeAggregatedAPIErrors', 'aggregator_unavailable_apiservice_total', { name: /.+/ }],
  ['KubeAggregatedAPIDown', 'aggregator_unavailable_apiservice', { name: /.+/ }],
  ['KubeAPITerminatedRequests', 'apiserver_request_terminations_total', {}],
]

const APISERVICE = {
  metadata: { name: 'v1.absent.example.com' },
  spec: {
    group: 'absent.example.com',
    version: 'v1',
    groupPriorityMinimum: 100,
    versionPriority: 10,
    insecureSkipTLSVerify: true,
    service: { namespace: 'default', name: 'absent' },
  },
}

const WEEK = 7 * 24 * 3600

let samples: readonly Sample[]

beforeAll(async () => {
  let now = 0
  const server = testServer({ clientCertificates: true, stopwatch: () => now++ })
  const certified: ApiRequest = {
    method: 'GET',
    target: '/version',
    header: () => undefined,
    headerNames: () => [],
    body: async () => new Uint8Array(),
    clientCertificate: () => ({
      commonName: 'jane',
      organizations: [],
      authorities: ['clients'],
      notAfter: (WEEK - 1) * 1000,
    }),
  }
  await server.handle(certified)
  await sendRequest(server, {
    method: 'POST',
    path: '/apis/apiregistration.k8s.io/v1/apiservices',
    body: APISERVICE,
  })
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
  for (const method of ['GET', 'POST'])
    await sendRequest(server, { method, path: '/apis/absent.example.com/v1/things' })
  samples = readExposition(await metricsAfter(server, TRAFFIC)).flatMap((family) => family.samples)
})

const selected = (series: string, labels: Record<string, RegExp>): readonly Sample[] =>
  samples.filter(
    (sample) =>
      sample.name === series &&
      Object.entries(labels).every(([name, pattern]) =>
        new RegExp(`^(?:${pattern.source})$`).test(sample.labels[name] ?? ''),
      ),
  )

describe.each([
  ['burn rates', BURN_RATES],
  ['availability', AVAILABILITY],
  ['quantiles', QUANTILES],
  ['alerts', ALERTS],
])('%s', (_, rules) => {
  it.each(rules)('%s finds %s%o', (_rule, series, labels) => {
    const found = selected(series, labels)
    expect(found.length).toBeGreaterThan(0)
    expect(found.some(({ value }) => value > 0)).toBe(true)
  })
})

it('counts slow requests at each latency bound of the SLOs', () => {
  const limits = ['1', '5', '30'].map(
    (le) => selected(`${SERVICE_LEVEL}_bucket`, { le: new RegExp(le) }).length,
  )
  expect(new Set(limits).size).toBe(1)
  expect(limits[0]).toBe(selected(`${SERVICE_LEVEL}_count`, {}).length)
})
