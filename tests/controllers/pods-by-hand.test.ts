/** Controllers with pod statuses that the test sets, without nodes or a scheduler. */
import { afterEach, describe, expect, it } from 'vitest'
import { slowStartBatch } from '../../src/engine/controllers/shared/pod-control'
import { type Cluster, deployment, podTemplate, testCluster } from '../support/cluster'

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
const get = async (path: string) => (await cluster.sendRequest({ path })).json
const create = async (path: string, body: object) => {
  const response = await cluster.sendRequest({ method: 'POST', path, body })
  expect(response.status, response.text).toBe(201)
}
const merge = (path: string, body: object) =>
  cluster.sendRequest({
    method: 'PATCH',
    path,
    body,
    headers: { 'content-type': 'application/merge-patch+json' },
  })
const podsOf = async (app: string): Promise<Made[]> =>
  (await get(`${PODS}?labelSelector=app%3D${app}`)).items
const namesOf = async (app: string) =>
  (await podsOf(app))
    .filter(({ metadata }) => !metadata.deletionTimestamp)
    .map(({ metadata }) => metadata.name)
/** @param ago seconds */
const timeAgo = (ago: number) =>
  new Date(cluster.clock.now() - ago * 1000).toISOString().replace(/\.\d+/, '')
const setStatus = (name: string, status: object) => merge(`${PODS}/${name}/status`, { status })
const ready = (ago: number, restartCount = 0) => ({
  phase: 'Running',
  conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: timeAgo(ago) }],
  containerStatuses: [
    { name: 'c', ready: true, restartCount, image: 'img:1', imageID: '', state: { running: {} } },
  ],
})
const job = (name: string, members: object) => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name },
  spec: { template: podTemplate('work', 'img:1', { restartPolicy: 'Never' }), ...members },
})
const byIndex = async (index: number) =>
  (await podsOf('work')).find(({ metadata }) => metadata.annotations[INDEX] === String(index))
    ?.metadata.name ?? ''

describe('a Job', () => {
  it('drops indexes beyond a reduced number of completions', async () => {
    await running()
    await create(
      JOBS,
      job('elastic', { completions: 5, parallelism: 5, completionMode: 'Indexed' }),
    )
    await cluster.pass(2)
    for (const index of [0, 3, 4]) await setStatus(await byIndex(index), { phase: 'Succeeded' })
    await cluster.pass(2)
    expect((await get(`${JOBS}/elastic`)).status).toMatchObject({
      completedIndexes: '0,3,4',
      succeeded: 3,
    })
    await merge(`${JOBS}/elastic`, { spec: { completions: 2, parallelism: 2 } })
    await cluster.pass(3)
    expect((await get(`${JOBS}/elastic`)).status).toMatchObject({
      completedIndexes: '0',
      succeeded: 1,
      active: 1,
    })
    await setStatus(await byIndex(1), { phase: 'Succeeded' })
    await cluster.pass(3)
    expect((await get(`${JOBS}/elastic`)).status).toMatchObject({
      completedIndexes: '0,1',
      succeeded: 2,
      completionTime: expect.any(String),
    })
  })

  it('keeps the index in the names of its pods, however long its own name is', async () => {
    await running()
    const name = `j${'x'.repeat(58)}z`
    await create(JOBS, job(name, { completions: 1, completionMode: 'Indexed' }))
    await cluster.pass(2)
    expect(await byIndex(0)).toMatch(new RegExp(`^${name.slice(0, 55)}-0-.{5}$`))
  })

  it('deletes the most recently ready pod, whatever its deletion cost', async () => {
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
        metadata: {
          annotations: {
            'controller.kubernetes.io/pod-deletion-cost': String(name === oldest ? -5 : 0),
          },
        },
      })
      await setStatus(name, ready(ago))
    }
    await merge(`${JOBS}/fewer`, { spec: { parallelism: 2 } })
    await cluster.pass(2)
    expect(await namesOf('work')).toEqual([oldest, middle])
  })

  it("backs off from a pod's failure if not all containers report their end", async () => {
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
        {
          name: 'd',
          ready: false,
          restartCount: 0,
          image: 'img:1',
          imageID: '',
          state: { waiting: {} },
        },
      ],
    })
    await cluster.pass(9)
    expect(await podsOf('work')).toHaveLength(1)
    await cluster.pass(3)
    expect(await podsOf('work')).toHaveLength(2)
  })
})

