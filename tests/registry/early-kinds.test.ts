/** Kinds of alpha and beta versions, which are served only with `--runtime-config`. */
import { describe, expect, it } from 'vitest'
import type { JsonObject, KubeObject } from '../../src/engine/core/object'
import { type TestServer, testServer } from './server'

const MERGE = 'application/merge-patch+json'
const GATES = { ClusterTrustBundle: true, StorageVersionMigrator: true }
const early = () => testServer({ runtimeConfig: { 'api/all': 'true' }, featureGates: GATES })

interface ErrorBody {
  details: { causes: { field: string; message: string }[] }
}

async function causes(
  server: TestServer,
  method: string,
  path: string,
  body: JsonObject,
): Promise<string[]> {
  const { status, body: response } = await server.send<ErrorBody>(
    method,
    path,
    body,
    method === 'PATCH' ? MERGE : undefined,
  )
  expect(status, JSON.stringify(response)).toBe(422)
  return response.details.causes.map(({ field, message }) => `${field}: ${message}`)
}

const rejectedFields = async (server: TestServer, path: string, change: JsonObject) =>
  (await causes(server, 'PATCH', path, change)).map((text) => text.slice(0, text.indexOf(':')))

const CLASSES = '/apis/storage.k8s.io/v1beta1/volumeattributesclasses'
const ADDRESSES = '/apis/networking.k8s.io/v1beta1/ipaddresses'
const MIGRATIONS = '/apis/storagemigration.k8s.io/v1alpha1/storageversionmigrations'
const CLAIMS = '/apis/resource.k8s.io/v1alpha3/namespaces/default/resourceclaims'
const TEMPLATES = '/apis/resource.k8s.io/v1alpha3/namespaces/default/resourceclaimtemplates'
const SLICES = '/apis/resource.k8s.io/v1alpha3/resourceslices'
const VERSIONS = '/apis/internal.apiserver.k8s.io/v1alpha1/storageversions'
const CANDIDATES = '/apis/coordination.k8s.io/v1alpha1/namespaces/default/leasecandidates'
const BUNDLES = '/apis/certificates.k8s.io/v1alpha1/clustertrustbundles'
const DEVICES = '/apis/resource.k8s.io/v1alpha3/deviceclasses'
const CONTEXTS = '/apis/resource.k8s.io/v1alpha3/namespaces/default/podschedulingcontexts'
const parentRef = { resource: 'services', namespace: 'default', name: 'a' }

describe('an update', () => {
  it.each<[path: string, object: JsonObject, change: JsonObject, fields: string[]]>([
    [
      CLASSES,
      { metadata: { name: 'a' }, driverName: 'd', parameters: { a: 'b' } },
      { parameters: null },
      ['parameters', 'parameters', 'parameters'],
    ],
    [
      ADDRESSES,
      { metadata: { name: '10.0.0.9' }, spec: { parentRef } },
      { spec: { parentRef: null } },
      ['spec.parentRef', 'spec.parentRef'],
    ],
    [
      MIGRATIONS,
      { metadata: { name: 'a' }, spec: { resource: { version: 'v1', resource: 'pods' } } },
      { spec: { resource: { resource: '' } } },
      ['spec.resource.resource', 'resource'],
    ],
    [
      DEVICES,
      { metadata: { name: 'a' }, spec: {} },
      { spec: { selectors: [{}] } },
      ['spec.selectors[0].cel', 'spec.selectors[0].cel'],
    ],
    [
      CONTEXTS,
      { metadata: { name: 'a' }, spec: {} },
      { spec: { potentialNodes: ['A_'] } },
      ['spec.potentialNodes[0]', 'spec.potentialNodes[0]'],
    ],
  ])(
    'of %s goes over the object as often as over the change',
    async (path, object, change, fields) => {
      const server = early()
      expect((await server.send('POST', path, object)).status).toBe(201)
      const { name } = object.metadata as { name: string }
      expect(await rejectedFields(server, `${path}/${name}`, change)).toEqual(fields)
    },
  )
})

it('drops the fields of a control plane controller, which has a feature gate', async () => {
  const claim = { metadata: { name: 'a' }, spec: { controller: 'd.example', devices: {} } }
  const { body } = await early().send('POST', CLAIMS, claim)
  expect((body.spec as JsonObject).controller).toBeUndefined()
  const gated = testServer({
    runtimeConfig: { 'api/all': 'true' },
    featureGates: { DRAControlPlaneController: true },
  })
  expect((await gated.send('POST', CLAIMS, claim)).body.spec).toMatchObject({
    controller: 'd.example',
  })
})

it('keeps the claim spec immutable', async () => {
  const server = early()
  await server.send('POST', CLAIMS, { metadata: { name: 'a' }, spec: { devices: {} } })
  expect(
    await rejectedFields(server, `${CLAIMS}/a`, {
      spec: { devices: { requests: [{ name: 'r', deviceClassName: 'c' }] } },
    }),
  ).toEqual(['spec'])
})

