/** StatefulSets with completed pods and with claims that cannot be created. */
import { afterEach, describe, expect, it } from 'vitest'
import { type Cluster, podTemplate, testCluster } from '../support/cluster'

const SETS = '/apis/apps/v1/namespaces/default/statefulsets'
const CORE = '/api/v1/namespaces/default'

let cluster: Cluster
afterEach(() => cluster.close())

const running = async () => {
  cluster = await testCluster({ scheduler: true, nodes: 1 })
  await cluster.pass(1)
}
const get = async (path: string) => (await cluster.sendRequest({ path })).json
const create = (path: string, body: object) => cluster.sendRequest({ method: 'POST', path, body })
const patch = (path: string, body: object) =>
  cluster.sendRequest({
    method: 'PATCH',
    path,
    body,
    headers: { 'content-type': 'application/merge-patch+json' },
  })
const set = (members: object = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 's' },
  spec: {
    serviceName: 's',
    selector: { matchLabels: { app: 's' } },
    template: podTemplate('s'),
    ...members,
  },
})
const volumeClaimTemplates = [
  {
    metadata: { name: 'data' },
    spec: {
      accessModes: ['ReadWriteOnce'],
      storageClassName: '',
      resources: { requests: { storage: '1Gi' } },
    },
  },
]
const volume = (name: string) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name },
  spec: {
    capacity: { storage: '1Gi' },
    accessModes: ['ReadWriteOnce'],
    hostPath: { path: `/${name}` },
  },
})
const events = async (): Promise<string[]> =>
  (await get(`${CORE}/events?fieldSelector=involvedObject.kind=StatefulSet`)).items.map(
    ({ type, reason, message }: Record<string, string>) => `${type} ${reason} ${message}`,
  )

describe('a StatefulSet', () => {
  it('replaces a completed pod with only the event of its deletion', async () => {
    await running()
    await create(SETS, set())
    await cluster.pass(5)
    const { metadata } = await get(`${CORE}/pods/s-0`)
    await cluster.sendRequest({
      method: 'PATCH',
      path: `${CORE}/pods/s-0/status`,
      body: { status: { phase: 'Failed' } },
      headers: { 'content-type': 'application/merge-patch+json' },
    })
    await cluster.pass(5)
    const pod = await get(`${CORE}/pods/s-0`)
    expect(pod.metadata.uid).not.toBe(metadata.uid)
    expect(pod.status.phase).toBe('Running')
    expect(await events()).toEqual([
      'Normal SuccessfulCreate create Pod s-0 in StatefulSet s successful',
      'Normal SuccessfulDelete delete Pod s-0 in StatefulSet s successful',
    ])
  })

  it('reports claims that cannot be created', async () => {
    await running()
    const spec = { hard: { persistentvolumeclaims: '0' } }
    await create(`${CORE}/resourcequotas`, {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'q' },
      spec,
    })
    await cluster.pass(1)
    await create(SETS, set({ volumeClaimTemplates }))
    await cluster.pass(1)
    const rejected =
      'persistentvolumeclaims "data-s-0" is forbidden: exceeded quota: q, requested: persistentvolumeclaims=1, used: persistentvolumeclaims=0, limited: persistentvolumeclaims=0'
    expect(await events()).toEqual([
      `Warning FailedCreate create Claim data-s-0 for Pod s-0 in StatefulSet s failed error: ${rejected}`,
      `Warning FailedCreate create Pod s-0 in StatefulSet s failed error: failed to create PVC data-s-0: ${rejected}`,
    ])
  })

  it('creates no pod while its claim is terminating', async () => {
    await running()
    const [template] = volumeClaimTemplates
    const claim = {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'data-s-0', finalizers: ['a.b/held'] },
      spec: template?.spec,
    }
    await create(`${CORE}/persistentvolumeclaims`, claim)
    await cluster.sendRequest({ method: 'DELETE', path: `${CORE}/persistentvolumeclaims/data-s-0` })
    await create(SETS, set({ volumeClaimTemplates }))
    await cluster.pass(1)
    expect(await events()).toEqual([
      'Warning FailedCreate create Pod s-0 in StatefulSet s failed error: pvc data-s-0 is being deleted',
    ])
    await patch(`${CORE}/persistentvolumeclaims/data-s-0`, { metadata: { finalizers: null } })
    await create('/api/v1/persistentvolumes', volume('v'))
    await cluster.pass(5)
    expect((await get(`${CORE}/pods/s-0`)).status.phase).toBe('Running')
  })

  it('waits for a claim that is deleted with the previous pod of its ordinal', async () => {
    await running()
    for (const name of ['v1', 'v2', 'v3']) await create('/api/v1/persistentvolumes', volume(name))
    await create(
      SETS,
      set({
        replicas: 2,
        volumeClaimTemplates,
        persistentVolumeClaimRetentionPolicy: { whenScaled: 'Delete' },
      }),
    )
    await cluster.pass(10)
    await patch(`${CORE}/persistentvolumeclaims/data-s-1`, {
      metadata: { finalizers: ['a.b/held'] },
    })
    await patch(`${SETS}/s`, { spec: { replicas: 1 } })
    await cluster.pass(5)
    await patch(`${SETS}/s`, { spec: { replicas: 2 } })
    await cluster.pass(5)
    expect((await cluster.sendRequest({ path: `${CORE}/pods/s-1` })).status).toBe(404)
    await patch(`${CORE}/persistentvolumeclaims/data-s-1`, { metadata: { finalizers: null } })
    await cluster.pass(5)
    expect((await get(`${CORE}/pods/s-1`)).status.phase).toBe('Running')
    expect(
      (await get(`${CORE}/persistentvolumeclaims/data-s-1`)).metadata.ownerReferences,
    ).toBeUndefined()
  })
})

