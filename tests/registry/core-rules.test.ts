import { describe, expect, it, test } from 'vitest'
import type { JsonObject, KubeObject } from '../../src/engine/core/object'
import { type Causes, CONFIG_MAPS, causes, type TestServer, testServer } from './server'

const NAMESPACE = '/api/v1/namespaces/default'
const MERGE = 'application/merge-patch+json'
const post = async (path: string, body: JsonObject) =>
  causes((await testServer().send<Causes>('POST', path, body)).body)
const fields = (texts: string[]) => texts.map((text) => text.slice(0, text.indexOf(': ')))

describe('owners', () => {
  const owner = (name: string, more: JsonObject = {}) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    name,
    uid: `u-${name}`,
    ...more,
  })
  const owned = (...ownerReferences: JsonObject[]) =>
    post(CONFIG_MAPS, { metadata: { name: 'c', ownerReferences } })

  test('are all validated if one of them is the controller', async () => {
    const found = await owned(
      owner('a', { controller: true }),
      owner('b', { controller: true }),
      owner('c', { controller: true, name: '' }),
    )
    expect(found.map((text) => text.slice(text.lastIndexOf(': ') + 2))).toEqual([
      'Only one reference can have Controller set to true. Found "true" in references for Pod/a and Pod/b',
      'name must not be empty',
      'Only one reference can have Controller set to true. Found "true" in references for Pod/a and Pod/',
    ])
  })
  test('cannot be core Events, other Events can', async () => {
    expect(await owned(owner('e', { kind: 'Event', apiVersion: 'events.k8s.io/v1' }))).toEqual([])
    expect(await owned(owner('e', { kind: 'Event' }))).toHaveLength(1)
  })
})

test('reports finalizers added after deletion sorted, each once', async () => {
  const { send } = testServer()
  await send('POST', CONFIG_MAPS, { metadata: { name: 'c', finalizers: ['a.b/c'] } })
  await send('DELETE', `${CONFIG_MAPS}/c`)
  const patch = { metadata: { finalizers: ['a.b/c', 'z.b/c', 'd.b/c'] } }
  const [first] = causes((await send<Causes>('PATCH', `${CONFIG_MAPS}/c`, patch, MERGE)).body)
  expect(first).toContain('found new finalizers []string{"d.b/c", "z.b/c"}')
})

