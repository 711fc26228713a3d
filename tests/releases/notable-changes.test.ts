/**
 * The notable changes of kubernetes.io, "Deprecated API Migration Guide", each checked on a server
 * that serves the older version and on one that does not. A test is named after its row and change.
 */
import { describe, expect, it } from 'vitest'
import type { JsonObject, KubeObject } from '../../src/engine/core/object'
import { type Release, rowsOfTable } from '../../src/engine/releases'
import { createMemoryStorage } from '../../src/engine/storage/memory'
import { sendRequest, type TestResponse, testServer } from '../support/server'
import { REQUEST, sampleOf } from './samples'

/** A server of one release and of another one on the same data. */
function moving(from: Release, to: Release) {
  const storage = createMemoryStorage()
  const [old, young] = [
    testServer({ release: from, storage }),
    testServer({ release: to, storage }),
  ]
  const write =
    (server: typeof old) =>
    (path: string, body: object, method = 'POST') =>
      sendRequest(server, { method, path, body })
  return {
    writeOld: write(old),
    writeNew: write(young),
    readOld: (path: string) => sendRequest(old, { path }),
    readNew: (path: string) => sendRequest(young, { path }),
  }
}

const sample = (apiVersion: string, kind: string, members: JsonObject = {}) => ({
  ...sampleOf(apiVersion, kind),
  ...members,
})
const causesOf = ({ json }: TestResponse): string[] =>
  (json.details?.causes as { field: string }[] | undefined)?.map(({ field }) => field) ?? []

/** The tested changes, so that none is missing. */
const reported: string[] = []
function change(row: string, name: string, test: () => Promise<void>): void {
  reported.push(`${row}: ${name}`)
  it(`${row}: ${name}`, test)
}

const FLOW = '/apis/flowcontrol.apiserver.k8s.io'
const level = (version: string, limited: JsonObject) => ({
  ...sampleOf(`flowcontrol.apiserver.k8s.io/${version}`, 'PriorityLevelConfiguration'),
  spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' }, ...limited } },
})

describe('flow control', () => {
  change('1.32 FlowSchema, PriorityLevelConfiguration', 'zero-shares', async () => {
    const { writeOld, readOld, writeNew, readNew } = moving('1.31', '1.32')
    const unsaid = await writeOld(
      `${FLOW}/v1beta3/prioritylevelconfigurations`,
      level('v1beta3', {}),
    )
    expect(unsaid.json.spec.limited.nominalConcurrencyShares).toBe(30)
    const zero = {
      ...level('v1beta3', { nominalConcurrencyShares: 0 }),
      apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
    }
    zero.metadata = { name: 'none' }
    expect(
      (await writeNew(`${FLOW}/v1/prioritylevelconfigurations`, zero)).json.spec.limited
        .nominalConcurrencyShares,
    ).toBe(0)
    const old = await readOld(`${FLOW}/v1beta3/prioritylevelconfigurations/none`)
    expect(old.json.metadata.annotations).toEqual({
      'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares': '',
    })
    await writeOld(`${FLOW}/v1beta3/prioritylevelconfigurations/none`, old.json, 'PUT')
    const young = await readNew(`${FLOW}/v1/prioritylevelconfigurations/none`)
    expect(young.json.spec.limited.nominalConcurrencyShares).toBe(0)
  })

  change('1.29 FlowSchema, PriorityLevelConfiguration', 'shares-renamed', async () => {
    const { writeOld, readNew } = moving('1.28', '1.29')
    await writeOld(
      `${FLOW}/v1beta2/prioritylevelconfigurations`,
      level('v1beta2', { assuredConcurrencyShares: 7 }),
    )
    for (const version of ['v1', 'v1beta3']) {
      const { json } = await readNew(`${FLOW}/${version}/prioritylevelconfigurations/it`)
      expect(json.spec.limited).toMatchObject({ nominalConcurrencyShares: 7 })
      expect(json.spec.limited).not.toHaveProperty('assuredConcurrencyShares')
    }
  })

  change('1.29 FlowSchema, PriorityLevelConfiguration', 'zero-shares', async () => {
    const { writeOld, readNew } = moving('1.28', '1.29')
    const made = await writeOld(`${FLOW}/v1beta2/prioritylevelconfigurations`, level('v1beta2', {}))
    expect(made.json.spec.limited.assuredConcurrencyShares).toBe(30)
    expect(
      (await readNew(`${FLOW}/v1/prioritylevelconfigurations/it`)).json.spec.limited
        .nominalConcurrencyShares,
    ).toBe(30)
  })
})

