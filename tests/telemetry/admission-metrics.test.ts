/** Metrics and audit annotations of webhooks, policies and validation rules. */
import { expect, it } from 'vitest'
import type { JsonObject } from '../../src/engine/core/object'
import { type Outbound, OutboundError } from '../../src/engine/core/outbound'
import type { ApiServerOptions } from '../../src/engine/server/server-options'
import type { AuditEvent } from '../../src/engine/telemetry/audit/event'
import { parseAuditPolicy } from '../../src/engine/telemetry/audit/policy'
import { type RequestOptions, sendRequest, testServer } from '../support/server'

const PATCH = [{ op: 'add', path: '/metadata/labels', value: { a: 'b' } }]

const outbound: Outbound = {
  async post({ url, body }) {
    const { kind, apiVersion, request } = JSON.parse(body) as JsonObject & {
      request: { uid: string }
    }
    const { pathname } = new URL(url)
    const responses: Record<string, JsonObject> = {
      '/label': { allowed: true, patchType: 'JSONPatch', patch: btoa(JSON.stringify(PATCH)) },
      '/reject': { allowed: false, status: { code: 418, message: 'no' } },
      '/wrong': {
        allowed: true,
        patchType: 'JSONPatch',
        patch: btoa('[{"op":"remove","path":"/nowhere"}]'),
      },
    }
    const response = responses[pathname]
    if (response === undefined) throw new OutboundError('unknown')
    return {
      status: 200,
      contentType: 'application/json',
      body: JSON.stringify({ kind, apiVersion, response: { uid: request.uid, ...response } }),
    }
  },
}

const GROUP = '/apis/admissionregistration.k8s.io/v1'
const CONFIG_MAPS = [
  { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] },
]
const hook = (path: string, more: object = {}) => ({
  name: `${path}.example.com`,
  clientConfig: { url: `https://hooks.example.com/${path}` },
  rules: CONFIG_MAPS,
  admissionReviewVersions: ['v1'],
  sideEffects: 'None',
  ...more,
})

function served(options: Partial<ApiServerOptions> = {}) {
  let time = 0
  const server = testServer({ outbound, stopwatch: () => time++, ...options })
  const send = (requested: RequestOptions) => sendRequest(server, requested)
  const post = (path: string, body: object) => send({ method: 'POST', path, body })
  return {
    configure: (type: 'mutating' | 'validating', webhooks: object[]) =>
      post(`${GROUP}/${type}webhookconfigurations`, { metadata: { name: type }, webhooks }),
    create: (name: string) => post('/api/v1/namespaces/default/configmaps', { metadata: { name } }),
    metrics: async () => (await send({ path: '/metrics' })).text.split('\n'),
    post,
  }
}

it('counts calls, results and latency of each webhook', async () => {
  const { configure, create, metrics } = served()
  await configure('mutating', [hook('label'), hook('absent', { failurePolicy: 'Ignore' })])
  await configure('validating', [hook('reject')])
  expect((await create('a')).status).toBe(418)
  const lines = await metrics()
  const prefix = 'apiserver_admission_webhook'
  expect(lines).toContain(
    `${prefix}_request_total{code="200",name="label.example.com",operation="CREATE",rejected="false",type="admit"} 1`,
  )
  expect(lines).toContain(
    `${prefix}_request_total{code="503",name="absent.example.com",operation="CREATE",rejected="false",type="admit"} 1`,
  )
  expect(lines).toContain(`${prefix}_fail_open_count{name="absent.example.com",type="admit"} 1`)
  expect(lines).toContain(
    `${prefix}_rejection_count{error_type="no_error",name="reject.example.com",operation="CREATE",rejection_code="418",type="validating"} 1`,
  )
  expect(lines).toContain(
    `${prefix}_admission_duration_seconds_count{name="reject.example.com",operation="CREATE",rejected="true",type="validating"} 1`,
  )
})