describe('a node', () => {
  const node = (more: JsonObject) => ({ metadata: { name: 'n' }, ...more })
  const AVOID = 'scheduler.alpha.kubernetes.io/preferAvoidPods'
  const TAINTS = 'scheduler.alpha.kubernetes.io/taints'

  test('accepts one PodCIDR of each family', async () => {
    expect(
      await post('/api/v1/nodes', node({ spec: { podCIDRs: ['10.1.0.0/24', 'x', 'x'] } })),
    ).toEqual([
      ...[1, 2].map(
        (i) =>
          `spec.podCIDRs[${i}]: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)`,
      ),
      'spec.podCIDRs: Internal error: invalid PodCIDRs. failed to check with dual stack with error:invalid CIDR[1]: <nil> (invalid CIDR address: x)',
      'spec.podCIDRs: Invalid value: []string{"10.1.0.0/24", "x", "x"}: may specify no more than one CIDR for each IP family',
      'spec.podCIDRs[2]: Duplicate value: "x"',
    ])
  })
  test('rejects two PodCIDRs of a family, however they are written', async () => {
    const found = await post(
      '/api/v1/nodes',
      node({ spec: { podCIDRs: ['10.1.0.0/24', '::ffff:10.2.0.0/120'] } }),
    )
    expect(found).toEqual([
      expect.stringContaining('may specify no more than one CIDR for each IP family'),
    ])
  })
  test('accepts valid taints and preferAvoidPods in annotations', async () => {
    const annotations = {
      [TAINTS]: '[{"key":"a","effect":"Odd"}]',
      [AVOID]: '{"preferAvoidPods":[{"podSignature":{}}]}',
    }
    expect(await post('/api/v1/nodes', node({ metadata: { name: 'n', annotations } }))).toEqual([
      `metadata.annotations.${TAINTS}[0].effect: Unsupported value: "Odd": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"`,
      `metadata.annotations.${AVOID}[0].PodSignature: Required value`,
    ])
    const [unreadable] = await post(
      '/api/v1/nodes',
      node({ metadata: { name: 'n', annotations: { [AVOID]: '[]' } } }),
    )
    const why = 'json: cannot unmarshal array into Go value of type v1.AvoidPods'
    expect(unreadable).toBe(`metadata.annotations.AvoidPods: Invalid value: "${AVOID}": ${why}`)
  })
  test('shows a duplicate taint with its timeAdded', async () => {
    const taint = { key: 'a', effect: 'NoExecute', timeAdded: '2030-01-02T03:04:05Z' }
    const [found] = await post(
      '/api/v1/nodes',
      node({ spec: { taints: [{ ...taint, value: 'b' }, taint] } }),
    )
    const shown =
      'core.Taint{Key:"a", Value:"", Effect:"NoExecute", TimeAdded:time.Date(2030, time.January, 2, 3, 4, 5, 0, time.Local)}'
    expect(found).toBe(
      `metadata.taints[1]: Duplicate value: ${shown}: taints must be unique by key and effect pair`,
    )
  })
  test('rejects a resource without a name', async () => {
    const found = await post(
      '/api/v1/nodes',
      node({ status: { capacity: { '': '-1' }, allocatable: { cpu: '-1' } } }),
    )
    expect(fields(found)).toEqual(['status.capacity[]', 'status.allocatable.cpu'])
  })
  test('shows a rounded amount without its text', async () => {
    const [found] = await post(
      '/api/v1/nodes',
      node({ status: { capacity: { pods: '1.0001' }, allocatable: {} } }),
    )
    expect(found).toContain(
      'value:1001, scale:-3}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:"", ',
    )
  })
  test('drops disabled features on create, not in status, and warns of externalID', async () => {
    const { send } = testServer()
    const status = { features: { supplementalGroupsPolicy: true } }
    const written = node({ spec: { externalID: 'x' }, status })
    expect((await send('POST', '/api/v1/nodes', written)).body.status).not.toHaveProperty(
      'features',
    )
    expect((await send('PUT', '/api/v1/nodes/n/status', written)).body.status).toMatchObject(status)
    expect((await send('PUT', '/api/v1/nodes/n', written)).headers.warning).toEqual([
      expect.stringContaining('spec.externalID'),
    ])
  })
  test('warns at every write while the object has a deprecated field', async () => {
    const { send } = testServer()
    const warning = [
      '299 - "spec.externalID: this field is deprecated, and is unused by Kubernetes"',
    ]
    expect(
      (await send('POST', '/api/v1/nodes', node({ spec: { externalID: 'x' } }))).headers.warning,
    ).toEqual(warning)
    expect(
      (await send('PATCH', '/api/v1/nodes/n', { metadata: { labels: { a: 'b' } } }, MERGE)).headers
        .warning,
    ).toEqual(warning)
  })
  test('is validated as a whole when its status is written', async () => {
    const { send } = testServer()
    await send('POST', '/api/v1/nodes', node({ status: { config: {}, features: {} } }))
    const status = {
      capacity: { cpu: '-1' },
      addresses: [1, 2].map(() => ({ type: 'InternalIP', address: 'a' })),
    }
    expect(
      fields(
        causes((await send<Causes>('PATCH', '/api/v1/nodes/n/status', { status }, MERGE)).body),
      ),
    ).toEqual(['status.capacity.cpu', 'status.allocatable.cpu', 'status.addresses[1]'])
    expect((await send('GET', '/api/v1/nodes/n')).body.status).not.toHaveProperty('config')
  })
})