describe('autoscalers', () => {
  const path = (version: string) =>
    `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers`
  for (const [row, version] of [
    ['1.26 HorizontalPodAutoscaler', 'v2beta2'],
    ['1.25 HorizontalPodAutoscaler', 'v2beta1'],
  ] as const) {
    change(row, 'metric-targets', async () => {
      const { writeOld, readNew } = moving(version === 'v2beta2' ? '1.25' : '1.24', '1.26')
      await writeOld(path(version), sample(`autoscaling/${version}`, 'HorizontalPodAutoscaler'))
      const { json } = await readNew(`${path('v2')}/it`)
      expect(json.spec.metrics).toEqual([
        {
          type: 'Resource',
          resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 60 } },
        },
      ])
    })
  }

  it('v2beta1 lays every kind of metric flat, and carries the behavior in an annotation', async () => {
    const { writeOld, readOld } = moving('1.24', '1.25')
    const reference = { apiVersion: 'v1', kind: 'Service', name: 'web' }
    const metrics = [
      {
        type: 'Pods',
        pods: { metric: { name: 'hits' }, target: { type: 'AverageValue', averageValue: '5' } },
      },
      {
        type: 'Object',
        object: {
          describedObject: reference,
          metric: { name: 'hits' },
          target: { type: 'Value', value: '7' },
        },
      },
      {
        type: 'External',
        external: {
          metric: { name: 'queue' },
          target: { type: 'AverageValue', averageValue: '30' },
        },
      },
      {
        type: 'ContainerResource',
        containerResource: {
          name: 'cpu',
          container: 'c',
          target: { type: 'Utilization', averageUtilization: 4 },
        },
      },
    ]
    const spec = {
      maxReplicas: 3,
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      metrics,
    }
    const behavior = { scaleDown: { stabilizationWindowSeconds: 7 } }
    const body = {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'it' },
      spec: { ...spec, behavior },
    }
    const made = await writeOld(path('v2'), body)
    const { json } = await readOld(`${path('v2beta1')}/it`)
    expect(json.spec).not.toHaveProperty('behavior')
    expect(json.spec.metrics).toEqual([
      { type: 'Pods', pods: { metricName: 'hits', targetAverageValue: '5' } },
      {
        type: 'Object',
        object: {
          target: { kind: 'Service', name: 'web', apiVersion: 'v1' },
          metricName: 'hits',
          targetValue: '7',
        },
      },
      { type: 'External', external: { metricName: 'queue', targetAverageValue: '30' } },
      {
        type: 'ContainerResource',
        containerResource: { name: 'cpu', targetAverageUtilization: 4, container: 'c' },
      },
    ])
    await writeOld(`${path('v2beta1')}/it`, json, 'PUT')
    expect((await readOld(`${path('v2')}/it`)).json.spec).toEqual(made.json.spec)
  })
})

describe('endpoint slices', () => {
  const path = (version: string) =>
    `/apis/discovery.k8s.io/${version}/namespaces/default/endpointslices`
  change('1.25 EndpointSlice', 'node-and-zone', async () => {
    const { writeOld, readNew } = moving('1.24', '1.25')
    await writeOld(path('v1beta1'), sample('discovery.k8s.io/v1beta1', 'EndpointSlice'))
    const [endpoint] = (await readNew(`${path('v1')}/it`)).json.endpoints
    expect(endpoint).toMatchObject({
      nodeName: 'node-1',
      zone: 'a',
      deprecatedTopology: { rack: '7' },
    })
  })

  change('1.25 EndpointSlice', 'deprecated-topology', async () => {
    const { writeOld, writeNew, readNew } = moving('1.24', '1.25')
    await writeOld(path('v1beta1'), sample('discovery.k8s.io/v1beta1', 'EndpointSlice'))
    const { json } = await readNew(`${path('v1')}/it`)
    const kept = await writeNew(
      `${path('v1')}/it`,
      { ...json, metadata: { ...json.metadata, labels: { a: 'b' } } },
      'PUT',
    )
    expect(kept.json.endpoints[0].deprecatedTopology).toEqual({ rack: '7' })
    const more = {
      ...kept.json,
      endpoints: [
        ...kept.json.endpoints,
        { addresses: ['10.0.0.9'], deprecatedTopology: { rack: '8' } },
      ],
    }
    const lost = await writeNew(`${path('v1')}/it`, more, 'PUT')
    expect(lost.json.endpoints.map((endpoint: JsonObject) => endpoint.deprecatedTopology)).toEqual([
      undefined,
      undefined,
    ])
  })
})

