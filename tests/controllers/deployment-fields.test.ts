/** Every field of a Deployment has its documented effect (kubernetes.io, "Deployments"). */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Cluster, deployment, podTemplate, testCluster } from '../support/cluster'

const APPS = '/apis/apps/v1/namespaces/default'
const WEB = `${APPS}/deployments/web`
let cluster: Cluster

beforeEach(async () => {
  cluster = await testCluster({ scheduler: true, nodes: 3 })
  await cluster.pass(1)
})
afterEach(() => cluster.close())

const create = (replicas: number, members: object = {}) =>
  cluster.sendRequest({
    method: 'POST',
    path: `${APPS}/deployments`,
    body: deployment('web', replicas, members),
  })
const merge = (body: object) =>
  cluster.sendRequest({
    method: 'PATCH',
    path: WEB,
    body,
    headers: { 'content-type': 'application/merge-patch+json' },
  })
const roll = (image: string) =>
  merge({ spec: { template: { spec: { containers: [{ name: 'c', image }] } } } })
const web = async () => (await cluster.sendRequest({ path: WEB })).json
const list = async (path: string) => (await cluster.sendRequest({ path })).json.items
const pods = () => list('/api/v1/namespaces/default/pods')
const sets = () => list(`${APPS}/replicasets`)
const conditionOf = async (type: string) =>
  (await web()).status.conditions.find((condition: { type: string }) => condition.type === type)
const imagesOf = async () =>
  (await pods())
    .map((pod: { spec: { containers: { image: string }[] } }) => pod.spec.containers[0]?.image)
    .sort()

describe('selector', () => {
  it('must match the labels of the template, and is immutable', async () => {
    const selector = { matchLabels: { app: 'other' } }
    expect((await create(1, { selector })).json.message).toContain(
      '`selector` does not match template `labels`',
    )
    await create(1)
    const other = { spec: { selector: { matchLabels: { app: 'web', more: 'x' } } } }
    expect((await merge(other)).json.message).toContain('field is immutable')
  })

  it('adopts matching ReplicaSets without a controller', async () => {
    await create(2)
    await cluster.pass(3)
    const [{ metadata }] = await sets()
    await cluster.sendRequest({
      method: 'DELETE',
      path: WEB,
      body: { propagationPolicy: 'Orphan' },
    })
    await cluster.pass(3)
    await create(2)
    await cluster.pass(3)
    const [adopted, ...others] = await sets()
    expect(others).toEqual([])
    expect(adopted.metadata.uid).toBe(metadata.uid)
    expect(adopted.metadata.ownerReferences[0].uid).toBe((await web()).metadata.uid)
  })
})

describe('template', () => {
  it('defines the pods, whose restartPolicy is Always', async () => {
    const never = podTemplate('web', 'img:1', { restartPolicy: 'Never' })
    expect((await create(1, { template: never })).json.message).toContain(
      'Unsupported value: "Never": supported values: "Always"',
    )
    await create(1, { template: podTemplate('web', 'img:7', { terminationGracePeriodSeconds: 7 }) })
    await cluster.pass(3)
    expect((await pods())[0].spec).toMatchObject({
      terminationGracePeriodSeconds: 7,
      restartPolicy: 'Always',
    })
  })
})

describe('replicas', () => {
  it('defaults to one, and may be zero', async () => {
    const { replicas: _, ...spec } = deployment('web', 0).spec
    await cluster.sendRequest({
      method: 'POST',
      path: `${APPS}/deployments`,
      body: { ...deployment('web', 0), spec },
    })
    await cluster.pass(3)
    expect(await pods()).toHaveLength(1)
    await merge({ spec: { replicas: 0 } })
    await cluster.pass(3)
    expect(await pods()).toEqual([])
    expect((await web()).spec.replicas).toBe(0)
  })
})

describe('minReadySeconds', () => {
  it('delays the availability of a ready pod', async () => {
    await create(2, { minReadySeconds: 20 })
    await cluster.pass(10)
    expect((await web()).status).toMatchObject({ readyReplicas: 2, unavailableReplicas: 2 })
    await cluster.pass(20)
    expect((await web()).status).toMatchObject({ readyReplicas: 2, availableReplicas: 2 })
  })
})

