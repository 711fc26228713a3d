/** The storage.k8s.io kinds: which objects they reject, and which fields are immutable. */
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/engine/core/object'
import { testServer } from './server'

const CLASSES = '/apis/storage.k8s.io/v1/storageclasses'
const DRIVERS = '/apis/storage.k8s.io/v1/csidrivers'
const NODES = '/apis/storage.k8s.io/v1/csinodes'
const MERGE = 'application/merge-patch+json'

const storage = (kind: string, name: string, members: JsonObject): JsonObject => ({
  apiVersion: 'storage.k8s.io/v1',
  kind,
  metadata: { name },
  ...members,
})

interface ErrorBody {
  message: string
  details: { causes: { field: string; message: string }[] }
}

async function rejectedFields(
  server: ReturnType<typeof testServer>,
  method: string,
  path: string,
  body: JsonObject,
  type?: string,
) {
  const { status, body: response } = await server.send<ErrorBody>(method, path, body, type)
  expect(status, JSON.stringify(response)).toBe(422)
  return response.details.causes.map(({ field }) => field)
}

it('rejects unknown values in a storage class, and changes of immutable fields', async () => {
  const server = testServer()
  const bad = storage('StorageClass', 'fast', {
    provisioner: '-',
    reclaimPolicy: 'Recycle',
    volumeBindingMode: 'Later',
  })
  expect(await rejectedFields(server, 'POST', CLASSES, bad)).toEqual([
    'provisioner',
    'reclaimPolicy',
    'volumeBindingMode',
  ])
  await server.send(
    'POST',
    CLASSES,
    storage('StorageClass', 'fast', { provisioner: 'a.b/c', parameters: { type: 'ssd' } }),
  )
  const change = {
    parameters: { type: 'disk' },
    provisioner: 'x.y/z',
    volumeBindingMode: 'WaitForFirstConsumer',
  }
  expect(await rejectedFields(server, 'PATCH', `${CLASSES}/fast`, change, MERGE)).toEqual([
    'parameters',
    'provisioner',
    'volumeBindingMode',
  ])
  expect(
    (await server.send('PATCH', `${CLASSES}/fast`, { allowVolumeExpansion: true }, MERGE)).status,
  ).toBe(200)
})

it('rejects a repeated topology, whatever the order of its values', async () => {
  const server = testServer()
  const zones = (...values: string[]) => ({ matchLabelExpressions: [{ key: 'zone', values }] })
  const object = storage('StorageClass', 'fast', {
    provisioner: 'a.b/c',
    allowedTopologies: [zones('a', 'b'), zones('b', 'a')],
  })
  expect(await rejectedFields(server, 'POST', CLASSES, object)).toEqual([
    'allowedTopologies[1].matchLabelExpressions',
  ])
})

it('reports a repeated topology once each, and an empty one for every entry', async () => {
  const server = testServer()
  const zones = { matchLabelExpressions: [{ key: 'zone', values: ['a'] }] }
  const object = storage('StorageClass', 'fast', {
    provisioner: 'a.b/c',
    allowedTopologies: [zones, zones, zones, {}],
  })
  const fields = await rejectedFields(server, 'POST', CLASSES, object)
  const times = (index: number) =>
    fields.filter((field) => field === `allowedTopologies[${index}].matchLabelExpressions`).length
  expect([0, 1, 2, 3].map(times)).toEqual([0, 1, 2, 4])
})

it('requires the values of a topology', async () => {
  const expressions: JsonObject[] = [{ key: 'zone' }, { key: 'rack', values: [] }]
  const object = storage('StorageClass', 'fast', {
    provisioner: 'a.b/c',
    allowedTopologies: [{ matchLabelExpressions: expressions }],
  })
  const path = 'allowedTopologies[0].matchLabelExpressions'
  expect(await rejectedFields(testServer(), 'POST', CLASSES, object)).toEqual([
    `${path}[0].values`,
    `${path}[1].values`,
  ])
})

it('validates the number of parameters before the parameters', async () => {
  const parameters = Object.fromEntries(
    Array.from({ length: 513 }, (_, i) => [i === 0 ? '' : `p${i}`, 'x']),
  )
  const object = storage('StorageClass', 'fast', { provisioner: 'a.b/c', parameters })
  expect(await rejectedFields(testServer(), 'POST', CLASSES, object)).toEqual(['parameters'])
})