describe('events', () => {
  const path = (version: string) => `/apis/events.k8s.io/${version}/namespaces/default/events`
  const event = (apiVersion: string, members: JsonObject = {}) => ({
    ...sampleOf('events.k8s.io/v1beta1', 'Event'),
    apiVersion,
    ...members,
  })
  change('1.25 Event', 'reporter-required', async () => {
    const { writeOld, writeNew } = moving('1.24', '1.25')
    expect((await writeOld(path('v1beta1'), event('events.k8s.io/v1beta1'))).status).toBe(201)
    const bare = event('events.k8s.io/v1', {
      metadata: { name: 'other' },
      eventTime: '2026-01-01T00:00:00.000000Z',
      deprecatedCount: 0,
    })
    const rejected = await writeNew(path('v1'), bare)
    expect(causesOf(rejected)).toEqual(
      expect.arrayContaining(['reportingController', 'reportingInstance', 'action']),
    )
  })
  change('1.25 Event', 'event-time', async () => {
    const { writeNew } = moving('1.24', '1.25')
    expect(causesOf(await writeNew(path('v1'), event('events.k8s.io/v1')))).toContain('eventTime')
  })
  change('1.25 Event', 'deprecated-members', async () => {
    const { writeOld, writeNew, readNew } = moving('1.24', '1.25')
    await writeOld(path('v1beta1'), event('events.k8s.io/v1beta1'))
    expect((await readNew(`${path('v1')}/it`)).json.deprecatedCount).toBe(3)
    expect(
      causesOf(
        await writeNew(path('v1'), event('events.k8s.io/v1', { metadata: { name: 'other' } })),
      ),
    ).toContain('count')
  })
})

describe('disruption budgets', () => {
  const path = (version: string) =>
    `/apis/policy/${version}/namespaces/default/poddisruptionbudgets`
  const budget = (apiVersion: string, name: string, spec: JsonObject) => ({
    apiVersion,
    kind: 'PodDisruptionBudget',
    metadata: { name },
    spec,
  })
  change('1.25 PodDisruptionBudget', 'empty-selector', async () => {
    const { writeOld, readOld, writeNew, readNew } = moving('1.24', '1.25')
    await writeOld(
      path('v1beta1'),
      budget('policy/v1beta1', 'none', { minAvailable: 1, selector: {} }),
    )
    await writeOld(path('v1beta1'), budget('policy/v1beta1', 'unset', { minAvailable: 1 }))
    await writeNew(path('v1'), budget('policy/v1', 'all', { minAvailable: 1, selector: {} }))
    const about = (operator: string) => ({
      matchExpressions: [
        { key: 'pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match', operator },
      ],
    })
    expect((await readNew(`${path('v1')}/none`)).json.spec.selector).toEqual(about('Exists'))
    expect((await readNew(`${path('v1')}/unset`)).json.spec).not.toHaveProperty('selector')
    expect((await readOld(`${path('v1beta1')}/none`)).json.spec.selector).toEqual({})
    expect((await readOld(`${path('v1beta1')}/all`)).json.spec.selector).toEqual(
      about('DoesNotExist'),
    )
  })
})

