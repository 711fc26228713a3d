/** From a Deployment to running pods, with controllers, scheduler and simulated nodes. */
import { afterEach, describe, expect, it } from 'vitest'
import { type Cluster, deployment, podTemplate, testCluster } from '../support/cluster'

const APPS = '/apis/apps/v1/namespaces/default'
const CORE = '/api/v1/namespaces/default'
const BATCH = '/apis/batch/v1/namespaces/default'

let cluster: Cluster
afterEach(() => cluster.close())

const running = async (nodes = 1) => {
  cluster = await testCluster({ scheduler: true, nodes })
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
const podsOf = async (app: string) => (await get(`${CORE}/pods?labelSelector=app%3D${app}`)).items

describe('a Deployment', () => {
  it('runs on simulated nodes and becomes available', async () => {
    await running(2)
    await create(`${APPS}/deployments`, deployment('web', 3))
    await cluster.pass(5)
    expect((await get(`${APPS}/deployments/web`)).status).toMatchObject({
      replicas: 3,
      readyReplicas: 3,
      availableReplicas: 3,
    })
    const nodes = (await podsOf('web')).map(
      (pod: { spec: { nodeName: string } }) => pod.spec.nodeName,
    )
    expect(new Set(nodes)).toEqual(new Set(['node-1', 'node-2']))
  })

  it('replaces its pods for a new template, and keeps the old ReplicaSet', async () => {
    await running()
    await create(`${APPS}/deployments`, deployment('web', 2))
    await cluster.pass(5)
    await patch(`${APPS}/deployments/web`, {
      spec: { template: { spec: { containers: [{ name: 'c', image: 'img:2' }] } } },
    })
    await cluster.pass(30)
    const images = (await podsOf('web')).map(
      (pod: { spec: { containers: { image: string }[] } }) => pod.spec.containers[0]?.image,
    )
    expect(images).toEqual(['img:2', 'img:2'])
    const sets = (await get(`${APPS}/replicasets`)).items
    expect(sets.map(({ spec }: { spec: { replicas: number } }) => spec.replicas).sort()).toEqual([
      0, 2,
    ])
  })

  it('continues the revision numbers of an adopted ReplicaSet', async () => {
    await running()
    const labels = { app: 'web' }
    const annotations = { 'deployment.kubernetes.io/revision': '9007199254740993' }
    const spec = {
      replicas: 1,
      selector: { matchLabels: labels },
      template: podTemplate('web', 'img:0'),
    }
    await create(`${APPS}/replicasets`, {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: { name: 'own', labels, annotations },
      spec,
    })
    await create(`${APPS}/deployments`, deployment('web', 1))
    await cluster.pass(5)
    expect(
      (await get(`${APPS}/deployments/web`)).metadata.annotations[
        'deployment.kubernetes.io/revision'
      ],
    ).toBe('9007199254740994')
  })

  it('is deleted with its dependents', async () => {
    await running()
    await create(`${APPS}/deployments`, deployment('web', 2))
    await cluster.pass(5)
    await cluster.sendRequest({ method: 'DELETE', path: `${APPS}/deployments/web` })
    await cluster.pass(60)
    expect(await podsOf('web')).toEqual([])
    expect((await get(`${APPS}/replicasets`)).items).toEqual([])
  })
})

describe('a ReplicaSet', () => {
  it('reports in its status the pods before its creations and deletions', async () => {
    cluster = await testCluster({ scheduler: false, nodes: 0 })
    await cluster.pass(1)
    const { spec } = deployment('web', 0)
    await create(`${APPS}/replicasets`, { metadata: { name: 'web' }, spec })
    await create(`${CORE}/pods`, {
      ...podTemplate('web', 'img:1'),
      metadata: { name: 'stray', labels: { app: 'web' } },
    })
    await cluster.pass(1)
    const { metadata, status } = await get(`${APPS}/replicasets/web`)
    expect(status.replicas).toBe(0)
    // It adopted the stray pod, and reported it while the pod was deleted.
    const written = metadata.managedFields.find(
      (entry: { subresource?: string }) => entry.subresource === 'status',
    )
    expect(written.fieldsV1['f:status']).toHaveProperty('f:replicas')
  })
})

describe('a Job', () => {
  it('completes with its pods, and sets its conditions', async () => {
    await running()
    const template = podTemplate('sum', 'img:1', { restartPolicy: 'Never' })
    await create(`${BATCH}/jobs`, {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'sum' },
      spec: { completions: 3, parallelism: 2, template },
    })
    await cluster.pass(30)
    const { status } = await get(`${BATCH}/jobs/sum`)
    expect(status.succeeded).toBe(3)
    expect(status.conditions.map(({ type }: { type: string }) => type)).toEqual([
      'SuccessCriteriaMet',
      'Complete',
    ])
  })

  it('fails after backoffLimit retries, with back-off', async () => {
    await running()
    const spec = {
      restartPolicy: 'Never',
      containers: [{ name: 'c', image: 'img:1', command: ['sh', '-c', 'exit 3'] }],
    }
    const template = { spec }
    await create(`${BATCH}/jobs`, {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'bad' },
      spec: { backoffLimit: 2, template },
    })
    await cluster.pass(20)
    expect((await get(`${BATCH}/jobs/bad`)).status.failed).toBeLessThan(3)
    await cluster.pass(60)
    const { status } = await get(`${BATCH}/jobs/bad`)
    expect(status.failed).toBe(3)
    expect(status.conditions.at(-1)).toMatchObject({
      type: 'Failed',
      reason: 'BackoffLimitExceeded',
    })
  })

  it.each([
    ['its time is over', { activeDeadlineSeconds: 10 }, ['sleep', '1000'], 'DeadlineExceeded'],
    ['its containers were begun too often', { backoffLimit: 2 }, ['false'], 'BackoffLimitExceeded'],
  ])('reports the pods it deletes when %s', async (_, members, command, reason) => {
    await running()
    const template = {
      spec: { restartPolicy: 'OnFailure', containers: [{ name: 'c', image: 'img:1', command }] },
    }
    await create(`${BATCH}/jobs`, {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'end' },
      spec: { ...members, template },
    })
    await cluster.pass(60)
    const events = (await get(`${CORE}/events?fieldSelector=involvedObject.kind=Job`)).items
    expect(events.map((event: { reason: string }) => event.reason)).toEqual([
      'SuccessfulCreate',
      'SuccessfulDelete',
      reason,
    ])
    expect(events[1].message).toMatch(/^Deleted pod: end-\w{5}$/)
  })
})