it('distinguishes failed calls from invalid patches', async () => {
  const { configure, create, metrics } = served()
  await configure('mutating', [
    hook('wrong', {
      matchConditions: [{ name: 'a', expression: 'object.metadata.name == "wrong"' }],
    }),
    hook('absent'),
  ])
  await create('absent')
  await create('wrong')
  const lines = await metrics()
  const prefix = 'apiserver_admission_webhook_rejection_count'
  expect(lines).toContain(
    `${prefix}{error_type="calling_webhook_error",name="absent.example.com",operation="CREATE",rejection_code="503",type="admit"} 1`,
  )
  expect(lines).toContain(
    `${prefix}{error_type="apiserver_internal_error",name="wrong.example.com",operation="CREATE",rejection_code="0",type="admit"} 1`,
  )
  expect(lines).toContain(
    'apiserver_admission_match_condition_exclusions_total{kind="webhook",name="wrong.example.com",operation="CREATE",type="admit"} 1',
  )
})

it('counts the result of each validation of a policy', async () => {
  const { post, create, metrics } = served()
  const validations = [
    { expression: 'object.metadata.name != "a"' },
    { expression: 'true' },
    { expression: 'object.nothing == 1' },
  ]
  await post(`${GROUP}/validatingadmissionpolicies`, {
    metadata: { name: 'p' },
    spec: { matchConstraints: { resourceRules: CONFIG_MAPS }, validations },
  })
  await post(`${GROUP}/validatingadmissionpolicybindings`, {
    metadata: { name: 'b' },
    spec: { policyName: 'p', validationActions: ['Warn', 'Audit'] },
  })
  await create('a')
  const lines = await metrics()
  const count = (action: string, error: string) =>
    `apiserver_validating_admission_policy_check_total{enforcement_action="${action}",error_type="${error}",policy="p",policy_binding="b"} 1`
  for (const action of ['warn', 'audit'])
    for (const error of ['no_error', 'invalid_error']) expect(lines).toContain(count(action, error))
  expect(lines).toContain(count('allow', 'no_error'))
  expect(lines).toContain(
    'apiserver_validating_admission_policy_check_duration_seconds_count{enforcement_action="allow",error_type="no_error",policy="p",policy_binding="b"} 1',
  )
})

it('measures validation rules of custom resources', async () => {
  const { post, metrics } = served()
  const spec = {
    type: 'object',
    properties: { n: { type: 'integer' } },
    'x-kubernetes-validations': [{ rule: 'self.n > 0' }],
  }
  await post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: { name: 'things.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Cluster',
      names: { plural: 'things', kind: 'Thing' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
        },
      ],
    },
  })
  await new Promise((resolve) => setImmediate(resolve))
  for (const name of ['a', 'b'])
    await post('/apis/example.com/v1/things', {
      apiVersion: 'example.com/v1',
      kind: 'Thing',
      metadata: { name },
      spec: { n: 1 },
    })
  const lines = await metrics()
  expect(lines).toContain('apiserver_cel_evaluation_duration_seconds_count 2')
  expect(
    lines.some((line) => /^apiserver_cel_compilation_duration_seconds_count [1-9]/.test(line)),
  ).toBe(true)
})

it('includes patches only at audit levels with bodies', async () => {
  const shown: Record<string, (string | undefined)[]> = {}
  for (const level of ['Metadata', 'Request']) {
    const policy = parseAuditPolicy(
      JSON.stringify({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules: [{ level }] }),
    )
    const events: AuditEvent[] = []
    const { configure, create } = served({
      audit: { policy, sink: (event) => void events.push(event) },
    })
    await configure('mutating', [hook('label'), hook('reject')])
    await create('a')
    const { annotations = {} } = events.at(-1) as AuditEvent & {
      annotations?: Record<string, string>
    }
    shown[level] = ['patch', 'mutation'].flatMap((what) =>
      [0, 1].map((index) => annotations[`${what}.webhook.admission.k8s.io/round_0_index_${index}`]),
    )
  }
  const output = (more: object) => JSON.stringify({ configuration: 'mutating', ...more })
  const mutations = [
    output({ webhook: 'label.example.com', mutated: true }),
    output({ webhook: 'reject.example.com', mutated: false }),
  ]
  expect(shown).toEqual({
    Metadata: [undefined, undefined, ...mutations],
    Request: [
      output({ webhook: 'label.example.com', patch: PATCH, patchType: 'JSONPatch' }),
      undefined,
      ...mutations,
    ],
  })
})