describe('webhooks', () => {
  const path = (version: string) =>
    `/apis/admissionregistration.k8s.io/${version}/validatingwebhookconfigurations`
  const row = '1.22 MutatingWebhookConfiguration, ValidatingWebhookConfiguration'
  const hooks = (apiVersion: string, ...webhooks: JsonObject[]) => ({
    apiVersion,
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'it' },
    webhooks: webhooks.map((members) => ({
      name: 'a.example.com',
      clientConfig: { url: 'https://a.example.com/x' },
      ...members,
    })),
  })
  const OLD = 'admissionregistration.k8s.io/v1beta1'
  const NEW = 'admissionregistration.k8s.io/v1'
  const NEEDED = { sideEffects: 'None', admissionReviewVersions: ['v1'] }
  for (const [name, member, was, is] of [
    ['failure-policy', 'failurePolicy', 'Ignore', 'Fail'],
    ['match-policy', 'matchPolicy', 'Exact', 'Equivalent'],
    ['timeout', 'timeoutSeconds', 30, 10],
  ] as const) {
    change(row, name, async () => {
      const { writeOld, readNew, writeNew } = moving('1.21', '1.22')
      expect((await writeOld(path('v1beta1'), hooks(OLD, {}))).json.webhooks[0][member]).toBe(was)
      expect((await readNew(`${path('v1')}/it`)).json.webhooks[0][member]).toBe(was)
      const young = { ...hooks(NEW, NEEDED), metadata: { name: 'other' } }
      expect((await writeNew(path('v1'), young)).json.webhooks[0][member]).toBe(is)
    })
  }
  change(row, 'side-effects', async () => {
    const { writeOld, writeNew } = moving('1.21', '1.22')
    expect((await writeOld(path('v1beta1'), hooks(OLD, {}))).json.webhooks[0].sideEffects).toBe(
      'Unknown',
    )
    expect(
      causesOf(await writeNew(path('v1'), hooks(NEW, { admissionReviewVersions: ['v1'] }))),
    ).toEqual(['webhooks[0].sideEffects'])
    const some = hooks(NEW, { ...NEEDED, sideEffects: 'Some' })
    expect((await writeNew(path('v1'), some)).json.message).toContain(
      'supported values: "None", "NoneOnDryRun"',
    )
  })
  change(row, 'review-versions', async () => {
    const { writeOld, writeNew } = moving('1.21', '1.22')
    expect(
      (await writeOld(path('v1beta1'), hooks(OLD, {}))).json.webhooks[0].admissionReviewVersions,
    ).toEqual(['v1beta1'])
    expect(causesOf(await writeNew(path('v1'), hooks(NEW, { sideEffects: 'None' })))).toEqual([
      'webhooks[0].admissionReviewVersions',
    ])
  })
  change(row, 'unique-names', async () => {
    const { writeOld, writeNew } = moving('1.21', '1.22')
    expect((await writeOld(path('v1beta1'), hooks(OLD, {}, {}))).status).toBe(201)
    expect(causesOf(await writeNew(path('v1'), hooks(NEW, NEEDED, NEEDED)))).toEqual([
      'webhooks[1].name',
    ])
  })
})

/** Waits until both servers know a new resource. */
async function established(...reads: (() => Promise<TestResponse>)[]): Promise<void> {
  for (const read of reads) await expect.poll(async () => (await read()).status).toBe(200)
}