describe('a CronJob', () => {
  const nightly = (spec: object = {}) => ({
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'tick' },
    spec: {
      schedule: '*/5 * * * *',
      jobTemplate: { spec: { template: podTemplate('tick', 'img:1', { restartPolicy: 'Never' }) } },
      ...spec,
    },
  })

  it('creates Jobs on its schedule, and keeps the last successful ones', async () => {
    await running()
    await create(`${BATCH}/cronjobs`, nightly())
    await cluster.pass(31 * 60)
    const jobs = (await get(`${BATCH}/jobs`)).items
    expect(jobs).toHaveLength(3)
    const { status } = await get(`${BATCH}/cronjobs/tick`)
    expect(status.lastScheduleTime).toBe('2026-01-01T00:30:00Z')
    expect(status.lastSuccessfulTime > status.lastScheduleTime).toBe(true)
  })

  it('creates no Job while suspended', async () => {
    await running()
    await create(`${BATCH}/cronjobs`, nightly({ suspend: true }))
    await cluster.pass(20 * 60)
    expect((await get(`${BATCH}/jobs`)).items).toEqual([])
  })

  it('reports a schedule that never fires', async () => {
    await running()
    await create(`${BATCH}/cronjobs`, nightly({ schedule: '30 4 31 4 *' }))
    await cluster.pass(1)
    const [event] = (await get(`${CORE}/events?fieldSelector=involvedObject.kind=CronJob`)).items
    expect(event).toMatchObject({
      type: 'Warning',
      reason: 'InvalidSchedule',
      message:
        'invalid schedule: 30 4 31 4 * : time difference between two schedules is less than 1 second',
    })
  })

  it('annotates its Jobs with the scheduled time in its time zone', async () => {
    await running()
    await create(`${BATCH}/cronjobs`, nightly({ timeZone: 'America/New_York' }))
    await cluster.pass(301)
    const [job] = (await get(`${BATCH}/jobs`)).items
    expect(job.metadata.annotations['batch.kubernetes.io/cronjob-scheduled-timestamp']).toBe(
      '2025-12-31T19:05:00-05:00',
    )
  })
})