describe('a ReplicaSet', () => {
  it('deletes the younger of two ready pods if their ages differ in magnitude', async () => {
    await running()
    const spec = {
      replicas: 2,
      selector: { matchLabels: { app: 'web' } },
      template: podTemplate('web'),
    }
    await create(SETS, {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: { name: 'web' },
      spec,
    })
    await cluster.pass(10)
    const [older = '', younger = ''] = await namesOf('web')
    await setStatus(older, ready(3, 4))
    await setStatus(younger, ready(2))
    await merge(`${SETS}/web`, { spec: { replicas: 1 } })
    expect(await namesOf('web')).toEqual([older])
  })
})

describe('pod creation', () => {
  it('doubles its batch size while it succeeds, and stops after a failure', async () => {
    await running()
    const tried: number[] = []
    const work = async (item: number) => {
      tried.push(item)
      if (item === 5) throw new Error('five')
    }
    const items = Array.from({ length: 20 }, (_, i) => i + 1)
    await expect(slowStartBatch(items, work)).rejects.toThrow('five')
    expect(tried).toEqual([1, 2, 3, 4, 5, 6, 7])
  })

  it('continues with other pods when one cannot be deleted', async () => {
    await running()
    const policies = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolic'
    const rule = {
      apiGroups: [''],
      apiVersions: ['v1'],
      operations: ['DELETE'],
      resources: ['pods'],
    }
    const validations = [
      {
        expression:
          "!has(oldObject.metadata.annotations) || !('keep' in oldObject.metadata.annotations)",
      },
    ]
    await create(`${policies}ies`, {
      metadata: { name: 'keep' },
      spec: { matchConstraints: { resourceRules: [rule] }, validations },
    })
    await create(`${policies}ybindings`, {
      metadata: { name: 'keep' },
      spec: { policyName: 'keep', validationActions: ['Deny'] },
    })
    await create(JOBS, job('fewer', { completions: 9, parallelism: 3 }))
    await cluster.pass(2)
    const [kept = ''] = await namesOf('work')
    await merge(`${PODS}/${kept}`, { metadata: { annotations: { keep: '' } } })
    await merge(`${JOBS}/fewer`, { spec: { suspend: true } })
    await cluster.pass(2)
    expect(await namesOf('work')).toEqual([kept])
    const { items } = await get(
      '/api/v1/namespaces/default/events?fieldSelector=reason%3DFailedDelete',
    )
    expect(items[0]).toMatchObject({ type: 'Warning', involvedObject: { kind: 'Job' } })
    expect(items[0].message).toMatch(new RegExp(`^Error deleting: pods "${kept}" is forbidden: `))
  })
})

describe('a DaemonSet', () => {
  const withNode = async () => {
    await running()
    await create('/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'one' } })
    const spec = { selector: { matchLabels: { app: 'd' } }, template: podTemplate('d') }
    await create('/apis/apps/v1/namespaces/default/daemonsets', {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name: 'd' },
      spec,
    })
    // The node is not ready. Daemon pods tolerate that.
    await cluster.pass(1)
  }
  const fail = async () => {
    const [name = ''] = await namesOf('d')
    await setStatus(name, { phase: 'Failed' })
    return name
  }

  it('backs off before it replaces a failed pod', async () => {
    await withNode()
    const first = await fail()
    const second = await fail()
    expect(second).not.toBe(first)
    for (const seconds of [1, 2, 4]) {
      const failed = await fail()
      await cluster.pass(seconds - 0.5)
      expect(await namesOf('d')).toEqual([failed])
      await cluster.pass(0.5)
      expect(await namesOf('d')).not.toEqual([failed])
    }
  })

  it('replaces a completed pod although a finalizer blocks its deletion', async () => {
    await withNode()
    const [name = ''] = await namesOf('d')
    await merge(`${PODS}/${name}`, { metadata: { finalizers: ['example.com/held'] } })
    await setStatus(name, { phase: 'Succeeded' })
    await cluster.pass(1)
    expect(await podsOf('d')).toHaveLength(2)
    expect(await namesOf('d')).toHaveLength(1)
  })

  it('keeps the scheduled one of two pods', async () => {
    await withNode()
    const [waiting = ''] = await namesOf('d')
    await cluster.pass(5)
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'there', labels: { app: 'd' } } }
    await create(PODS, {
      ...pod,
      spec: { nodeName: 'one', containers: [{ name: 'c', image: 'img:1' }] },
    })
    await cluster.pass(1)
    expect(await namesOf('d')).not.toContain(waiting)
  })
})