it('counts Pod Security evaluations and exemptions', async () => {
  const file = `
apiVersion: apiserver.config.k8s.io/v1
kind: AdmissionConfiguration
plugins:
- name: PodSecurity
  configuration:
    apiVersion: pod-security.admission.config.k8s.io/v1
    kind: PodSecurityConfiguration
    exemptions: {namespaces: [kube-free], runtimeClasses: [sandbox]}
`
  const { post, metrics } = served({
    admissionControlConfigFile: '/a',
    files: { read: () => file },
  })
  const counted = async () => (await metrics()).filter((line) => line.startsWith('pod_security_'))
  const nothing = (name: string, labels: string) => `pod_security_${name}_total{${labels}} 0`
  const usual = 'decision="allow",mode="enforce",policy_level="privileged",policy_version="latest"'
  const request = (operation: string, resource: string) =>
    `request_operation="${operation}",resource="${resource}",subresource=""`
  expect(await counted()).toEqual([
    ...['create', 'update'].map((operation) =>
      nothing('evaluations', `${usual},${request(operation, 'pod')}`),
    ),
    ...['create', 'update'].flatMap((operation) =>
      ['controller', 'pod'].map((resource) => nothing('exemptions', request(operation, resource))),
    ),
  ])
  const namespace = async (name: string, modes: Record<string, string>) => {
    const labels = Object.fromEntries(
      Object.entries(modes).map(([mode, value]) => [`pod-security.kubernetes.io/${mode}`, value]),
    )
    await post('/api/v1/namespaces', { metadata: { name, labels } })
    await post(`/api/v1/namespaces/${name}/serviceaccounts`, { metadata: { name: 'default' } })
  }
  const spec = { containers: [{ name: 'c', image: 'i', securityContext: { privileged: true } }] }
  await namespace('kube-free', {})
  await namespace('shop', {
    enforce: 'baseline',
    'enforce-version': 'v1.30',
    audit: 'restricted',
    'audit-version': 'v1.99',
  })
  await namespace('open', {})
  const template = { metadata: { name: 't' }, template: { metadata: { labels: { a: 'b' } }, spec } }
  for (const name of ['kube-free', 'shop', 'open']) {
    await post(`/api/v1/namespaces/${name}/pods`, { metadata: { name: 'p' }, spec })
    await post(`/api/v1/namespaces/${name}/podtemplates`, template)
  }
  const pod = request('create', 'pod')
  const controller = request('create', 'controller')
  expect((await counted()).filter((line) => !line.endsWith(' 0'))).toEqual([
    `pod_security_evaluations_total{${usual},${pod}} 1`,
    `pod_security_evaluations_total{decision="deny",mode="audit",policy_level="restricted",policy_version="future",${controller}} 1`,
    `pod_security_evaluations_total{decision="deny",mode="audit",policy_level="restricted",policy_version="future",${pod}} 1`,
    `pod_security_evaluations_total{decision="deny",mode="enforce",policy_level="baseline",policy_version="v1.30",${pod}} 1`,
    `pod_security_evaluations_total{decision="deny",mode="warn",policy_level="baseline",policy_version="v1.30",${controller}} 1`,
    `pod_security_exemptions_total{${controller}} 1`,
    `pod_security_exemptions_total{${pod}} 1`,
  ])
})
