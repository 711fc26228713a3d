/** What controllers make of pods whose states the test sets by hand: no node, no scheduler. */
import { afterEach, describe, expect, it } from 'vitest'
import { type Cluster, podTemplate, testCluster } from '../support/cluster'

const JOBS = '/apis/batch/v1/namespaces/default/jobs'
const SETS = '/apis/apps/v1/namespaces/default/replicasets'
const PODS = '/api/v1/namespaces/default/pods'
const INDEX = 'batch.kubernetes.io/job-completion-index'

let cluster: Cluster
afterEach(() => cluster.close())

interface Made {
  metadata: { name: string; annotations: Record<string, string>; deletionTimestamp?: string }
}

const running = async () => {
  cluster = await testCluster()
  await cluster.pass(1)
}
const get = async (path: string) => (await cluster.ask({ path })).json
const create = async (path: string, body: object) => {
  const answer = await cluster.ask({ method: 'POST', path, body })
  expect(answer.status, answer.text).toBe(201)
}
const merge = (path: string, body: object) =>
  cluster.ask({ method: 'PATCH', path, body, headers: { 'content-type': 'application/merge-patch+json' } })
const podsOf = async (app: string): Promise<Made[]> => (await get(`${PODS}?labelSelector=app%3D${app}`)).items
const namesOf = async (app: string) =>
  (await podsOf(app)).filter(({ metadata }) => !metadata.deletionTimestamp).map(({ metadata }) => metadata.name)
/** @param ago seconds */
const timeAgo = (ago: number) => new Date(cluster.clock.now() - ago * 1000).toISOString().replace(/\.\d+/, '')
const setStatus = (name: string, status: object) => merge(`${PODS}/${name}/status`, { status })
const ready = (ago: number, restartCount = 0) => ({
  phase: 'Running',
  conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: timeAgo(ago) }],
  containerStatuses: [{ name: 'c', ready: true, restartCount, image: 'img:1', imageID: '', state: { running: {} } }],
})
const job = (name: string, members: object) => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name },
  spec: { template: podTemplate('work', 'img:1', { restartPolicy: 'Never' }), ...members },
})
const byIndex = async (index: number) =>
  (await podsOf('work')).find(({ metadata }) => metadata.annotations[INDEX] === String(index))?.metadata.name ?? ''

describe('a job', () => {
  it('forgets indexes that it no longer has', async () => {
    await running()
    await create(JOBS, job('elastic', { completions: 5, parallelism: 5, completionMode: 'Indexed' }))
    await cluster.pass(2)
    for (const index of [0, 3, 4]) await setStatus(await byIndex(index), { phase: 'Succeeded' })
    await cluster.pass(2)
    expect((await get(`${JOBS}/elastic`)).status).toMatchObject({ completedIndexes: '0,3,4', succeeded: 3 })
    await merge(`${JOBS}/elastic`, { spec: { completions: 2, parallelism: 2 } })
    await cluster.pass(3)
    expect((await get(`${JOBS}/elastic`)).status).toMatchObject({ completedIndexes: '0', succeeded: 1, active: 1 })
    await setStatus(await byIndex(1), { phase: 'Succeeded' })
    await cluster.pass(3)
    expect((await get(`${JOBS}/elastic`)).status).toMatchObject({
      completedIndexes: '0,1',
      succeeded: 2,
      completionTime: expect.any(String),
    })
  })

  it('keeps the index in the names of its pods however long its own name is', async () => {
    await running()
    const name = `j${'x'.repeat(58)}z`
    await create(JOBS, job(name, { completions: 1, completionMode: 'Indexed' }))
    await cluster.pass(2)
    expect(await byIndex(0)).toMatch(new RegExp(`^${name.slice(0, 55)}-0-.{5}$`))
  })

  it('takes away the pod that was ready for the shortest time, whatever its deletion costs', async () => {
    await running()
    await create(JOBS, job('fewer', { completions: 9, parallelism: 3 }))
    await cluster.pass(30)
    const [oldest = '', youngest = '', middle = ''] = await namesOf('work')
    for (const [name, ago] of [
      [oldest, 20],
      [youngest, 9],
      [middle, 10],
    ] as const) {
      await merge(`${PODS}/${name}`, {
        metadata: { annotations: { 'controller.kubernetes.io/pod-deletion-cost': String(name === oldest ? -5 : 0) } },
      })
      await setStatus(name, ready(ago))
    }
    await merge(`${JOBS}/fewer`, { spec: { parallelism: 2 } })
    await cluster.pass(2)
    expect(await namesOf('work')).toEqual([oldest, middle])
  })

  it('waits from when a pod failed, if not all of its containers tell when they ended', async () => {
    await running()
    await create(JOBS, job('waits', {}))
    await cluster.pass(60)
    const [name = ''] = await namesOf('work')
    const ended = { terminated: { exitCode: 1, finishedAt: timeAgo(50) } }
    await setStatus(name, {
      phase: 'Failed',
      conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: timeAgo(0) }],
      containerStatuses: [
        { name: 'c', ready: false, restartCount: 0, image: 'img:1', imageID: '', state: ended },
        { name: 'd', ready: false, restartCount: 0, image: 'img:1', imageID: '', state: { waiting: {} } },
      ],
    })
    await cluster.pass(9)
    expect(await podsOf('work')).toHaveLength(1)
    await cluster.pass(3)
    expect(await podsOf('work')).toHaveLength(2)
  })
})

describe('a replica set', () => {
  it('takes away the younger of two ready pods if their ages are of different orders of magnitude in nanoseconds', async () => {
    await running()
    const spec = { replicas: 2, selector: { matchLabels: { app: 'web' } }, template: podTemplate('web') }
    await create(SETS, { apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata: { name: 'web' }, spec })
    await cluster.pass(10)
    const [older = '', younger = ''] = await namesOf('web')
    await setStatus(older, ready(3, 4))
    await setStatus(younger, ready(2))
    await merge(`${SETS}/web`, { spec: { replicas: 1 } })
    expect(await namesOf('web')).toEqual([older])
  })
})
