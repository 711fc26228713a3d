/** The kinds of storage: what they refuse, and what of them never changes. */
import { expect, it } from 'vitest'
import type { JsonObject } from '../../src/engine/object'
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

interface Refusal {
  message: string
  details: { causes: { field: string; message: string }[] }
}

async function refusedFields(server: ReturnType<typeof testServer>, method: string, path: string, body: JsonObject, type?: string) {
  const { status, body: answer } = await server.send<Refusal>(method, path, body, type)
  expect(status, JSON.stringify(answer)).toBe(422)
  return answer.details.causes.map(({ field }) => field)
}

it('lets a storage class say only what it understands, and change only what does not matter to volumes that are there', async () => {
  const server = testServer()
  const bad = storage('StorageClass', 'fast', { provisioner: '-', reclaimPolicy: 'Recycle', volumeBindingMode: 'Later' })
  expect(await refusedFields(server, 'POST', CLASSES, bad)).toEqual(['provisioner', 'reclaimPolicy', 'volumeBindingMode'])
  await server.send('POST', CLASSES, storage('StorageClass', 'fast', { provisioner: 'a.b/c', parameters: { type: 'ssd' } }))
  const change = { parameters: { type: 'disk' }, provisioner: 'x.y/z', volumeBindingMode: 'WaitForFirstConsumer' }
  expect(await refusedFields(server, 'PATCH', `${CLASSES}/fast`, change, MERGE)).toEqual(['parameters', 'provisioner', 'volumeBindingMode'])
  expect((await server.send('PATCH', `${CLASSES}/fast`, { allowVolumeExpansion: true }, MERGE)).status).toBe(200)
})

it('takes the same topology once, whatever the order of its values', async () => {
  const server = testServer()
  const zones = (...values: string[]) => ({ matchLabelExpressions: [{ key: 'zone', values }] })
  const object = storage('StorageClass', 'fast', { provisioner: 'a.b/c', allowedTopologies: [zones('a', 'b'), zones('b', 'a')] })
  expect(await refusedFields(server, 'POST', CLASSES, object)).toEqual(['allowedTopologies[1].matchLabelExpressions'])
})

it('counts generations of a driver by what pods notice of it', async () => {
  const server = testServer()
  await server.send('POST', DRIVERS, storage('CSIDriver', 'disk.example.com', { spec: {} }))
  const patched = async (spec: JsonObject) =>
    (await server.send('PATCH', `${DRIVERS}/disk.example.com`, { spec }, MERGE)).body.metadata.generation
  expect(await patched({ podInfoOnMount: true })).toBeUndefined()
  expect(await patched({ requiresRepublish: true })).toBe(1)
  expect(await patched({ tokenRequests: [{ audience: 'vault' }] })).toBe(2)
})

it('keeps what a driver said of a node, but lets drivers come and go', async () => {
  const server = testServer()
  const driver = (name: string, nodeID: string) => ({ name, nodeID, topologyKeys: null })
  await server.send('POST', NODES, storage('CSINode', 'node-a', { spec: { drivers: [driver('a.example.com', '1')] } }))
  const drivers = (...list: JsonObject[]) => ({ spec: { drivers: list } })
  const change = drivers(driver('a.example.com', '2'))
  expect(await refusedFields(server, 'PATCH', `${NODES}/node-a`, change, MERGE)).toEqual(['CSINodeDriver'])
  expect((await server.send('PATCH', `${NODES}/node-a`, drivers(driver('b.example.com', '2')), MERGE)).status).toBe(200)
})

const lines = (...text: string[]) => [...text, ''].join('\n')

/** What the one refused field says after its reason. */
async function refusal(server: ReturnType<typeof testServer>, path: string, spec: JsonObject): Promise<string> {
  const { status, body } = await server.send<Refusal>('PATCH', path, { spec }, MERGE)
  expect(status).toBe(422)
  return body.details.causes[0]?.message ?? ''
}

it('shows how a claim would change that may not change', async () => {
  const server = testServer()
  const claims = '/api/v1/namespaces/default/persistentvolumeclaims'
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, storageClassName: 'fast' }
  await server.send('POST', claims, { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'data' }, spec })
  const why = 'Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims'
  const size = { resources: { requests: { storage: '2Gi' } } }
  expect(await refusal(server, `${claims}/data`, size)).toBe(
    lines(
      why,
      '  core.PersistentVolumeClaimSpec{',
      '  \tAccessModes: {"ReadWriteOnce"},',
      '  \tSelector:    nil,',
      '  \tResources: core.VolumeResourceRequirements{',
      '  \t\tLimits: nil,',
      '- \t\tRequests: core.ResourceList{',
      '- \t\t\ts"storage": {i: resource.int64Amount{value: 1073741824}, s: "1Gi", Format: "BinarySI"},',
      '- \t\t},',
      '+ \t\tRequests: core.ResourceList{',
      '+ \t\t\ts"storage": {i: resource.int64Amount{value: 2147483648}, s: "2Gi", Format: "BinarySI"},',
      '+ \t\t},',
      '  \t},',
      '  \tVolumeName:       "",',
      '  \tStorageClassName: &"fast",',
      '  \t... // 4 identical fields',
      '  }',
    ),
  )
  // What may change shows the volume that is new, while what differs is shown.
  expect(await refusal(server, `${claims}/data`, { volumeName: 'pv-x', storageClassName: 'slow' })).toBe(
    lines(
      why,
      '  core.PersistentVolumeClaimSpec{',
      '  \t... // 2 identical fields',
      '  \tResources:        {Requests: {s"storage": {i: {...}, s: "1Gi", Format: "BinarySI"}}},',
      '  \tVolumeName:       "pv-x",',
      '- \tStorageClassName: &"fast",',
      '+ \tStorageClassName: &"slow",',
      '  \tVolumeMode:       &"Filesystem",',
      '  \tDataSource:       nil,',
      '  \t... // 2 identical fields',
      '  }',
    ),
  )
})

it('shows how the source of a volume would change', async () => {
  const server = testServer()
  const volumes = '/api/v1/persistentvolumes'
  const spec = { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, hostPath: { path: '/data' } }
  await server.send('POST', volumes, { apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: 'a' }, spec })
  expect(await refusal(server, `${volumes}/a`, { hostPath: { path: '/other' } })).toBe(
    lines(
      'Forbidden: spec.persistentvolumesource is immutable after creation',
      '  core.PersistentVolumeSource{',
      '  \tGCEPersistentDisk:    nil,',
      '  \tAWSElasticBlockStore: nil,',
      '  \tHostPath: &core.HostPathVolumeSource{',
      '- \t\tPath: "/data",',
      '+ \t\tPath: "/other",',
      '  \t\tType: &"",',
      '  \t},',
      '  \tGlusterfs: nil,',
      '  \tNFS:       nil,',
      '  \t... // 17 identical fields',
      '  }',
    ),
  )
})
