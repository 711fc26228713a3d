/** Binding of PersistentVolumeClaims to classes and volumes. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Cluster, testCluster } from '../support/cluster'

const CLAIMS = '/api/v1/namespaces/default/persistentvolumeclaims'
const CLASSES = '/apis/storage.k8s.io/v1/storageclasses'

let cluster: Cluster
beforeEach(async () => {
  cluster = await testCluster()
})
afterEach(() => cluster.close())

const post = (path: string, body: object) => cluster.sendRequest({ method: 'POST', path, body })
const claim = (name: string, spec: object = {}) => ({
  metadata: { name },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
})
const storageClass = (name: string, standard: boolean) => ({
  metadata: {
    name,
    annotations: { 'storageclass.kubernetes.io/is-default-class': String(standard) },
  },
  provisioner: 'example.com/none',
})
const classOf = async (name: string) =>
  (await cluster.sendRequest({ path: `${CLAIMS}/${name}` })).json.spec.storageClassName

it('assigns a default class that is created after the claim', async () => {
  await post(CLAIMS, claim('any'))
  await post(CLAIMS, claim('none', { storageClassName: '' }))
  await post(CLAIMS, claim('other', { storageClassName: 'other' }))
  await post(CLASSES, storageClass('plain', false))
  expect(await classOf('any')).toBeUndefined()

  await post(CLASSES, storageClass('standard', true))
  expect(await classOf('any')).toBe('standard')
  expect(await classOf('none')).toBe('')
  expect(await classOf('other')).toBe('other')
  const { annotations } = (await cluster.sendRequest({ path: `${CLAIMS}/any` })).json.metadata
  expect(annotations['volume.kubernetes.io/storage-provisioner']).toBe('example.com/none')
})

it('uses a class that becomes the default', async () => {
  await post(CLASSES, storageClass('plain', false))
  await post(CLAIMS, claim('any'))
  const headers = { 'content-type': 'application/merge-patch+json' }
  const { metadata } = storageClass('plain', true)
  await cluster.sendRequest({
    method: 'PATCH',
    path: `${CLASSES}/plain`,
    body: { metadata },
    headers,
  })
  expect(await classOf('any')).toBe('plain')
})

const volume = (name: string, storage: string, accessModes: string[], spec: object = {}) =>
  post('/api/v1/persistentvolumes', {
    metadata: { name },
    spec: {
      capacity: { storage },
      accessModes,
      hostPath: { path: `/${name}` },
      storageClassName: '',
      ...spec,
    },
  })
const get = async (path: string) => (await cluster.sendRequest({ path })).json
const patchVolume = (name: string, spec: object) =>
  cluster.sendRequest({
    method: 'PATCH',
    path: `/api/v1/persistentvolumes/${name}`,
    body: { spec },
    headers: { 'content-type': 'application/merge-patch+json' },
  })

it('prefers a larger volume to one with more access modes', async () => {
  await volume('shared', '1Gi', ['ReadWriteOnce', 'ReadWriteMany'])
  await volume('large', '9Gi', ['ReadWriteOnce'])
  await volume('larger', '10Gi', ['ReadWriteOnce'])
  await post(CLAIMS, claim('c', { storageClassName: '' }))
  await cluster.pass(1)
  expect((await get(`${CLAIMS}/c`)).spec.volumeName).toBe('large')
})

it('binds a volume with a matching claimRef, even of another class', async () => {
  await volume('promised', '1Gi', ['ReadWriteOnce'], {
    storageClassName: 'one',
    claimRef: { namespace: 'default', name: 'c' },
  })
  await volume('free', '1Gi', ['ReadWriteOnce'], { storageClassName: 'two' })
  await post(CLAIMS, claim('c', { storageClassName: 'two' }))
  await cluster.pass(1)
  expect((await get(`${CLAIMS}/c`)).spec.volumeName).toBe('promised')
})

it('applies the current reclaim policy to a released volume', async () => {
  await volume('kept', '1Gi', ['ReadWriteOnce'])
  await post(CLAIMS, claim('c', { storageClassName: '' }))
  await cluster.pass(1)
  await cluster.sendRequest({ method: 'DELETE', path: `${CLAIMS}/c` })
  await cluster.pass(1)
  expect((await get('/api/v1/persistentvolumes/kept')).status.phase).toBe('Released')
  await patchVolume('kept', { persistentVolumeReclaimPolicy: 'Recycle' })
  await cluster.pass(1)
  const message = 'No recycler plugin found for the volume!'
  expect((await get('/api/v1/persistentvolumes/kept')).status).toMatchObject({
    phase: 'Failed',
    message,
  })
  const { items } = await get(
    '/api/v1/namespaces/default/events?fieldSelector=reason%3DVolumeFailedRecycle',
  )
  expect(items).toMatchObject([{ type: 'Warning', message }])
})

it('restores the protection finalizer of an object that is not deleted', async () => {
  await volume('v', '1Gi', ['ReadWriteOnce'])
  await post(CLAIMS, claim('c', { storageClassName: '' }))
  await cluster.pass(1)
  const headers = { 'content-type': 'application/merge-patch+json' }
  const body = { metadata: { finalizers: ['example.com/own'] } }
  for (const path of [`${CLAIMS}/c`, '/api/v1/persistentvolumes/v'])
    await cluster.sendRequest({ method: 'PATCH', path, body, headers })
  await cluster.pass(1)
  const finalizersOf = async (path: string) => (await get(path)).metadata.finalizers
  expect(await finalizersOf(`${CLAIMS}/c`)).toEqual([
    'example.com/own',
    'kubernetes.io/pvc-protection',
  ])
  expect(await finalizersOf('/api/v1/persistentvolumes/v')).toEqual([
    'example.com/own',
    'kubernetes.io/pv-protection',
  ])
})

it('creates an ephemeral claim once a conflicting claim is deleted', async () => {
  await cluster.pass(1)
  const ephemeral = (template: object) => ({
    containers: [{ name: 'c', image: 'img:1' }],
    volumes: [{ name: 'data', ephemeral: { volumeClaimTemplate: { spec: template } } }],
  })
  const pods = '/api/v1/namespaces/default/pods'
  await post(CLAIMS, claim('p-data'))
  await post(pods, { metadata: { name: 'p' }, spec: ephemeral(claim('').spec) })
  const quota = { metadata: { name: 'few' }, spec: { hard: { persistentvolumeclaims: '1' } } }
  await post('/api/v1/namespaces/default/resourcequotas', quota)
  await cluster.pass(1)
  await post(pods, { metadata: { name: 'q' }, spec: ephemeral(claim('').spec) })
  const reported = async (name: string): Promise<string[]> =>
    (
      await get(`/api/v1/namespaces/default/events?fieldSelector=involvedObject.name%3D${name}`)
    ).items.map(
      ({ type, reason, message }: Record<string, string>) => `${type} ${reason} ${message}`,
    )
  expect(await reported('p')).toEqual([
    'Warning FailedBinding ephemeral volume data: PVC default/p-data was not created for pod default/p (pod is not owner)',
  ])
  const [first] = await reported('q')
  expect(first).toMatch(
    /^Warning FailedBinding ephemeral volume data: create PVC q-data: persistentvolumeclaims "q-data" is forbidden: exceeded quota/,
  )
  await cluster.sendRequest({
    method: 'DELETE',
    path: '/api/v1/namespaces/default/resourcequotas/few',
  })
  await cluster.sendRequest({ method: 'DELETE', path: `${CLAIMS}/p-data` })
  await cluster.pass(1)
  expect((await get(`${CLAIMS}/p-data`)).metadata.ownerReferences).toMatchObject([
    { kind: 'Pod', name: 'p' },
  ])
})

it.each([
  [
    'a path of the node',
    { hostPath: { path: '/x' } },
    ['Warning', 'waiting for an external controller to expand this PVC'],
    undefined,
  ],
  [
    'a disk that a driver took over',
    { awsElasticBlockStore: { volumeID: 'x' } },
    [
      'Normal',
      'CSI migration enabled for kubernetes.io/aws-ebs; waiting for external resizer to expand the pvc',
    ],
    'ebs.csi.aws.com',
  ],
])('reports which component expands a volume: %s', async (_, source, reported, resizer) => {
  await post(CLASSES, {
    metadata: { name: 'grows' },
    provisioner: 'example.com/none',
    allowVolumeExpansion: true,
  })
  const spec = {
    storageClassName: 'grows',
    capacity: { storage: '1Gi' },
    accessModes: ['ReadWriteOnce'],
    ...source,
  }
  expect(
    (await post('/api/v1/persistentvolumes', { metadata: { name: 'disk' }, spec })).status,
  ).toBe(201)
  await post(CLAIMS, claim('data', { storageClassName: 'grows' }))
  await cluster.pass(1)
  const headers = { 'content-type': 'application/merge-patch+json' }
  const body = { spec: { resources: { requests: { storage: '2Gi' } } } }
  expect(
    (await cluster.sendRequest({ method: 'PATCH', path: `${CLAIMS}/data`, headers, body })).status,
  ).toBe(200)
  await cluster.pass(1)
  const events = (
    await cluster.sendRequest({
      path: '/api/v1/namespaces/default/events?fieldSelector=reason%3DExternalExpanding',
    })
  ).json.items
  expect(
    events.map(({ type, message }: { type: string; message: string }) => [type, message]),
  ).toEqual([reported])
  const { annotations } = (await cluster.sendRequest({ path: `${CLAIMS}/data` })).json.metadata
  expect(annotations['volume.kubernetes.io/storage-resizer']).toBe(resizer)
})

const reportedBy = async (name: string): Promise<string[]> =>
  (
    await get(`/api/v1/namespaces/default/events?fieldSelector=involvedObject.name%3D${name}`)
  ).items.map(({ type, reason, message }: Record<string, string>) => `${type} ${reason} ${message}`)

it('reports why the requested volume does not fit, even if it is created later', async () => {
  await post(CLAIMS, claim('c', { storageClassName: 'x', volumeName: 'late' }))
  await post(CLAIMS, claim('d', { storageClassName: 'x', volumeName: 'promised' }))
  await cluster.pass(1)
  await volume('late', '1Gi', ['ReadOnlyMany'], { storageClassName: 'x' })
  const claimRef = { namespace: 'default', name: 'other' }
  await volume('promised', '1Gi', ['ReadWriteOnce'], { storageClassName: 'x', claimRef })
  await cluster.pass(1)
  expect(await reportedBy('c')).toEqual([
    'Warning VolumeMismatch Cannot bind to requested volume "late": incompatible accessMode',
  ])
  expect(await reportedBy('d')).toEqual([
    'Warning FailedBinding volume "promised" already bound to a different claim.',
  ])
})

it.each([
  [
    'kubernetes.io/gce-pd',
    'pd.csi.storage.gke.io',
    /^Normal ExternalProvisioning .* external provisioner 'pd\.csi\.storage\.gke\.io' or/,
  ],
  [
    'kubernetes.io/host-path',
    'kubernetes.io/host-path',
    /^Warning ProvisioningFailed Failed to create provisioner: provisioning in volume plugin "kubernetes\.io\/host-path" is disabled$/,
  ],
  [
    'kubernetes.io/nfs',
    undefined,
    /^Warning ProvisioningFailed no provisionable volume plugin matched$/,
  ],
  [
    'kubernetes.io/rbd',
    undefined,
    /^Warning ProvisioningFailed no volume plugin matched name: kubernetes\.io\/rbd$/,
  ],
])(
  'reports which component provisions a volume of a class of %s',
  async (provisioner, maker, reported) => {
    await post(CLASSES, { metadata: { name: 'old' }, provisioner })
    await post(CLAIMS, claim('c', { storageClassName: 'old' }))
    await cluster.pass(1)
    const { annotations } = (await get(`${CLAIMS}/c`)).metadata
    expect(annotations?.['volume.kubernetes.io/storage-provisioner']).toBe(maker)
    expect(await reportedBy('c')).toEqual([expect.stringMatching(reported)])
  },
)

it('annotates a migrated volume with its CSI driver, and leaves the deletion to it', async () => {
  const metadata = {
    name: 'disk',
    annotations: { 'pv.kubernetes.io/provisioned-by': 'kubernetes.io/aws-ebs' },
  }
  const spec = {
    storageClassName: 'x',
    capacity: { storage: '1Gi' },
    accessModes: ['ReadWriteOnce'],
    persistentVolumeReclaimPolicy: 'Delete',
  }
  await post('/api/v1/persistentvolumes', {
    metadata,
    spec: { ...spec, awsElasticBlockStore: { volumeID: 'v' } },
  })
  await post(CLAIMS, claim('c', { storageClassName: 'x' }))
  await cluster.pass(1)
  await cluster.sendRequest({ method: 'DELETE', path: `${CLAIMS}/c` })
  await cluster.pass(1)
  const disk = await get('/api/v1/persistentvolumes/disk')
  expect(disk.metadata.annotations['pv.kubernetes.io/migrated-to']).toBe('ebs.csi.aws.com')
  expect(disk.status.phase).toBe('Released')
})

it.each([
  ['a path below /tmp', { path: '/tmp/data' }, undefined],
  [
    'another path',
    { path: '/data' },
    'host_path deleter only supports /tmp/.+ but received provided /data',
  ],
])('deletes a released hostPath volume only below /tmp: %s', async (_, hostPath, message) => {
  await volume('v', '1Gi', ['ReadWriteOnce'], {
    storageClassName: 'x',
    hostPath,
    persistentVolumeReclaimPolicy: 'Delete',
  })
  await post(CLAIMS, claim('c', { storageClassName: 'x' }))
  await cluster.pass(1)
  await cluster.sendRequest({ method: 'DELETE', path: `${CLAIMS}/c` })
  await cluster.pass(1)
  const { status } = await get('/api/v1/persistentvolumes/v')
  if (message === undefined) expect(status).toBe('Failure')
  else expect(status).toMatchObject({ phase: 'Failed', message })
})