describe('the rules of early kinds', () => {
  const spec = {
    nodeName: 'n',
    driver: 'd.example',
    pool: { name: 'p', generation: 1, resourceSliceCount: 1 },
  }
  const device = (basic: JsonObject) => ({
    metadata: { name: 'a' },
    spec: { ...spec, devices: [{ name: 'd', basic }] },
  })
  const claimOf = (devices: JsonObject) => ({ metadata: { name: 'a' }, spec: { devices } })
  const requests = Array.from({ length: 33 }, (_, i) => ({ name: `r${i}`, deviceClassName: 'c' }))

  it.each<[what: string, path: string, object: JsonObject, errors: string[]]>([
    [
      'a claim’s lists have their length',
      CLAIMS,
      claimOf({ requests }),
      ['spec.devices.requests: Too long: may not be longer than 32'],
    ],
    [
      'an attribute is named with its domain',
      CLAIMS,
      claimOf({
        constraints: [
          { matchAttribute: '' },
          { matchAttribute: '/a' },
          { matchAttribute: 'a/b/c' },
        ],
      }),
      [
        'spec.devices.constraints[0].matchAttribute: Required value: name required',
        'spec.devices.constraints[0].matchAttribute.domain: Required value: must include a prefix',
        'spec.devices.constraints[1].matchAttribute: Required value: the prefix must not be empty',
      ],
    ],
    [
      'parameters of a driver are an object',
      DEVICES,
      {
        metadata: { name: 'a' },
        spec: {
          config: [{ opaque: { driver: 'd', parameters: [] } }, { opaque: { driver: 'd' } }],
        },
      },
      [
        'spec.config[0].opaque.parameters: Invalid value: "<value omitted>": parameters must be a valid JSON object',
        'spec.config[1].opaque.parameters: Required value',
      ],
    ],
    [
      'a template states labels and annotations alone',
      TEMPLATES,
      {
        metadata: { name: 'a' },
        spec: {
          metadata: { uid: 'u', finalizers: [], deletionGracePeriodSeconds: 0 },
          spec: { devices: {} },
        },
      },
      ['uID', 'deletionGracePeriodSeconds', 'finalizers'].map(
        (member) => `spec.metadata.${member}: Forbidden: cannot be set`,
      ),
    ],
    [
      'an attribute has one value, and the error names the map',
      SLICES,
      device({ attributes: { '/x': { int: 1 }, y: {} }, capacity: { '': '1' } }),
      [
        'spec.devices[0].basic.attributes: Required value: the prefix must not be empty',
        'spec.devices[0].basic.attributes[y]: Required value: exactly one value must be specified',
        'spec.devices[0].basic.capacity: Required value: name required',
      ],
    ],
    [
      'nodes of a slice are selected by one term',
      SLICES,
      { metadata: { name: 'a' }, spec: { ...spec, nodeName: '', nodeSelector: {} } },
      [
        'spec.nodeSelector.nodeSelectorTerms: Required value: must have at least one node selector term',
        'spec.nodeSelector.nodeSelectorTerms: Invalid value: []core.NodeSelectorTerm(nil): must have exactly one selector term',
      ],
    ],
    [
      'a resource’s versions are called by group and resource',
      VERSIONS,
      { metadata: { name: 'pods' }, spec: {} },
      ['metadata.name: Invalid value: "pods": name must be in the form of <group>.<resource>'],
    ],
    [
      'a strategy under a domain is a qualified name',
      CANDIDATES,
      {
        metadata: { name: 'A_a' },
        spec: { leaseName: 'l', preferredStrategies: ['x', 'x', '/y'] },
      },
      [
        'spec.preferredStrategies[0].strategy: Unsupported value: "x": supported values: "OldestEmulationVersion"',
        'spec.preferredStrategies[1].strategy: Unsupported value: "x": supported values: "OldestEmulationVersion"',
        'spec.preferredStrategies[2].strategy: Invalid value: "/y": prefix part must be non-empty',
      ],
    ],
    [
      'a bundle’s names go by its signer, made ones too',
      BUNDLES,
      {
        metadata: { name: 'a.b:c:x', generateName: 'y' },
        spec: { signerName: 'a.b/c', trustBundle: '' },
      },
      [
        'metadata.generateName: Invalid value: "y": ClusterTrustBundle for signerName a.b/c must be named with prefix a.b:c:',
        'spec.trustBundle: Invalid value: "<value omitted>": at least one trust anchor must be provided',
      ],
    ],
  ])('%s', async (_what, path, object, errors) => {
    expect(await causes(early(), 'POST', path, object)).toEqual(errors)
  })

  it('report only the first invalid label of a signer', async () => {
    const found = await causes(early(), 'POST', BUNDLES, {
      metadata: { name: 'a' },
      spec: { signerName: 'A.B/c', trustBundle: '' },
    })
    expect(
      found.filter((text) => text.startsWith('spec.signerName')).map((text) => text.slice(0, 64)),
    ).toEqual(['spec.signerName: Invalid value: "A.B": validating label "A": a l'])
  })
})