it('warns of deprecated node labels', async () => {
  const server = testServer()
  const warningsOf = async (path: string, object: JsonObject) => {
    const { status, headers } = await server.send('POST', path, object)
    expect(status).toBe(201)
    return [headers.warning ?? []].flat()
  }
  const zone = 'failure-domain.beta.kubernetes.io/zone'
  const term = { matchLabelExpressions: [{ key: zone, values: ['a'] }] }
  const text = (label: string) =>
    `deprecated since v1.17; use \\"topology.kubernetes.io/${label}\\" instead`
  const made = storage('StorageClass', 'fast', { provisioner: 'a.b/c', allowedTopologies: [term] })
  expect(await warningsOf(CLASSES, made)).toEqual([
    `299 - "allowedTopologies[0].matchLabelExpressions[0].key: ${text('zone')}"`,
  ])
  const nodeTopology = {
    matchLabels: { 'failure-domain.beta.kubernetes.io/region': 'x' },
    matchExpressions: [{ key: zone, operator: 'Exists' }],
  }
  const capacity = storage('CSIStorageCapacity', 'a', { storageClassName: 'fast', nodeTopology })
  expect(
    await warningsOf('/apis/storage.k8s.io/v1/namespaces/default/csistoragecapacities', capacity),
  ).toEqual([
    `299 - "nodeTopology.matchExpressions[0].key: ${zone} is ${text('zone')}"`,
    `299 - "nodeTopology.matchLabels.failure-domain.beta.kubernetes.io/region: ${text('region')}"`,
  ])
  const runtime = {
    metadata: { name: 'a' },
    handler: 'h',
    scheduling: { nodeSelector: { [zone]: 'a' } },
  }
  expect(await warningsOf('/apis/node.k8s.io/v1/runtimeclasses', runtime)).toEqual([
    `299 - "scheduling.nodeSelector: ${text('zone')}"`,
  ])
})

it('accepts in an inline volume only the fields that CSI drivers need', async () => {
  const attachments = '/apis/storage.k8s.io/v1/volumeattachments'
  const attachment = (inlineVolumeSpec: JsonObject) =>
    storage('VolumeAttachment', 'a', {
      spec: { attacher: 'a.example.com', nodeName: 'n', source: { inlineVolumeSpec } },
    })
  const whole = {
    capacity: { storage: '1Gi' },
    claimRef: { name: 'c' },
    nodeAffinity: {},
    storageClassName: 's',
    volumeMode: 'Block',
  }
  const csi = { driver: 'a.example.com', volumeHandle: '' }
  const at = 'spec.source.inlineVolumeSpec'
  const fields = (inline: JsonObject) =>
    rejectedFields(testServer(), 'POST', attachments, attachment(inline))
  const rejected = [
    'claimRef',
    'capacity',
    'accessModes',
    'nodeAffinity',
    'csi.volumeHandle',
    'storageClassName',
    'volumeMode',
  ]
  expect(await fields({ ...whole, csi })).toEqual(rejected.map((member) => `${at}.${member}`))
  expect(await fields({})).toEqual([`${at}.csi`, `${at}.accessModes`, at])
  expect(await fields({ accessModes: ['ReadWriteOnce'], hostPath: { path: '/' } })).toEqual([
    `${at}.csi`,
  ])
})

it('validates a changed attachment, its status, and a changed node twice', async () => {
  const server = testServer()
  const attachments = '/apis/storage.k8s.io/v1/volumeattachments'
  const spec = { attacher: 'a.example.com', nodeName: 'n', source: { persistentVolumeName: 'v' } }
  await server.send('POST', attachments, storage('VolumeAttachment', 'a', { spec }))
  const change = { spec: { attacher: '' } }
  expect(await rejectedFields(server, 'PATCH', `${attachments}/a`, change, MERGE)).toEqual([
    'spec.attacher',
    'spec.attacher',
    'spec',
  ])
  const status = { status: { attached: false, attachError: { message: 'x'.repeat(1025) } } }
  const { body } = await server.send<ErrorBody>('PATCH', `${attachments}/a/status`, status, MERGE)
  expect(body.details.causes.map(({ field, message }) => `${field}: ${message}`)).toEqual(
    Array(2).fill('status.attachError.message: Too long: must have at most 262144 bytes'),
  )
  await server.send('POST', NODES, storage('CSINode', 'n', { spec: { drivers: [] } }))
  const drivers = { spec: { drivers: [{ name: 'a.example.com', nodeID: '' }] } }
  expect(await rejectedFields(server, 'PATCH', `${NODES}/n`, drivers, MERGE)).toEqual(
    Array(2).fill('spec.drivers[0].nodeID'),
  )
})