describe('custom resource definitions', () => {
  const path = (version: string) =>
    `/apis/apiextensions.k8s.io/${version}/customresourcedefinitions`
  const row = '1.22 CustomResourceDefinition'
  const OLD = 'apiextensions.k8s.io/v1beta1'
  const NEW = 'apiextensions.k8s.io/v1'
  const NAME = 'crons.example.com'
  const schema = {
    type: 'object',
    properties: { spec: { type: 'object', properties: { replicas: { type: 'integer' } } } },
  }
  const definition = (apiVersion: string, spec: JsonObject) => ({
    apiVersion,
    kind: 'CustomResourceDefinition',
    metadata: { name: NAME },
    spec: { group: 'example.com', names: { plural: 'crons', kind: 'Cron' }, ...spec },
  })
  const versions = [
    { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } },
  ]

  change(row, 'scope-required', async () => {
    const { writeOld, writeNew } = moving('1.21', '1.22')
    expect(
      (await writeOld(path('v1beta1'), definition(OLD, { version: 'v1' }))).json.spec.scope,
    ).toBe('Namespaced')
    expect(causesOf(await writeNew(path('v1'), definition(NEW, { versions })))).toContain(
      'spec.scope',
    )
  })
  change(row, 'per-version', async () => {
    const { writeOld, readNew, readOld } = moving('1.21', '1.22')
    const subresources = { status: {} }
    const old = definition(OLD, {
      version: 'v1',
      validation: { openAPIV3Schema: schema },
      subresources,
      preserveUnknownFields: false,
    })
    const made = await writeOld(path('v1beta1'), old)
    const { json } = await readNew(`${path('v1')}/${NAME}`)
    expect(json.spec.versions).toEqual([
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: schema },
        subresources,
      },
    ])
    for (const gone of ['version', 'validation', 'subresources'])
      expect(json.spec).not.toHaveProperty(gone)
    const back = await readOld(`${path('v1beta1')}/${NAME}`)
    expect(back.json.spec).toEqual(made.json.spec)
    expect(back.json.spec).toMatchObject({
      version: 'v1',
      validation: { openAPIV3Schema: schema },
      subresources,
    })
  })
  change(row, 'conversion-webhook', async () => {
    const { writeOld, readNew } = moving('1.21', '1.22')
    const webhookClientConfig = { url: 'https://hooks.example.com/convert' }
    const conversion = { strategy: 'Webhook', webhookClientConfig }
    await writeOld(
      path('v1beta1'),
      definition(OLD, { versions, conversion, preserveUnknownFields: false }),
    )
    expect((await readNew(`${path('v1')}/${NAME}`)).json.spec.conversion).toEqual({
      strategy: 'Webhook',
      webhook: { clientConfig: webhookClientConfig, conversionReviewVersions: ['v1beta1'] },
    })
  })
  change(row, 'structural-schema', async () => {
    const { writeOld, writeNew } = moving('1.21', '1.22')
    const loose = { properties: { spec: { properties: { replicas: {} } } } }
    const bare = [{ name: 'v1', served: true, storage: true }]
    const untyped = [{ ...bare[0], schema: { openAPIV3Schema: loose } }]
    const scoped = { scope: 'Namespaced' }
    expect(
      causesOf(await writeNew(path('v1'), definition(NEW, { ...scoped, versions: bare }))),
    ).toContain('spec.versions[0].schema.openAPIV3Schema')
    expect(
      causesOf(await writeNew(path('v1'), definition(NEW, { ...scoped, versions: untyped }))),
    ).toContain('spec.validation.openAPIV3Schema.type')
    expect((await writeOld(path('v1beta1'), definition(OLD, { versions: untyped }))).status).toBe(
      201,
    )
  })
  change(row, 'preserve-unknown-fields', async () => {
    const { writeOld, writeNew, readOld, readNew } = moving('1.21', '1.22')
    expect(
      (await writeOld(path('v1beta1'), definition(OLD, { version: 'v1' }))).json.spec
        .preserveUnknownFields,
    ).toBe(true)
    const object = {
      apiVersion: 'example.com/v1',
      kind: 'Cron',
      metadata: { name: 'a' },
      spec: { anything: 'goes' },
    }
    const objects = '/apis/example.com/v1/namespaces/default/crons'
    await established(
      () => readOld(objects),
      () => readNew(objects),
    )
    expect((await writeOld(objects, object)).json.spec).toEqual({ anything: 'goes' })
    expect((await readNew(`${objects}/a`)).json.spec).toEqual({ anything: 'goes' })
    const rejected = await writeNew(
      path('v1'),
      definition(NEW, { scope: 'Namespaced', versions, preserveUnknownFields: true }),
    )
    expect(causesOf(rejected)).toContain('spec.preserveUnknownFields')
  })
  change(row, 'json-path', async () => {
    const { writeOld, readNew } = moving('1.21', '1.22')
    const columns = (member: string) => [
      { name: 'Replicas', type: 'integer', [member]: '.spec.replicas' },
    ]
    await writeOld(
      path('v1beta1'),
      definition(OLD, {
        versions,
        additionalPrinterColumns: columns('JSONPath'),
        preserveUnknownFields: false,
      }),
    )
    const { json } = await readNew(`${path('v1')}/${NAME}`)
    expect(json.spec.versions[0].additionalPrinterColumns).toEqual(columns('jsonPath'))
  })
})

describe('access reviews', () => {
  change(
    '1.22 LocalSubjectAccessReview, SelfSubjectAccessReview, SubjectAccessReview, SelfSubjectRulesReview',
    'groups',
    async () => {
      const { writeOld, writeNew } = moving('1.21', '1.22')
      const review = (apiVersion: string, member: string) => ({
        apiVersion,
        kind: 'SubjectAccessReview',
        spec: {
          [member]: ['system:masters'],
          resourceAttributes: { verb: 'get', resource: 'pods' },
        },
      })
      const old = await writeOld(
        '/apis/authorization.k8s.io/v1beta1/subjectaccessreviews',
        review('authorization.k8s.io/v1beta1', 'group'),
      )
      expect(old.json).toMatchObject({
        spec: { group: ['system:masters'] },
        status: { allowed: true },
      })
      const young = await writeNew(
        '/apis/authorization.k8s.io/v1/subjectaccessreviews',
        review('authorization.k8s.io/v1', 'groups'),
      )
      expect(young.json).toMatchObject({
        spec: { groups: ['system:masters'] },
        status: { allowed: true },
      })
    },
  )
})