describe('a claim', () => {
  const CLAIMS = `${NAMESPACE}/persistentvolumeclaims`
  const CLASS = 'volume.beta.kubernetes.io/storage-class'
  const claim = (annotations: JsonObject, spec: JsonObject = {}): JsonObject => ({
    metadata: { name: 'c', annotations },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
  })
  const made = async (...given: Parameters<typeof claim>): Promise<TestServer> => {
    const server = testServer()
    await server.send('POST', CLAIMS, claim(...given))
    return server
  }
  const change = async ({ send }: TestServer, ...given: Parameters<typeof claim>) => {
    const { body } = await send<Causes>('PUT', `${CLAIMS}/c?dryRun=All`, claim(...given))
    return fields(causes(body))
  }

  test('moves its class from the annotation to the field and rejects another class', async () => {
    const server = await made({ [CLASS]: 'a' })
    expect(await change(server, { [CLASS]: 'a' }, { storageClassName: 'a' })).toEqual([])
    expect(await change(server, {}, { storageClassName: 'a' })).toEqual([])
    expect(await change(server, { [CLASS]: 'b' }, { storageClassName: 'a' })).toEqual([
      `metadata.annotations.${CLASS}`,
    ])
    expect(await change(server, { [CLASS]: 'a' }, { storageClassName: 'b' })).toEqual(['spec'])
  })
  test('is validated twice on update', async () => {
    const found = await change(await made({}), {}, { volumeMode: 'Odd' })
    expect(found).toEqual(['spec.volumeMode', 'spec.volumeMode', 'spec', 'volumeMode'])
  })
  test('rejects a negative capacity in its status, and drops gated fields', async () => {
    const { send } = await made({})
    const write = (status: JsonObject) =>
      send<Causes>('PATCH', `${CLAIMS}/c/status`, { status }, MERGE)
    expect(causes((await write({ capacity: { storage: '-1' } })).body)).toEqual([
      'status.capacity[storage]: Invalid value: -1: must be a valid resource quantity',
    ])
    const gated = {
      allocatedResources: { storage: '1Gi' },
      currentVolumeAttributesClassName: 'gold',
    }
    expect((await write({ capacity: { storage: '1Gi' }, ...gated })).body.status).toEqual({
      phase: 'Pending',
      capacity: { storage: '1Gi' },
    })
  })
})

test('the status of a pod keeps the submitted fields of disabled features', async () => {
  const { send } = testServer()
  await send('POST', `${NAMESPACE}/serviceaccounts`, { metadata: { name: 'default' } })
  await send('POST', `${NAMESPACE}/pods`, {
    metadata: { name: 'p' },
    spec: { containers: [{ name: 'a', image: 'i' }] },
  })
  const container = { name: 'a', ready: true, restartCount: 0, image: 'i', imageID: '' }
  const gated = {
    resources: { limits: { cpu: '1' } },
    allocatedResources: { cpu: '1' },
    user: { linux: { uid: 0, gid: 0 } },
  }
  const status = { resize: 'Proposed', containerStatuses: [{ ...container, ...gated }] }
  const { body } = await send<KubeObject>('PATCH', `${NAMESPACE}/pods/p/status`, { status }, MERGE)
  expect(body.status).toHaveProperty('resize', 'Proposed')
  const [kept] = (body.status as { containerStatuses: unknown[] }).containerStatuses
  expect(kept).toEqual({ ...container, ...gated, lastState: {}, state: {} })
})

test('a core Event accepts finalizers without a domain', async () => {
  const found = await post(`${NAMESPACE}/events`, {
    metadata: { name: 'e', finalizers: ['x'] },
    involvedObject: { namespace: 'default' },
  })
  expect(found).toEqual([])
})

test('a namespace gets its name label after all validation', async () => {
  const found = await post('/api/v1/namespaces', { metadata: { generateName: '-' } })
  expect(fields(found)).toEqual(['metadata.generateName', 'metadata.name'])
  const { body } = await testServer().send('POST', '/api/v1/namespaces', {
    metadata: { generateName: 'a-' },
  })
  expect(body.metadata.labels).toEqual({ 'kubernetes.io/metadata.name': body.metadata.name })
})