it('sets the owner of the claims of a new pod, with an event only for later changes', async () => {
  await running()
  await create('/api/v1/persistentvolumes', volume('v'))
  const keep = (whenDeleted: string) => ({ persistentVolumeClaimRetentionPolicy: { whenDeleted } })
  await create(SETS, set({ volumeClaimTemplates, ...keep('Delete') }))
  await cluster.pass(10)
  const owners = async () =>
    (await get(`${CORE}/persistentvolumeclaims/data-s-0`)).metadata.ownerReferences
  expect(await owners()).toMatchObject([{ kind: 'StatefulSet', name: 's' }])
  const reported = 'Normal SuccessfulUpdate update Pod s-0 in StatefulSet s successful'
  expect(await events()).not.toContain(reported)
  await patch(`${SETS}/s`, { spec: keep('Retain') })
  await cluster.pass(1)
  expect(await owners()).toBeUndefined()
  expect(await events()).toContain(reported)
})

/** A set without a scheduler: pods stay pending unless the test changes them. */
const unscheduled = (members: object = {}) =>
  set({ template: podTemplate('s', 'img:1', { schedulerName: 'none' }), ...members })

it('sets the owner of the claims of pending pods without an event', async () => {
  await running()
  await create(SETS, unscheduled({ volumeClaimTemplates }))
  await cluster.pass(1)
  await patch(`${SETS}/s`, {
    spec: { persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete' } },
  })
  await cluster.pass(1)
  expect(
    (await get(`${CORE}/persistentvolumeclaims/data-s-0`)).metadata.ownerReferences,
  ).toMatchObject([{ kind: 'StatefulSet' }])
  expect((await events()).filter((event) => event.includes('Update'))).toEqual([])
})

it('recreates a deleted claim of a pending pod at the next sync', async () => {
  await running()
  await create(SETS, unscheduled({ volumeClaimTemplates }))
  await cluster.pass(1)
  const claim = async () =>
    (await cluster.sendRequest({ path: `${CORE}/persistentvolumeclaims/data-s-0` })).status
  await cluster.sendRequest({ method: 'DELETE', path: `${CORE}/persistentvolumeclaims/data-s-0` })
  await cluster.pass(5)
  expect(await claim()).toBe(404)
  await patch(`${SETS}/s`, { metadata: { labels: { looked: 'at' } } })
  await cluster.pass(1)
  expect(await claim()).toBe(200)
})

it('emits an event for a ready pod that the same sync deletes', async () => {
  await running()
  await create(SETS, unscheduled())
  await cluster.pass(1)
  await patch(`${SETS}/s`, {
    spec: { template: { metadata: { labels: { app: 's', version: '2' } } } },
  })
  await cluster.pass(1)
  const conditions = [{ type: 'Ready', status: 'True' }]
  await patch(`${CORE}/pods/s-0/status`, { status: { phase: 'Running', conditions } })
  await cluster.pass(5)
  const { status, metadata } = await get(`${SETS}/s`)
  expect(status).toMatchObject({ replicas: 1, updatedReplicas: 1, availableReplicas: 0 })
  const written = metadata.managedFields.find(
    ({ subresource }: { subresource?: string }) => subresource === 'status',
  )
  expect(written.fieldsV1['f:status']).toHaveProperty(['f:availableReplicas'])
})

describe('a StatefulSet with MaxUnavailableStatefulSet', () => {
  it('updates maxUnavailable pods at a time', async () => {
    cluster = await testCluster({
      scheduler: true,
      nodes: 1,
      featureGates: { MaxUnavailableStatefulSet: true },
    })
    await cluster.pass(1)
    const updateStrategy = { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 2 } }
    await create(SETS, set({ replicas: 4, podManagementPolicy: 'Parallel', updateStrategy }))
    await cluster.pass(30)
    await patch(`${SETS}/s`, {
      spec: { template: { metadata: { annotations: { changed: 'yes' } } } },
    })
    await cluster.pass(120)
    const deletions = (await events()).filter((text) => text.includes('SuccessfulDelete'))
    expect(deletions.map((text) => text.match(/s-\d/)?.[0])).toEqual(['s-3', 's-2', 's-1', 's-0'])
    const { status } = await get(`${SETS}/s`)
    expect(status.updatedReplicas).toBe(4)
  })
})