describe('certificate signing requests', () => {
  const path = (version: string) =>
    `/apis/certificates.k8s.io/${version}/certificatesigningrequests`
  const row = '1.22 CertificateSigningRequest'
  const request = (apiVersion: string, spec: JsonObject) => ({
    apiVersion,
    kind: 'CertificateSigningRequest',
    metadata: { name: 'it' },
    spec: { request: REQUEST, ...spec },
  })
  const OLD = 'certificates.k8s.io/v1beta1'
  const NEW = 'certificates.k8s.io/v1'
  const LEGACY = 'kubernetes.io/legacy-unknown'
  change(row, 'signer-required', async () => {
    const { writeOld, writeNew } = moving('1.21', '1.22')
    expect((await writeOld(path('v1beta1'), request(OLD, {}))).json.spec.signerName).toBe(LEGACY)
    expect(causesOf(await writeNew(path('v1'), request(NEW, { usages: ['client auth'] })))).toEqual(
      ['spec.signerName'],
    )
    const legacy = await writeNew(
      path('v1'),
      request(NEW, { usages: ['client auth'], signerName: LEGACY }),
    )
    expect(legacy.json.message).toContain(
      'the legacy signerName is not allowed via this API version',
    )
  })
  change(row, 'usages-required', async () => {
    const { writeOld, writeNew } = moving('1.21', '1.22')
    const made = await writeOld(path('v1beta1'), request(OLD, {}))
    expect(made.json.spec.usages).toEqual(['digital signature', 'key encipherment'])
    const odd = {
      usages: ['client auth', 'client auth', 'singing'],
      signerName: 'example.com/signer',
    }
    const other = { ...request(OLD, odd), metadata: { name: 'other' } }
    expect((await writeOld(path('v1beta1'), other)).status).toBe(201)
    expect(causesOf(await writeNew(path('v1'), request(NEW, odd)))).toEqual([
      'spec.usages[2]',
      'spec.usages[1]',
    ])
  })
  change(row, 'conditions', async () => {
    const { writeOld } = moving('1.21', '1.22')
    await writeOld(path('v1beta1'), request(OLD, {}))
    const status = { conditions: [{ type: 'Extra' }, { type: 'Extra' }] }
    const { status: code, json } = await writeOld(
      `${path('v1beta1')}/it/status`,
      { ...request(OLD, {}), status },
      'PUT',
    )
    expect([code, json.status?.conditions?.[0]?.status]).toEqual([200, 'True'])
    const rejected = await writeOld(`${path('v1')}/it/status`, { ...json, apiVersion: NEW }, 'PUT')
    expect(causesOf(rejected)).toContain('status.conditions[1].type')
  })
  change(row, 'certificate', async () => {
    const { writeOld } = moving('1.21', '1.22')
    await writeOld(path('v1beta1'), request(OLD, {}))
    const odd = { certificate: btoa('no certificate') }
    expect(
      (await writeOld(`${path('v1')}/it/status`, { ...request(NEW, {}), status: odd }, 'PUT'))
        .status,
    ).toBe(422)
    expect(
      (await writeOld(`${path('v1beta1')}/it/status`, { ...request(OLD, {}), status: odd }, 'PUT'))
        .status,
    ).toBe(200)
  })
})