describe('a node without heartbeats', () => {
  it('becomes Unknown after 40 seconds, and its pods move after tolerationSeconds', async () => {
    await running(1)
    const labels = { 'kubernetes.io/hostname': 'quiet' }
    const allocatable = { cpu: '64', memory: '64Gi', pods: '110' }
    const conditions = [
      {
        type: 'Ready',
        status: 'True',
        lastHeartbeatTime: '2026-01-01T00:00:00Z',
        lastTransitionTime: '2026-01-01T00:00:00Z',
      },
    ]
    await create('/api/v1/nodes', {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'quiet', labels },
      status: { allocatable, capacity: allocatable, conditions },
    })
    await cluster.pass(1)
    await create(`${APPS}/deployments`, deployment('web', 1))
    await cluster.pass(2)
    expect((await podsOf('web'))[0].spec.nodeName).toBe('quiet')
    await cluster.pass(60)
    expect((await get('/api/v1/nodes/quiet')).status.conditions[0].status).toBe('Unknown')
    await cluster.pass(320)
    const living = (await podsOf('web')).filter(
      (pod: { metadata: { deletionTimestamp?: string } }) => !pod.metadata.deletionTimestamp,
    )
    expect(living.map((pod: { spec: { nodeName: string } }) => pod.spec.nodeName)).toEqual([
      'node-1',
    ])
  })
})

describe('a simulated node', () => {
  const nodeOf = async () => get('/api/v1/nodes/node-1')
  const ready = (node: { status: { conditions: { type: string; status: string }[] } }) =>
    node.status.conditions.find(({ type }) => type === 'Ready')?.status

  it('that fails loses its pods after five minutes, and can recover', async () => {
    await running(2)
    await create(`${APPS}/deployments`, deployment('web', 4))
    await cluster.pass(5)
    await patch('/api/v1/nodes/node-1', {
      metadata: { annotations: { 'simulation.kubetab/state': 'failed' } },
    })
    await cluster.pass(39)
    expect(ready(await nodeOf())).toBe('True')
    await cluster.pass(2)
    expect(ready(await nodeOf())).toBe('Unknown')
    await cluster.pass(310)
    const places = (await podsOf('web')).filter(
      (pod: { metadata: object }) => !('deletionTimestamp' in pod.metadata),
    )
    expect(places.map((pod: { spec: { nodeName: string } }) => pod.spec.nodeName)).toEqual(
      Array(4).fill('node-2'),
    )
    await patch('/api/v1/nodes/node-1', {
      metadata: { annotations: { 'simulation.kubetab/state': null } },
    })
    await cluster.pass(40)
    expect(ready(await nodeOf())).toBe('True')
    expect((await podsOf('web')).length).toBe(4)
  })

  it('emits events when it is cordoned, uncordoned and back', async () => {
    await running()
    const reported = async () => {
      const events = (
        await get(
          '/api/v1/namespaces/default/events?fieldSelector=source=kubelet,involvedObject.uid=node-1',
        )
      ).items
      return events.map(({ message }: { message: string }) => message)
    }
    await patch('/api/v1/nodes/node-1', { spec: { unschedulable: true } })
    await cluster.pass(1)
    await patch('/api/v1/nodes/node-1', { spec: { unschedulable: null } })
    await cluster.pass(1)
    const status = 'Node node-1 status is now:'
    expect(await reported()).toEqual([`${status} NodeNotSchedulable`, `${status} NodeSchedulable`])
    await patch('/api/v1/nodes/node-1', {
      metadata: { annotations: { 'simulation.kubetab/state': 'failed' } },
    })
    await cluster.pass(60)
    await patch('/api/v1/nodes/node-1', {
      metadata: { annotations: { 'simulation.kubetab/state': null } },
    })
    await cluster.pass(5)
    expect((await reported()).at(-1)).toBe(`${status} NodeReady`)
  })

  it('causes almost no writes while idle', async () => {
    await running(3)
    // The events of the start have expired by then.
    await cluster.pass(3720)
    const before = cluster.server.storage.currentRevision()
    await cluster.pass(3600)
    expect(cluster.server.storage.currentRevision() - before).toBeLessThanOrEqual(3)
  })

  it('stays deleted', async () => {
    await running(2)
    await cluster.sendRequest({ method: 'DELETE', path: '/api/v1/nodes/node-1' })
    await cluster.pass(7200)
    expect((await cluster.sendRequest({ path: '/api/v1/nodes/node-1' })).status).toBe(404)
  })
})
