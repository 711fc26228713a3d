/**
 * An exception in the host's code for outbound requests is a failure of that call: the caller's
 * failure policy decides, and the log names the cause.
 */
import { describe, expect, it } from 'vitest'
import { SimulatedClock } from '../../src/engine/core/environment'
import { type Outbound, OutboundError, type PassedResponse } from '../../src/engine/core/outbound'
import type { ApiServerOptions } from '../../src/engine/server/server-options'
import { quickSignatures } from '../authentication/tokens-server'
import { testCluster } from '../support/cluster'
import { readExposition } from '../support/exposition'
import { configMap, type RequestOptions, sendRequest, testServer } from '../support/server'

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'
const REGISTRATIONS = '/apis/admissionregistration.k8s.io/v1'
const BROKEN = new TypeError('the connection is out of order')
const KUBECONFIG = `apiVersion: v1
kind: Config
clusters: [{name: hook, cluster: {server: "http://hook/review"}}]
contexts: [{name: c, context: {cluster: hook, user: ""}}]
current-context: c
`

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5))
const throws = () => {
  throw BROKEN
}
const THROWING: [string, Outbound['post']][] = [
  ['throws', throws],
  ['rejects', () => Promise.reject(BROKEN)],
]

function failing(options: Partial<ApiServerOptions> & { outbound: Outbound }) {
  const reports: string[] = []
  const server = testServer({
    log: { error: (message, cause) => reports.push(`${message}: ${cause}`) },
    ...options,
  })
  const send = (request: RequestOptions) => sendRequest(server, request)
  return {
    reports,
    send,
    create: (path: string, body: object) => send({ method: 'POST', path, body }),
  }
}

const hook = (kind: string, failurePolicy: string, more: object = {}) => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind,
  metadata: { name: 'hook' },
  webhooks: [
    {
      name: 'hook.example.com',
      clientConfig: { url: 'https://hooks.example.com/' },
      rules: [
        { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] },
      ],
      failurePolicy,
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      ...more,
    },
  ],
})

describe.each(['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration'])(
  'a %s',
  (kind) => {
    const plural = `${kind.toLowerCase()}s`

    describe.each(THROWING)('whose call %s', (_how, post) => {
      it('rejects the request with failurePolicy Fail', async () => {
        const { reports, create } = failing({ outbound: { post } })
        await create(`${REGISTRATIONS}/${plural}`, hook(kind, 'Fail'))
        const { status, json } = await create(CONFIG_MAPS, configMap('a'))
        expect([status, json.message]).toEqual([
          500,
          'Internal error occurred: failed calling webhook "hook.example.com": failed to call webhook: ' +
            'Post "https://hooks.example.com/?timeout=10s": the connection is out of order',
        ])
        expect(reports).toEqual([
          'POST hooks.example.com failed inside the host: TypeError: the connection is out of order',
        ])
      })

      it('admits the request with failurePolicy Ignore, and counts that', async () => {
        const { reports, create, send } = failing({ outbound: { post } })
        await create(`${REGISTRATIONS}/${plural}`, hook(kind, 'Ignore'))
        expect((await create(CONFIG_MAPS, configMap('a'))).status).toBe(201)
        expect(reports).toHaveLength(1)
        const families = readExposition((await send({ path: '/metrics' })).text)
        const valuesOf = (family: string) =>
          families.find(({ name }) => name === family)?.samples.map(({ value }) => value)
        expect(valuesOf('apiserver_admission_webhook_fail_open_count')).toEqual([1])
        expect(valuesOf('rest_client_requests_total')).toEqual([1])
      })
    })
  },
)

it('a webhook whose cancellation throws is late like any other', async () => {
  const clock = new SimulatedClock()
  const post: Outbound['post'] = (_, onCancel) => {
    onCancel(throws)
    return new Promise(() => undefined)
  }
  const { reports, create } = failing({ clock, outbound: { post } })
  const configuration = hook('ValidatingWebhookConfiguration', 'Fail', { timeoutSeconds: 1 })
  await create(`${REGISTRATIONS}/validatingwebhookconfigurations`, configuration)
  const late = create(CONFIG_MAPS, configMap('a'))
  await new Promise((resolve) => setImmediate(resolve))
  clock.advance(1000)
  expect((await late).json.message).toMatch(/failed to call webhook: .* context deadline exceeded$/)
  expect(reports).toHaveLength(1)
})