describe('ingresses', () => {
  const row = '1.22 Ingress'
  const paths = (backend: JsonObject, more: JsonObject = {}) => ({
    rules: [{ http: { paths: [{ path: '/', backend, ...more }] } }],
  })
  const ingress = (apiVersion: string, spec: JsonObject) => ({
    apiVersion,
    kind: 'Ingress',
    metadata: { name: 'it' },
    spec,
  })
  const at = (apiVersion: string) => `/apis/${apiVersion}/namespaces/default/ingresses`
  const NEW = 'networking.k8s.io/v1'
  for (const old of ['extensions/v1beta1', 'networking.k8s.io/v1beta1']) {
    change(row, 'default-backend', async () => {
      const { writeOld, readNew } = moving('1.21', '1.22')
      await writeOld(at(old), ingress(old, { backend: { serviceName: 'home', servicePort: 80 } }))
      const { json } = await readNew(`${at(NEW)}/it`)
      expect(json.spec).toEqual({
        defaultBackend: { service: { name: 'home', port: { number: 80 } } },
      })
    })
    change(row, 'service-backend', async () => {
      const { writeOld, readNew } = moving('1.21', '1.22')
      await writeOld(at(old), ingress(old, paths({ serviceName: 'shop', servicePort: 'http' })))
      const { json } = await readNew(`${at(NEW)}/it`)
      expect(json.spec.rules[0].http.paths[0].backend).toEqual({
        service: { name: 'shop', port: { name: 'http' } },
      })
    })
    change(row, 'path-type', async () => {
      const { writeOld, writeNew } = moving('1.21', '1.22')
      const made = await writeOld(
        at(old),
        ingress(old, paths({ serviceName: 'shop', servicePort: 80 })),
      )
      expect(made.json.spec.rules[0].http.paths[0].pathType).toBe('ImplementationSpecific')
      const young = ingress(NEW, paths({ service: { name: 'shop', port: { number: 80 } } }))
      expect(causesOf(await writeNew(at(NEW), young))).toEqual([
        'spec.rules[0].http.paths[0].pathType',
      ])
    })
  }
  it('errors speak of the members that the version has', async () => {
    const { writeOld } = moving('1.21', '1.22')
    const response = await writeOld(
      at('extensions/v1beta1'),
      ingress('extensions/v1beta1', paths({ serviceName: 'No Name', servicePort: 80 })),
    )
    expect(causesOf(response)).toEqual(['spec.rules[0].http.paths[0].backend.serviceName'])
  })
})