describe('events of the new form', () => {
  const EVENTS = '/apis/events.k8s.io/v1/namespaces/default/events'
  const event = (more: JsonObject = {}): JsonObject => ({
    metadata: { name: 'e' },
    regarding: { kind: 'Pod', namespace: 'default', name: 'p' },
    eventTime: '2024-01-01T00:00:00.000000Z',
    ...{
      type: 'Normal',
      reason: 'R',
      action: 'A',
      reportingController: 'c.d/e',
      reportingInstance: 'i',
    },
    ...more,
  })
  it('report errors of a series first', async () => {
    expect(fields(await post(EVENTS, event({ series: {}, type: 'Odd' })))).toEqual([
      'series.count',
      'series.lastObservedTime',
      'type',
    ])
  })
  it('report metadata errors between the legacy and the new rules', async () => {
    const found = await post(
      EVENTS,
      event({ metadata: { finalizers: ['x'] }, reason: '', type: 'Odd' }),
    )
    expect(fields(found)).toEqual(['reason', 'metadata.name', 'metadata.finalizers[0]', 'type'])
  })
  it('keep the reporter and the time', async () => {
    const { send } = testServer()
    await send('POST', EVENTS, event())
    const { body } = await send<Causes>(
      'PUT',
      `${EVENTS}/e`,
      event({ reportingController: 'c.d/f', eventTime: null }),
    )
    expect(causes(body).slice(-2)).toEqual([
      'eventTime: Invalid value: 0001-01-01 00:00:00 +0000 UTC: field is immutable',
      'reportingController: Invalid value: "c.d/f": field is immutable',
    ])
  })
  it('show the involved object where it is immutable', async () => {
    const { send } = testServer()
    await send('POST', EVENTS, event())
    const { body } = await send<Causes>(
      'PUT',
      `${EVENTS}/e`,
      event({ regarding: { kind: 'Pod', namespace: 'default', name: 'q' }, series: {} }),
    )
    const shown =
      'core.ObjectReference{Kind:"Pod", Namespace:"default", Name:"q", UID:"", APIVersion:"", ResourceVersion:"", FieldPath:""}'
    expect(causes(body)).toEqual([
      'series.count: Invalid value: "": should be at least 2',
      'series.lastObservedTime: Required value',
      `involvedObject: Invalid value: ${shown}: field is immutable`,
    ])
  })
})

test('an update that omits the scopes of a quota shows nil scopes', async () => {
  const server = testServer()
  const quotas = `${NAMESPACE}/resourcequotas`
  await server.send('POST', quotas, {
    metadata: { name: 'q' },
    spec: { hard: { pods: '1' }, scopes: ['NotTerminating'] },
  })
  const { body } = await server.send<Causes>('PUT', `${quotas}/q`, {
    metadata: { name: 'q' },
    spec: { hard: { pods: '1' } },
  })
  expect(causes(body)).toEqual([
    'spec.scopes: Invalid value: []core.ResourceQuotaScope(nil): field is immutable',
  ])
})

test('a quota with conflicting scope selectors shows the plain scopes', async () => {
  const exists = (scopeName: string, operator = 'Exists') => ({ scopeName, operator })
  const matchExpressions = [exists('BestEffort', 'In'), exists('NotBestEffort')]
  const spec = { hard: { pods: '1' }, scopeSelector: { matchExpressions } }
  const found = await post(`${NAMESPACE}/resourcequotas`, { metadata: { name: 'q' }, spec })
  expect(found.map((text) => text.slice(0, 70))).toEqual([
    expect.stringContaining(`spec.scopeSelector.matchExpressions.operator: Invalid value: "In"`),
    expect.stringContaining('spec.scopeSelector.matchExpressions.values: Required value'),
    expect.stringContaining(
      'spec.scopeSelector.matchExpressions: Invalid value: []core.ResourceQuo',
    ),
  ])
  expect(found[2]).toContain('[]core.ResourceQuotaScope(nil): conflicting scopes')
})

test('the update of a replication controller warns about the previous template', async () => {
  const { send } = testServer()
  const path = `${NAMESPACE}/replicationcontrollers`
  const controller = (imagePullSecrets: JsonObject[]) => {
    const template = {
      metadata: { labels: { app: 'a' } },
      spec: { containers: [{ name: 'c', image: 'i' }], imagePullSecrets },
    }
    return { metadata: { name: 'r' }, spec: { selector: { app: 'a' }, template } }
  }
  const twice = [{ name: 's' }, { name: 's' }]
  await send('POST', path, controller(twice))
  const mended = await send('PUT', `${path}/r`, controller([]))
  expect(String(mended.headers.warning)).toContain(
    'spec.template.spec.imagePullSecrets[1].name: duplicate name',
  )
  expect((await send('PUT', `${path}/r`, controller(twice))).headers.warning).toBe(undefined)
})
