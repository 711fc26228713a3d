/** Slices, taint rules and claims of versions above v1alpha3. */
import { beforeAll, describe, expect, it } from 'vitest'
import { loadTables } from '../../src/engine/release-tables/load-tables'
import { sendRequest, testServer } from '../support/server'

beforeAll(() => loadTables('1.37'))

type Server = ReturnType<typeof testServer>
const ROOT = '/apis/resource.k8s.io/v1'
const SLICES = `${ROOT}/resourceslices`
const RULES = `${ROOT}/devicetaintrules`
const CLAIMS = `${ROOT}/namespaces/default/resourceclaims`

const newest = (): Server => testServer({ release: '1.37' })
const post = (server: Server, path: string, body: object) =>
  sendRequest(server, { method: 'POST', path, body })
const patch = (server: Server, path: string, body: object) =>
  sendRequest(server, {
    method: 'PATCH',
    path,
    headers: { 'content-type': 'application/merge-patch+json' },
    body,
  })
const causesOf = (json: { details?: { causes?: { field: string; message: string }[] } }) =>
  json.details?.causes?.map(({ field, message }) => `${field}: ${message}`)

const slice = (spec: object) => ({
  metadata: { name: 's' },
  spec: {
    driver: 'gpu.example.com',
    nodeName: 'n',
    pool: { name: 'p', generation: 1, resourceSliceCount: 1 },
    ...spec,
  },
})
const rejected = async (spec: object) => causesOf((await post(newest(), SLICES, slice(spec))).json)

describe('a slice', () => {
  it('has devices whose attributes and capacities need no wrapper', async () => {
    const devices = [
      {
        name: 'd',
        attributes: { model: { string: 'a' } },
        capacity: { memory: { value: '4Gi' } },
        taints: [{ key: 'k', effect: 'NoExecute' }],
      },
    ]
    const { status, json } = await post(newest(), SLICES, slice({ devices }))
    expect(status).toBe(201)
    expect(json.metadata.generation).toBe(1)
    expect(json.spec.devices[0].taints).toEqual([
      { key: 'k', effect: 'NoExecute', timeAdded: expect.any(String) },
    ])
  })

  it('loses members of features that are off', async () => {
    const devices = [{ name: 'd', attributes: { a: { strings: ['x'], int: 1 } } }]
    const { json } = await post(newest(), SLICES, slice({ devices, skipNodeOperations: ['*'] }))
    expect(json.spec.skipNodeOperations).toBeUndefined()
    expect(json.spec.devices).toEqual([{ name: 'd', attributes: { a: { int: 1 } } }])
  })

  it.each<[string, object, string[]]>([
    [
      'names one place',
      { allNodes: true },
      [
        'spec: Invalid value: "{`nodeName`, `allNodes`}": exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required, but multiple fields are set',
      ],
    ],
    [
      'has a pool with slices',
      { pool: { name: 'p', generation: -1, resourceSliceCount: 0 } },
      [
        'spec.pool.resourceSliceCount: Invalid value: 0: must be greater than zero',
        'spec.pool.generation: Invalid value: -1: must be greater than or equal to zero',
      ],
    ],
    [
      'has either counters or devices',
      {
        devices: [{ name: 'd' }],
        sharedCounters: [{ name: 'c', counters: { x: { value: '1' } } }],
      },
      ['spec: Invalid value: "": only one of `sharedCounters` or `devices` is allowed'],
    ],
    [
      'names each device once, after the rules of its taints',
      { devices: [{ name: 'd' }, { name: 'd', taints: [{ key: 'k', effect: 'X' }] }] },
      [
        'spec.devices[1]: Duplicate value: "d"',
        'spec.devices[1].taints[0].effect: Unsupported value: "X": supported values: "NoExecute", "NoSchedule", "None"',
      ],
    ],
    [
      'has attributes of one type',
      {
        devices: [{ name: 'd', attributes: { 'a/b/c': { int: 1 }, b: {}, 'x/': { bool: true } } }],
      },
      [
        'spec.devices[0].attributes: Invalid value: "a/b/c": must not contain more than one slash',
        'spec.devices[0].attributes: Invalid value: "": the name must not be empty',
        'spec.devices[0].attributes[b]: Invalid value: "": must specify one of: `int`, `bool`, `string`, `version`, `ints`, `bools`, `strings`, `versions`',
      ],
    ],
    [
      'shares capacities of devices with several allocations',
      {
        devices: [
          { name: 'd', capacity: { m: { value: '1', requestPolicy: { default: '1' } } } },
          {
            name: 'e',
            allowMultipleAllocations: true,
            capacity: {
              m: {
                value: '4Gi',
                requestPolicy: { default: '3', validRange: { min: '1', max: '8Gi', step: '3' } },
              },
            },
          },
        ],
      },
      [
        'spec.devices[0].capacity[m].requestPolicy: Forbidden: allowMultipleAllocations must be true',
        'spec.devices[1].capacity[m].requestPolicy.validRange.max: Invalid value: "8Gi": max is larger than capacity value: 4Gi',
        'spec.devices[1].capacity[m].requestPolicy.validRange.step: Invalid value: "3": value is not a multiple of a given step (3) from (1)',
        'spec.devices[1].capacity[m].requestPolicy.validRange.step: Invalid value: "8Gi": value is not a multiple of a given step (3) from (1)',
      ],
    ],
    [
      'has both lists of binding conditions',
      { devices: [{ name: 'd', bindingConditions: ['a'] }] },
      [
        'spec.devices[0].bindingFailureConditions: Invalid value: null: bindingFailureConditions are required to use bindingConditions',
      ],
    ],
    [
      'selects nodes for all devices or by device',
      { devices: [{ name: 'd', allNodes: true }] },
      [
        'spec.devices[0]: Invalid value: null: `nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec',
      ],
    ],
  ])('%s', async (_, spec, causes) => {
    expect(await rejected(spec)).toEqual(causes)
  })

  it('keeps its driver, pool and node', async () => {
    const server = newest()
    await post(server, SLICES, slice({}))
    const { json } = await patch(server, `${SLICES}/s`, {
      spec: { driver: 'other.example.com', nodeName: 'm', pool: { name: 'q' } },
    })
    expect(causesOf(json)).toEqual([
      'spec.pool.name: Invalid value: "q": field is immutable',
      'spec.driver: Invalid value: "other.example.com": field is immutable',
      'spec.nodeName: Invalid value: "m": field is immutable',
    ])
  })
})