describe('a StatefulSet', () => {
  const STATEFUL = '/apis/apps/v1/namespaces/default/statefulsets'
  const stateful = (members: object) => ({
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

  it('with podManagementPolicy Parallel continues next to a blocked pod', async () => {
    await running()
    await create(STATEFUL, stateful({ podManagementPolicy: 'Parallel', replicas: 1 }))
    await merge(`${PODS}/s-0`, { metadata: { finalizers: ['example.com/held'] } })
    await setStatus('s-0', { phase: 'Failed' })
    await merge(`${STATEFUL}/s`, { spec: { replicas: 3 } })
    await cluster.pass(1)
    expect(await namesOf('s')).toEqual(['s-1', 's-2'])
  })

  it('emits an event when it restores the labels of a pod', async () => {
    await running()
    await create(STATEFUL, stateful({ replicas: 1 }))
    await setStatus('s-0', ready(1))
    await merge(`${PODS}/s-0`, { metadata: { labels: { 'apps.kubernetes.io/pod-index': null } } })
    await cluster.pass(1)
    expect((await get(`${PODS}/s-0`)).metadata.labels).toMatchObject({
      'apps.kubernetes.io/pod-index': '0',
    })
    const { items } = await get(
      '/api/v1/namespaces/default/events?fieldSelector=reason%3DSuccessfulUpdate',
    )
    expect(items.map(({ message }: { message: string }) => message)).toEqual([
      'update Pod s-0 in StatefulSet s successful',
    ])
  })
})

it("a Deployment copies the time of a ReplicaSet's failure", async () => {
  await running()
  const quota = {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'none' },
    spec: { hard: { pods: '0' } },
  }
  await create('/api/v1/namespaces/default/resourcequotas', quota)
  await cluster.pass(1)
  const deployments = '/apis/apps/v1/namespaces/default/deployments'
  await create(deployments, deployment('web', 0))
  await merge(`${deployments}/web`, { spec: { paused: true, replicas: 1 } })
  const conditionOf = async (path: string) =>
    (await get(path)).status.conditions?.find(
      ({ type }: { type: string }) => type === 'ReplicaFailure',
    )
  await cluster.pass(60)
  expect(await conditionOf(`${deployments}/web`)).toBeUndefined()
  const [set] = (await get(`${SETS}?labelSelector=app%3Dweb`)).items
  const { lastTransitionTime } = await conditionOf(`${SETS}/${set.metadata.name}`)
  await merge(`${deployments}/web`, { spec: { paused: false } })
  expect(await conditionOf(`${deployments}/web`)).toMatchObject({
    lastTransitionTime,
    lastUpdateTime: lastTransitionTime,
  })
})

describe('a pod with a missing node', () => {
  const bound = (name: string) =>
    create(PODS, {
      ...podNamed(name),
      spec: { nodeName: 'gone', containers: [{ name: 'c', image: 'img:1' }] },
    })
  const podNamed = (name: string) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { app: 'left' } },
  })

  it('is deleted after forty seconds, with later ones of the same node', async () => {
    await running()
    await bound('first')
    await cluster.pass(39)
    await bound('second')
    expect(await namesOf('left')).toEqual(['first', 'second'])
    await cluster.pass(2)
    expect(await namesOf('left')).toEqual([])
  })

  it('waits as long when an earlier one of the same node was deleted', async () => {
    await running()
    await bound('first')
    await cluster.pass(41)
    await bound('second')
    await cluster.pass(39)
    expect(await namesOf('left')).toEqual(['second'])
    await cluster.pass(2)
    expect(await namesOf('left')).toEqual([])
  })
})