it('a conversion whose call throws fails with the text of a failed call', async () => {
  const { reports, create, send } = failing({ outbound: { post: throws } })
  const version = (name: string) => ({
    name,
    served: true,
    storage: name === 'v1',
    schema: { openAPIV3Schema: { type: 'object' } },
  })
  await create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [version('v1'), version('v2')],
      conversion: {
        strategy: 'Webhook',
        webhook: {
          clientConfig: { url: 'https://hooks.example.com/convert' },
          conversionReviewVersions: ['v1'],
        },
      },
    },
  })
  await settled()
  const widgets = (served: string) => `/apis/example.com/${served}/namespaces/default/widgets`
  await create(widgets('v1'), {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name: 'a' },
  })
  const { status, json } = await send({ path: `${widgets('v2')}/a` })
  expect([status, json.message]).toEqual([
    500,
    'conversion webhook for example.com/v1, Kind=Widget failed: ' +
      'Post "https://hooks.example.com/convert?timeout=30s": the connection is out of order',
  ])
  expect((await send({ path: `${widgets('v1')}/a` })).status).toBe(200)
  expect(new Set(reports)).toEqual(
    new Set([
      'POST hooks.example.com failed inside the host: TypeError: the connection is out of order',
    ]),
  )
})

it('a token webhook whose call throws authenticates no user', async () => {
  const { reports, send } = failing({
    outbound: { post: throws },
    files: { read: () => KUBECONFIG },
    tokenWebhook: { configFile: '/hook', version: 'v1', cacheTTL: 0 },
  })
  expect((await send({ path: CONFIG_MAPS, token: 'unknown' })).status).toBe(401)
  expect((await send({ path: CONFIG_MAPS })).status).toBe(200)
  expect(reports[0]).toBe(
    'POST hook failed inside the host: TypeError: the connection is out of order',
  )
})

it('an authorization webhook whose call throws is a failed call', async () => {
  const { reports, send } = failing({
    outbound: { post: throws },
    files: { read: () => KUBECONFIG },
    authorization: { modes: ['RBAC', 'Webhook'], webhookConfigFile: '/hook', webhookVersion: 'v1' },
  })
  const { status, text } = await send({ path: CONFIG_MAPS, token: 'alice' })
  expect([status, text]).toEqual([
    500,
    expect.stringContaining('review?timeout=30s": the connection is out of order'),
  ])
  expect(reports).toEqual([
    'POST hook failed inside the host: TypeError: the connection is out of order',
  ])
})

it('an identity provider whose call throws authenticates no user', async () => {
  const { reports, send } = failing({
    outbound: { post: throws, get: throws },
    signatures: quickSignatures,
    oidc: {
      issuerUrl: 'https://id.example.com',
      clientId: 'kubetab',
      caFile: '',
      usernameClaim: 'sub',
      usernamePrefix: '',
      groupsClaim: '',
      groupsPrefix: '',
      signingAlgorithms: ['RS256'],
      requiredClaims: {},
    },
  })
  const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  const token = [
    encoded({ alg: 'RS256' }),
    encoded({ iss: 'https://id.example.com', aud: 'kubetab', sub: 'a', exp: 4e9 }),
    'AAAA',
  ].join('.')
  expect((await send({ path: CONFIG_MAPS, token })).status).toBe(401)
  expect(reports).toEqual([
    'GET id.example.com failed inside the host: TypeError: the connection is out of order',
  ])
})