describe('the status of a claim', () => {
  const gates = {
    runtimeConfig: { 'api/all': 'true' },
    featureGates: { DRAControlPlaneController: true },
  }
  const user = { resource: 'pods', name: 'p', uid: 'u' }

  it('rejects new consumers and is dropped once its deallocation is requested', async () => {
    const server = testServer(gates)
    await server.send('POST', CLAIMS, { metadata: { name: 'a' }, spec: { devices: {} } })
    const write = (status: JsonObject) =>
      server.send('PATCH', `${CLAIMS}/a/status`, { status }, MERGE)
    const rejected = (status: JsonObject) =>
      causes(server, 'PATCH', `${CLAIMS}/a/status`, { status })
    expect(await rejected({ reservedFor: [user], deallocationRequested: true })).toEqual([
      'status.reservedFor: Forbidden: may not be specified when `allocated` is not set',
      'status.deallocationRequested: Forbidden: deallocation cannot be requested while `reservedFor` is set',
      'status: Forbidden: `allocation` must be set when `deallocationRequested` is set',
    ])
    expect(
      (await write({ allocation: { controller: 'd.example' }, deallocationRequested: true }))
        .status,
    ).toBe(200)
    expect(await rejected({ reservedFor: [user] })).toEqual([
      'status.reservedFor: Forbidden: new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set',
    ])
    expect(await rejected({ deallocationRequested: false })).toEqual([
      'status.deallocationRequested: Forbidden: may not be cleared when `allocation` is set',
    ])
    expect((await write({ allocation: null, deallocationRequested: null })).status).toBe(200)
  })

  it('is validated wherever configurations and nodes come from', async () => {
    const server = testServer(gates)
    await server.send('POST', CLAIMS, { metadata: { name: 'a' }, spec: { devices: {} } })
    const status = {
      allocation: { devices: { config: [{ source: 'x' }] }, nodeSelector: {}, controller: '-' },
    }
    const found = await causes(server, 'PATCH', `${CLAIMS}/a/status`, { status })
    expect(found.map((text) => text.slice(0, text.indexOf(': ')))).toEqual([
      'status.allocation.devices.config[0].source',
      'status.allocation.devices.config[0].opaque',
      'status.allocation.nodeSelector.nodeSelectorTerms',
      'status.allocation.controller',
    ])
  })
})

it('reports errors of StorageVersion conditions under `status`', async () => {
  const server = early()
  await server.send('POST', VERSIONS, { metadata: { name: 'apps.deployments' }, spec: {} })
  const status: JsonObject = {
    conditions: [
      { type: 'A', status: 'True', reason: 'R', message: 'm', lastTransitionTime: null },
      { type: 'A', status: 'True' },
    ],
  }
  expect(await causes(server, 'PATCH', `${VERSIONS}/apps.deployments/status`, { status })).toEqual([
    'status[1].type: Invalid value: "A": the type of the condition is not unique, it also appears in conditions[0]',
    'status[1].reason: Required value: reason cannot be empty',
    'status[1].message: Required value: message cannot be empty',
  ])
})

it('treats an empty list of devices like an absent one', async () => {
  const server = early()
  const spec = {
    allNodes: true,
    driver: 'd.example',
    pool: { name: 'p', generation: 1, resourceSliceCount: 1 },
  }
  await server.send('POST', SLICES, { metadata: { name: 'a' }, spec })
  const { body } = await server.send('PATCH', `${SLICES}/a`, { spec: { devices: [] } }, MERGE)
  expect(body.metadata.generation).toBe(1)
})

it.each<[path: string, object: JsonObject]>([
  [
    MIGRATIONS,
    { metadata: { name: 'a' }, spec: { resource: { version: 'v1', resource: 'pods' } } },
  ],
  [VERSIONS, { metadata: { name: 'apps.deployments' }, spec: {} }],
])('an update of %s requires a resourceVersion', async (path, object) => {
  const server = early()
  await server.send('POST', path, object)
  const { name } = object.metadata as { name: string }
  expect(await causes(server, 'PUT', `${path}/${name}`, object)).toEqual([
    'metadata.resourceVersion: Invalid value: 0x0: must be specified for an update',
  ])
})

it('defaults parameterNotFoundAction to Deny in v1alpha1, later versions require it', async () => {
  const server = early()
  const bindings = (version: string) =>
    `/apis/admissionregistration.k8s.io/${version}/validatingadmissionpolicybindings`
  const make = (version: string, name: string, paramRef?: JsonObject) =>
    server.send<KubeObject & ErrorBody>('POST', bindings(version), {
      metadata: { name },
      spec: {
        policyName: 'p.example.com',
        validationActions: ['Deny'],
        ...(paramRef && { paramRef }),
      },
    })
  expect((await make('v1alpha1', 'given', { name: 'x' })).body.spec).toMatchObject({
    paramRef: { parameterNotFoundAction: 'Deny' },
  })
  expect((await make('v1alpha1', 'none')).body.spec).not.toHaveProperty('paramRef')
  for (const version of ['v1beta1', 'v1']) {
    const { status, body } = await make(version, version, { name: 'x' })
    expect([status, body.details.causes.map(({ field }) => field)]).toEqual([
      422,
      ['spec.paramRef.parameterNotFoundAction'],
    ])
  }
})