it('raises the generation of a driver with its spec, from unset', async () => {
  const server = testServer()
  await server.send('POST', DRIVERS, storage('CSIDriver', 'disk.example.com', { spec: {} }))
  const patched = async (spec: JsonObject) =>
    (await server.send('PATCH', `${DRIVERS}/disk.example.com`, { spec }, MERGE)).body.metadata
      .generation
  expect(await patched({ podInfoOnMount: false })).toBeUndefined()
  expect(await patched({ podInfoOnMount: true })).toBe(1)
  expect(await patched({ tokenRequests: [{ audience: 'vault' }] })).toBe(2)
})

it('rejects changes of a driver of a CSINode, but allows adding and removing drivers', async () => {
  const server = testServer()
  const driver = (name: string, nodeID: string) => ({ name, nodeID, topologyKeys: null })
  await server.send(
    'POST',
    NODES,
    storage('CSINode', 'node-a', { spec: { drivers: [driver('a.example.com', '1')] } }),
  )
  const drivers = (...list: JsonObject[]) => ({ spec: { drivers: list } })
  const change = drivers(driver('a.example.com', '2'))
  expect(await rejectedFields(server, 'PATCH', `${NODES}/node-a`, change, MERGE)).toEqual([
    'CSINodeDriver',
  ])
  expect(
    (await server.send('PATCH', `${NODES}/node-a`, drivers(driver('b.example.com', '2')), MERGE))
      .status,
  ).toBe(200)
})

it('raises the generation of a driver from unset, whichever field changes', async () => {
  const server = testServer()
  const { body: made } = await server.send(
    'POST',
    DRIVERS,
    storage('CSIDriver', 'd.example', { spec: {} }),
  )
  expect(made.metadata.generation).toBeUndefined()
  const changed = async (spec: JsonObject) =>
    (await server.send('PATCH', `${DRIVERS}/d.example?dryRun=All`, { spec }, MERGE)).body.metadata
      .generation
  const changes: JsonObject[] = [
    { storageCapacity: true },
    { podInfoOnMount: true },
    { fsGroupPolicy: 'None' },
    { seLinuxMount: true },
  ]
  for (const spec of [...changes, { tokenRequests: [{ audience: 'a' }] }])
    expect(await changed(spec), JSON.stringify(spec)).toBe(1)
  expect(await changed({ tokenRequests: [] })).toBeUndefined()
})

it('accepts node IDs of up to 256 bytes, and empty topology keys as absent', async () => {
  const server = testServer()
  const node = (length: number, topologyKeys?: string[]) =>
    storage('CSINode', 'n', {
      spec: {
        drivers: [
          {
            name: 'd.example',
            nodeID: 'x'.repeat(length),
            ...(topologyKeys ? { topologyKeys } : {}),
          },
        ],
      },
    })
  expect(await rejectedFields(server, 'POST', NODES, node(257))).toContain('spec.drivers[0].nodeID')
  expect((await server.send('POST', NODES, node(256))).status).toBe(201)
  expect(
    (await server.send('PATCH', `${NODES}/n`, { spec: node(256, []).spec as JsonObject }, MERGE))
      .status,
  ).toBe(200)
})

describe('an inline volume of an attachment', () => {
  const ATTACHMENTS = '/apis/storage.k8s.io/v1/volumeattachments'
  const csi = { driver: 'd.example', volumeHandle: 'h' }
  const attachment = (inlineVolumeSpec: JsonObject) =>
    storage('VolumeAttachment', 'a', {
      spec: { attacher: 'd.example', nodeName: 'n', source: { inlineVolumeSpec } },
    })
  const AT = 'spec.source.inlineVolumeSpec'

  it('has one type, validated like that of a volume', async () => {
    const volume = { accessModes: ['ReadWriteOnce'], csi, nfs: { path: 'x' }, local: { path: 'y' } }
    expect(await rejectedFields(testServer(), 'POST', ATTACHMENTS, attachment(volume))).toEqual([
      `${AT}.nfs.server`,
      `${AT}.nfs.path`,
      `${AT}.local`,
      `${AT}.csi`,
    ])
  })

  it('rejects node affinity, and volumeAttributesClassName only behind its gate', async () => {
    const volume = {
      accessModes: ['ReadWriteOnce'],
      csi,
      nodeAffinity: {},
      volumeAttributesClassName: 'gold',
    }
    expect(await rejectedFields(testServer(), 'POST', ATTACHMENTS, attachment(volume))).toEqual([
      `${AT}.nodeAffinity`,
    ])
    const gated = testServer({ featureGates: { VolumeAttributesClass: true } })
    expect(await rejectedFields(gated, 'POST', ATTACHMENTS, attachment(volume))).toEqual([
      `${AT}.nodeAffinity`,
      `${AT}.volumeAttributesClassName`,
    ])
  })
})