describe('a taint rule', () => {
  const rule = (spec: object) => ({ metadata: { name: 'r' }, spec })

  it('gets the time of its taint, and a new one with a new effect', async () => {
    const server = newest()
    const made = await post(server, RULES, rule({ taint: { key: 'k', effect: 'NoSchedule' } }))
    expect(made.json.spec.taint.timeAdded).toBe('2026-01-01T00:00:00Z')
    expect(made.json.metadata.generation).toBe(1)
    const changed = await patch(server, `${RULES}/r`, { spec: { taint: { effect: 'None' } } })
    expect(changed.json.metadata.generation).toBe(2)
  })

  it('selects devices by valid names', async () => {
    const spec = {
      deviceSelector: { driver: '', pool: 'P', device: '-' },
      taint: { key: 'k', value: '-', effect: '' },
    }
    const { json } = await post(newest(), RULES, rule(spec))
    expect(json.details.causes.map(({ field }: { field: string }) => field)).toEqual([
      'spec.deviceSelector.driver',
      'spec.deviceSelector.pool',
      'spec.deviceSelector.device',
      'spec.taint.value',
      'spec.taint.effect',
    ])
  })
})

describe('a claim', () => {
  const claim = (exactly: object) => ({
    metadata: { name: 'c' },
    spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'x', ...exactly } }] } },
  })

  it('needs a label of its namespace for admin access', async () => {
    const server = newest()
    const admin = claim({ adminAccess: true })
    expect(causesOf((await post(server, CLAIMS, admin)).json)).toEqual([
      'spec.devices.requests[0].adminAccess: Forbidden: admin access to devices requires the `resource.kubernetes.io/admin-access: true` label on the containing namespace',
    ])
    const labels = { 'resource.kubernetes.io/admin-access': 'true' }
    await patch(server, '/api/v1/namespaces/default', { metadata: { labels } })
    expect((await post(server, CLAIMS, admin)).status).toBe(201)
  })

  it('has tolerations with an operator', async () => {
    const tolerations = [{ key: 'a', operator: 'Exists', value: 'b' }, { operator: 'X' }]
    expect(causesOf((await post(newest(), CLAIMS, claim({ tolerations }))).json)).toEqual([
      'spec.devices.requests[0].exactly.tolerations[0].value: Invalid value: "b": must be empty for operator `Exists`',
      'spec.devices.requests[0].exactly.tolerations[1].operator: Unsupported value: "X": supported values: "Equal", "Exists"',
    ])
  })

  it('reports devices that are allocated, and keeps its allocation', async () => {
    const server = newest()
    await post(server, CLAIMS, claim({}))
    const result = { request: 'r', driver: 'a.b', pool: 'p', device: 'd' }
    const allocate = (device: string, devices: object[] = []) =>
      patch(server, `${CLAIMS}/c/status`, {
        status: { allocation: { devices: { results: [{ ...result, device }] } }, devices },
      })
    const stray = [{ driver: 'a.b', pool: 'p', device: 'x', networkData: { ips: ['1'] } }]
    expect(causesOf((await allocate('d', stray)).json)).toEqual([
      'status.devices[0]: Invalid value: "a.b/p/x": must be an allocated device in the claim',
      'status.devices[0].networkData.ips[0]: Invalid value: "1": must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)',
    ])
    expect((await allocate('d')).status).toBe(200)
    expect(causesOf((await allocate('e')).json)).toEqual([
      'status.allocation: Invalid value: null: field cannot be modified once set',
    ])
  })
})