describe('an aggregated server', () => {
  const SERVICES = '/apis/apiregistration.k8s.io/v1/apiservices'
  const READINGS = '/apis/metrics.example.com/v1/readings'
  const DISCOVERY = JSON.stringify({
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: 'metrics.example.com/v1',
    resources: [
      {
        name: 'readings',
        singularName: 'reading',
        namespaced: false,
        kind: 'Reading',
        verbs: ['list'],
      },
    ],
  })
  const response = (start: PassedResponse['body']['start']): PassedResponse => ({
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: { start },
  })

  async function aggregated(outbound: Outbound) {
    const reports: string[] = []
    const cluster = await testCluster({
      outbound,
      controllers: [],
      log: { error: (message, cause) => reports.push(`${message}: ${cause}`) },
    })
    await cluster.sendRequest({
      method: 'POST',
      path: '/api/v1/namespaces/default/services',
      body: {
        metadata: { name: 'readings' },
        spec: { type: 'ExternalName', externalName: 'readings.example.com' },
      },
    })
    await cluster.sendRequest({
      method: 'POST',
      path: SERVICES,
      body: {
        metadata: { name: 'v1.metrics.example.com' },
        spec: {
          group: 'metrics.example.com',
          version: 'v1',
          groupPriorityMinimum: 100,
          versionPriority: 10,
          insecureSkipTLSVerify: true,
          service: { namespace: 'default', name: 'readings' },
        },
      },
    })
    return { cluster, reports }
  }

  it('to which each call throws is unavailable', async () => {
    const { cluster, reports } = await aggregated({ post: throws, pass: throws })
    const { json } = await cluster.sendRequest({ path: `${SERVICES}/v1.metrics.example.com` })
    expect(json.status.conditions[0]).toMatchObject({
      status: 'False',
      reason: 'FailedDiscoveryCheck',
      message: expect.stringContaining('the connection is out of order'),
    })
    expect((await cluster.sendRequest({ path: READINGS })).status).toBe(503)
    expect(reports.every((report) => report.includes('failed inside the host'))).toBe(true)
    await cluster.close()
  })

  it.each<[string, () => Promise<PassedResponse>, string]>([
    ['throws', throws, 'error trying to reach service: the connection is out of order\n'],
    [
      'has a body that throws',
      async () => response(throws),
      'error trying to reach service: unexpected EOF\n',
    ],
  ])('to which a proxied call %s responds 503', async (_how, readings, text) => {
    const { cluster, reports } = await aggregated({
      post: throws,
      async pass({ url }) {
        if (new URL(url).pathname === READINGS) return readings()
        return response((sink) => {
          sink.write(DISCOVERY)
          sink.end()
          return () => undefined
        })
      },
    })
    const proxied = await cluster.sendRequest({ path: READINGS })
    expect([proxied.status, proxied.text]).toEqual([503, text])
    expect(reports.at(-1)).toBe(
      'GET readings.example.com:443 failed inside the host: TypeError: the connection is out of order',
    )
    await cluster.close()
  })

  it('whose response is interrupted ends the response, and counts as an abort', async () => {
    const { cluster } = await aggregated({
      post: throws,
      pass: async ({ url }) =>
        response((sink) => {
          sink.write(DISCOVERY)
          if (url.includes('watch=true')) sink.abort()
          else sink.end()
          return () => undefined
        }),
    })
    await expect(cluster.sendRequest({ path: `${READINGS}?watch=true` })).rejects.toThrow()
    const { text } = await cluster.sendRequest({ path: '/metrics' })
    expect(text).toContain(
      'apiserver_request_aborts_total{group="metrics.example.com",resource="readings",scope="cluster",subresource="",verb="WATCH",version="v1"} 1\n',
    )
    await cluster.close()
  })

  it('to which an upgrade throws responds 503', async () => {
    const { cluster, reports } = await aggregated({
      post: throws,
      upgrade: throws,
      pass: async () =>
        response((sink) => {
          sink.write(DISCOVERY)
          sink.end()
          return () => undefined
        }),
    })
    const headers = { connection: 'Upgrade', upgrade: 'websocket' }
    const { status, text } = await cluster.sendRequest({ path: READINGS, headers })
    expect([status, text]).toEqual([503, 'error dialing backend: the connection is out of order\n'])
    expect(reports).toHaveLength(1)
    await cluster.close()
  })
})

it('counts servers whose certificates name no server', async () => {
  const failure = new OutboundError(
    'tls: failed to verify certificate: x509: certificate relies on legacy Common Name field, use SANs instead',
  )
  const { create, send } = failing({ outbound: { post: () => Promise.reject(failure) } })
  await create(
    `${REGISTRATIONS}/validatingwebhookconfigurations`,
    hook('ValidatingWebhookConfiguration', 'Fail'),
  )
  expect((await create(CONFIG_MAPS, configMap('a'))).status).toBe(500)
  const { text } = await send({ path: '/metrics' })
  expect(text).toContain('\napiserver_webhooks_x509_missing_san_total 1\n')
  expect(text).toContain('\napiserver_kube_aggregator_x509_missing_san_total 0\n')
})