describe('workloads', () => {
  const at = (apiVersion: string, resource: string) =>
    `/apis/${apiVersion}/namespaces/default/${resource}`
  const bare = (kind: string) => {
    const { spec, ...members } = sampleOf(
      kind === 'StatefulSet' ? 'apps/v1beta1' : 'extensions/v1beta1',
      kind,
    ) as unknown as KubeObject & {
      spec: JsonObject
    }
    return {
      ...members,
      spec: {
        ...(kind === 'StatefulSet' ? { serviceName: 'web' } : {}),
        template: spec.template as JsonObject,
      },
    }
  }
  const RESOURCES: Record<string, string> = {
    DaemonSet: 'daemonsets',
    Deployment: 'deployments',
    ReplicaSet: 'replicasets',
    StatefulSet: 'statefulsets',
  }

  change('1.16 DaemonSet', 'template-generation', async () => {
    const { writeOld, readNew } = moving('1.15', '1.16')
    const made = await writeOld(at('extensions/v1beta1', 'daemonsets'), bare('DaemonSet'))
    expect(made.json.spec.templateGeneration).toBe(1)
    const { json } = await readNew(`${at('apps/v1', 'daemonsets')}/it`)
    expect(json.spec).not.toHaveProperty('templateGeneration')
    expect(json.metadata.annotations).toEqual({ 'deprecated.daemonset.template.generation': '1' })
  })
  change('1.16 Deployment', 'rollback-to', async () => {
    const { writeOld, readOld, readNew } = moving('1.15', '1.16')
    await writeOld(at('extensions/v1beta1', 'deployments'), bare('Deployment'))
    const rollback = {
      apiVersion: 'extensions/v1beta1',
      kind: 'DeploymentRollback',
      name: 'it',
      rollbackTo: { revision: 3 },
    }
    const response = await writeOld(
      `${at('extensions/v1beta1', 'deployments')}/it/rollback`,
      rollback,
    )
    expect(response.json).toMatchObject({
      status: 'Success',
      message: 'rollback request for deployment "it" succeeded',
    })
    expect((await readOld(`${at('apps/v1beta1', 'deployments')}/it`)).json.spec.rollbackTo).toEqual(
      { revision: 3 },
    )
    const { json } = await readNew(`${at('apps/v1', 'deployments')}/it`)
    expect(json.spec).not.toHaveProperty('rollbackTo')
    expect(json.metadata.annotations).toEqual({ 'deprecated.deployment.rollback.to': '3' })
  })
  for (const [kind, apiVersion] of [
    ['DaemonSet', 'extensions/v1beta1'],
    ['Deployment', 'extensions/v1beta1'],
    ['ReplicaSet', 'extensions/v1beta1'],
    ['StatefulSet', 'apps/v1beta1'],
  ] as const) {
    change(`1.16 ${kind}`, 'selector-required', async () => {
      const { writeOld, writeNew } = moving('1.15', '1.16')
      const path = at(apiVersion, RESOURCES[kind] as string)
      const made = await writeOld(path, bare(kind))
      expect(made.json.spec.selector).toEqual({ matchLabels: { app: 'web' } })
      expect(made.json.metadata.labels).toEqual({ app: 'web' })
      const young = await writeNew(at('apps/v1', RESOURCES[kind] as string), {
        ...bare(kind),
        apiVersion: 'apps/v1',
        metadata: { name: 'young' },
      })
      // The error about an empty selector of a DaemonSet is about its template.
      expect(causesOf(young)[0]).toBe(
        kind === 'DaemonSet' ? 'spec.template.metadata.labels' : 'spec.selector',
      )
      if (kind === 'StatefulSet') return
      const labels = { app: 'web', tier: 'front' }
      const template = { ...made.json.spec.template, metadata: { labels } }
      const wider = {
        ...made.json,
        spec: { ...made.json.spec, template, selector: { matchLabels: labels } },
      }
      expect((await writeOld(`${path}/it`, wider, 'PUT')).status).toBe(200)
      const back = {
        ...wider,
        apiVersion: 'apps/v1',
        metadata: { name: 'it' },
        spec: { ...wider.spec, selector: made.json.spec.selector },
      }
      expect(
        causesOf(await writeNew(`${at('apps/v1', RESOURCES[kind] as string)}/it`, back, 'PUT')),
      ).toContain('spec.selector')
    })
  }
  for (const [kind, apiVersion] of [
    ['DaemonSet', 'extensions/v1beta1'],
    ['StatefulSet', 'apps/v1beta1'],
  ] as const) {
    change(`1.16 ${kind}`, 'update-strategy', async () => {
      const { writeOld } = moving('1.15', '1.16')
      const path = (version: string) => at(version, RESOURCES[kind] as string)
      expect((await writeOld(path(apiVersion), bare(kind))).json.spec.updateStrategy.type).toBe(
        'OnDelete',
      )
      const full = { ...bare(kind), metadata: { name: 'young' } }
      const selected = {
        ...full,
        apiVersion: 'apps/v1',
        spec: { ...full.spec, selector: { matchLabels: { app: 'web' } } },
      }
      expect((await writeOld(path('apps/v1'), selected)).json.spec.updateStrategy.type).toBe(
        'RollingUpdate',
      )
    })
  }
  for (const [name, read, was, is] of [
    [
      'progress-deadline',
      (spec: JsonObject) => spec.progressDeadlineSeconds,
      [2147483647, 600, 600],
      600,
    ],
    ['revision-history', (spec: JsonObject) => spec.revisionHistoryLimit, [2147483647, 2, 10], 10],
    [
      'rolling-update',
      (spec: JsonObject) => (spec.strategy as { rollingUpdate: JsonObject }).rollingUpdate,
      [
        { maxSurge: 1, maxUnavailable: 1 },
        { maxSurge: '25%', maxUnavailable: '25%' },
        { maxSurge: '25%', maxUnavailable: '25%' },
      ],
      { maxSurge: '25%', maxUnavailable: '25%' },
    ],
  ] as const) {
    change('1.16 Deployment', name, async () => {
      const { writeOld } = moving('1.15', '1.16')
      const selector = { matchLabels: { app: 'web' } }
      for (const [i, apiVersion] of [
        'extensions/v1beta1',
        'apps/v1beta1',
        'apps/v1beta2',
        'apps/v1',
      ].entries()) {
        const body = { ...bare('Deployment'), apiVersion, metadata: { name: `d${i}` } }
        const made = await writeOld(at(apiVersion, 'deployments'), {
          ...body,
          spec: { ...body.spec, selector },
        })
        expect(read(made.json.spec)).toEqual(was[i] ?? is)
      }
    })
  }
})

it('every notable change of the table has a test', () => {
  const all = rowsOfTable().flatMap((row) => row.changes.map(({ name }) => `${row.name}: ${name}`))
  expect(all.filter((one) => !reported.includes(one))).toEqual([])
  expect(reported.filter((one) => !all.includes(one))).toEqual([])
})