describe('strategy', () => {
  it('defaults to RollingUpdate with 25% maxSurge and 25% maxUnavailable', async () => {
    await create(1)
    expect((await web()).spec.strategy).toEqual({
      type: 'RollingUpdate',
      rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' },
    })
  })

  it('Recreate deletes all old pods before it creates new ones', async () => {
    await create(3, { strategy: { type: 'Recreate' } })
    await cluster.pass(3)
    const mixed: string[][] = []
    const watcher = cluster.server.storage.watch(
      '/registry/pods/default/',
      cluster.server.storage.currentRevision(),
      {
        event: () => {
          void imagesOf().then((images) => new Set(images).size > 1 && mixed.push(images))
        },
        end() {},
      },
    )
    await roll('img:2')
    await cluster.pass(30)
    watcher.stop()
    expect(mixed).toEqual([])
    expect(await imagesOf()).toEqual(['img:2', 'img:2', 'img:2'])
  })

  it('Recreate rejects rollingUpdate', async () => {
    const strategy = { type: 'Recreate', rollingUpdate: { maxSurge: 1 } }
    expect((await create(1, { strategy })).json.message).toContain(
      "may not be specified when strategy `type` is 'Recreate'",
    )
  })

  it.each([
    ['50%', 0, 5, 8],
    [0, '50%', 5, 5],
    ['25%', '25%', 10, 13],
    [2, 1, 3, 5],
  ])(
    'maxSurge %s (rounded up) and maxUnavailable %s (rounded down) of %i: at most %i',
    async (maxSurge, maxUnavailable, replicas, most) => {
      await create(replicas, {
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } },
      })
      await cluster.pass(5)
      // New pods never become ready, so the rollout stops at its limits.
      await roll('img:never-ready')
      await cluster.pass(60)
      const status = (await web()).status
      expect(status.replicas).toBeLessThanOrEqual(most)
      const share =
        typeof maxUnavailable === 'string'
          ? Math.floor((replicas * Number.parseInt(maxUnavailable, 10)) / 100)
          : maxUnavailable
      expect(status.availableReplicas).toBe(replicas - share)
      expect(status.replicas).toBe(most)
    },
  )

  it('rejects zero for both maxSurge and maxUnavailable', async () => {
    const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } }
    expect((await create(1, { strategy })).json.message).toContain(
      'may not be 0 when `maxSurge` is 0',
    )
  })
})

describe('revisionHistoryLimit', () => {
  it.each([
    [1, 2],
    [0, 1],
  ])('%i keeps as many old ReplicaSets', async (revisionHistoryLimit, kept) => {
    await create(1, { revisionHistoryLimit })
    for (const image of ['img:2', 'img:3', 'img:4']) {
      await cluster.pass(5)
      await roll(image)
    }
    await cluster.pass(10)
    expect(await sets()).toHaveLength(kept)
  })
})

describe('progressDeadlineSeconds', () => {
  it('reports a stalled rollout, which continues anyway', async () => {
    await create(1, { progressDeadlineSeconds: 30 })
    await cluster.pass(5)
    await roll('img:missing')
    await cluster.pass(29)
    expect(await conditionOf('Progressing')).toMatchObject({ status: 'True' })
    await cluster.pass(5)
    expect(await conditionOf('Progressing')).toMatchObject({
      status: 'False',
      reason: 'ProgressDeadlineExceeded',
    })
    await roll('img:2')
    await cluster.pass(10)
    expect(await conditionOf('Progressing')).toMatchObject({
      status: 'True',
      reason: 'NewReplicaSetAvailable',
    })
  })

  it('does not run while the Deployment is paused', async () => {
    await create(1, { progressDeadlineSeconds: 30 })
    await cluster.pass(5)
    await merge({ spec: { paused: true } })
    await roll('img:missing')
    await cluster.pass(120)
    expect(await conditionOf('Progressing')).toMatchObject({ reason: 'DeploymentPaused' })
  })
})

describe('paused', () => {
  it('stops rollouts of a new template, but not scaling', async () => {
    await create(2)
    await cluster.pass(5)
    await merge({ spec: { paused: true, replicas: 3 } })
    await roll('img:2')
    await cluster.pass(20)
    expect(await imagesOf()).toEqual(['img:1', 'img:1', 'img:1'])
    await merge({ spec: { paused: false } })
    await cluster.pass(20)
    expect(await imagesOf()).toEqual(['img:2', 'img:2', 'img:2'])
  })
})

describe('status', () => {
  it('counts pods and sets observedGeneration', async () => {
    await create(4, {
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } },
    })
    await cluster.pass(5)
    expect((await web()).status).toMatchObject({
      replicas: 4,
      readyReplicas: 4,
      availableReplicas: 4,
      updatedReplicas: 4,
      observedGeneration: 1,
    })
    await roll('img:never-ready')
    await cluster.pass(20)
    const { status, metadata } = await web()
    expect(status).toMatchObject({
      replicas: 5,
      updatedReplicas: 2,
      readyReplicas: 3,
      availableReplicas: 3,
      unavailableReplicas: 2,
    })
    expect(status.observedGeneration).toBe(metadata.generation)
    expect((await conditionOf('Available')).status).toBe('True')
  })

  it('counts hash collisions, and chooses another hash', async () => {
    await create(0)
    await cluster.pass(2)
    const [set] = await sets()
    await cluster.sendRequest({
      method: 'DELETE',
      path: WEB,
      body: { propagationPolicy: 'Foreground' },
    })
    await cluster.pass(5)
    const { name, labels } = set.metadata
    const stranger = {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: { name, labels: { ...labels, app: 'stranger' } },
    }
    const spec = {
      replicas: 0,
      selector: { matchLabels: { app: 'stranger' } },
      template: podTemplate('stranger'),
    }
    await cluster.sendRequest({
      method: 'POST',
      path: `${APPS}/replicasets`,
      body: { ...stranger, spec },
    })
    await create(0)
    await cluster.pass(5)
    expect((await web()).status.collisionCount).toBe(1)
    expect(await sets()).toHaveLength(2)
  })
})
