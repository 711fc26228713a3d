/**
 * Init containers and sidecar containers on simulated nodes (kubernetes.io, "Init Containers",
 * "Sidecar Containers").
 */
import { afterEach, describe, expect, it } from 'vitest'
import { type Cluster, testCluster } from '../support/cluster'

const PODS = '/api/v1/namespaces/default/pods'
let cluster: Cluster
afterEach(() => cluster.close())

async function pod(spec: object, seconds: number): Promise<void> {
  cluster = await testCluster({ nodes: 1 })
  await cluster.pass(1)
  const body = {
    metadata: { name: 'web' },
    spec: { nodeName: 'node-1', containers: [{ name: 'c', image: 'img:1' }], ...spec },
  }
  await cluster.sendRequest({ method: 'POST', path: PODS, body })
  await cluster.pass(seconds)
}

const statusNow = async () => (await cluster.sendRequest({ path: `${PODS}/web` })).json.status
const condition = async (type: string) =>
  (await statusNow()).conditions.find((own: { type: string }) => own.type === type)
const init = (name: string, more: object = {}) => ({ name, image: 'img:1', ...more })

describe('init containers', () => {
  it.each(['Always', 'OnFailure', 'Never'])(
    'run in sequence before the containers of the pod: %s',
    async (restartPolicy) => {
      const initContainers = [init('first'), init('second', { command: ['sleep', '3'] })]
      await pod(
        { restartPolicy, initContainers, containers: [init('c', { command: ['sleep', '1000'] })] },
        4,
      )
      expect(await statusNow()).toMatchObject({
        phase: 'Pending',
        initContainerStatuses: [
          { ready: true, started: false, state: { terminated: { exitCode: 0 } } },
          { ready: false, started: true, state: { running: {} } },
        ],
        containerStatuses: [{ state: { waiting: { reason: 'PodInitializing' } } }],
      })
      expect(await condition('Initialized')).toMatchObject({
        status: 'False',
        reason: 'ContainersNotInitialized',
        message: 'containers with incomplete status: [second]',
      })
      await cluster.pass(300)
      expect(await statusNow()).toMatchObject({
        phase: 'Running',
        initContainerStatuses: [
          { ready: true, restartCount: 0, state: { terminated: { reason: 'Completed' } } },
          { ready: true, restartCount: 0, state: { terminated: { reason: 'Completed' } } },
        ],
        containerStatuses: [{ ready: true, restartCount: 0 }],
      })
      expect(await condition('Initialized')).toMatchObject({ status: 'True' })
    },
  )

  it('are waiting with reason PodInitializing before the first starts', async () => {
    await pod({ initContainers: [init('first'), init('second')] }, 0)
    const waiting = { ready: false, state: { waiting: { reason: 'PodInitializing' } } }
    expect(await statusNow()).toMatchObject({
      initContainerStatuses: [waiting, waiting],
      containerStatuses: [waiting],
    })
  })

  it.each([[['sh', '-c', 'exit 1']], [['/bin/false']]])(
    'restart while they fail: %j',
    async (command) => {
      await pod({ initContainers: [init('i', { command })] }, 60)
      const [own] = (await statusNow()).initContainerStatuses
      expect(own).toMatchObject({
        ready: false,
        state: { waiting: { reason: 'CrashLoopBackOff' } },
      })
      expect(own.restartCount).toBeGreaterThan(1)
      expect(await statusNow()).toMatchObject({ phase: 'Pending' })
    },
  )

  it('fail the pod with restartPolicy Never', async () => {
    await pod({ restartPolicy: 'Never', initContainers: [init('i', { command: ['false'] })] }, 10)
    expect(await statusNow()).toMatchObject({ phase: 'Failed' })
    expect(await condition('Ready')).toMatchObject({ status: 'False', reason: 'PodFailed' })
  })
})

describe('sidecar containers', () => {
  const initContainers = [init('side', { restartPolicy: 'Always' })]

  it('count for the readiness of the pod', async () => {
    const annotated = [init('side', { restartPolicy: 'Always', image: 'img:never-ready' })]
    await pod({ initContainers: annotated }, 10)
    expect(await condition('ContainersReady')).toMatchObject({
      status: 'False',
      message: 'containers with unready status: [side]',
    })
    expect(await condition('Initialized')).toMatchObject({ status: 'True' })
  })

  it('stop after the main containers', async () => {
    await pod(
      {
        initContainers,
        restartPolicy: 'Never',
        containers: [init('c', { command: ['sleep', '2'] })],
      },
      20,
    )
    expect(await statusNow()).toMatchObject({
      phase: 'Succeeded',
      initContainerStatuses: [{ state: { terminated: {} } }],
    })
  })

  it('may exit without a reset of the Initialized condition', async () => {
    await pod(
      {
        initContainers: [
          init('side', { restartPolicy: 'Always', command: ['sh', '-c', 'sleep 5; exit 1'] }),
        ],
      },
      60,
    )
    expect(await statusNow()).toMatchObject({
      phase: 'Running',
      containerStatuses: [{ state: { running: {} }, restartCount: 0 }],
    })
    expect(await condition('Initialized')).toMatchObject({ status: 'True' })
  })
})

describe('a completed pod', () => {
  it.each([
    ['true', 'Succeeded', 'PodCompleted', 'PodCompleted'],
    ['false', 'Failed', 'PodFailed', undefined],
  ])('has these conditions: %s', async (command, phase, reason, initialized) => {
    await pod({ restartPolicy: 'Never', containers: [init('c', { command: [command] })] }, 10)
    expect(await statusNow()).toMatchObject({ phase })
    for (const type of ['Ready', 'ContainersReady']) {
      expect(await condition(type)).toMatchObject({ status: 'False', reason })
      expect((await condition(type)).message).toBeUndefined()
    }
    expect(await condition('Initialized')).toMatchObject({ status: 'True' })
    expect((await condition('Initialized')).reason).toBe(initialized)
  })
})

describe('a deleted pod', () => {
  const held = { metadata: { name: 'web', finalizers: ['test/held'] } }

  it.each([
    ['Always', 'Succeeded', 0, 'PodCompleted'],
    ['Never', 'Failed', 143, 'PodFailed'],
  ])(
    'reaches a terminal phase before it is removed: %s',
    async (restartPolicy, phase, exitCode, reason) => {
      cluster = await testCluster({ nodes: 1 })
      await cluster.pass(1)
      const containers = [init('c', { command: ['sleep', '1000'] })]
      const spec = {
        nodeName: 'node-1',
        restartPolicy,
        containers,
        initContainers: [init('side', { restartPolicy: 'Always' })],
      }
      await cluster.sendRequest({ method: 'POST', path: PODS, body: { ...held, spec } })
      await cluster.pass(10)
      await cluster.sendRequest({ method: 'DELETE', path: `${PODS}/web` })
      await cluster.pass(10)
      expect(await statusNow()).toMatchObject({
        phase,
        initContainerStatuses: [{ ready: false, state: { terminated: { exitCode: 0 } } }],
        containerStatuses: [{ ready: false, state: { terminated: { exitCode } } }],
      })
      expect(await condition('Ready')).toMatchObject({ status: 'False', reason })
      const headers = { 'content-type': 'application/merge-patch+json' }
      await cluster.sendRequest({
        method: 'PATCH',
        path: `${PODS}/web`,
        body: { metadata: { finalizers: null } },
        headers,
      })
      expect((await cluster.sendRequest({ path: `${PODS}/web` })).status).toBe(404)
    },
  )

  it.each([
    [
      'what it ended with itself meanwhile',
      { command: ['sh', '-c', 'sleep 15; exit 4'] },
      {},
      { exitCode: 4, reason: 'Error' },
    ],
    [
      'what it ended with last',
      { command: ['sh', '-c', 'exit 3'] },
      {},
      { exitCode: 3, reason: 'Error' },
    ],
    [
      'that it was never seen',
      {},
      { volumes: [{ name: 'v', configMap: { name: 'missing' } }] },
      {
        exitCode: 137,
        reason: 'ContainerStatusUnknown',
        message: 'The container could not be located when the pod was terminated',
      },
    ],
  ])('reports its container %s', async (_, container, spec, terminated) => {
    cluster = await testCluster({ nodes: 1 })
    await cluster.pass(1)
    const annotations = { 'simulation.kubetab/behavior': '{stopsAfter: 10}' }
    const body = {
      metadata: { ...held.metadata, annotations },
      spec: { nodeName: 'node-1', containers: [init('c', container)], ...spec },
    }
    await cluster.sendRequest({ method: 'POST', path: PODS, body })
    await cluster.pass(10)
    await cluster.sendRequest({ method: 'DELETE', path: `${PODS}/web` })
    await cluster.pass(15)
    expect(await statusNow()).toMatchObject({
      phase: 'Failed',
      containerStatuses: [{ ready: false, state: { terminated } }],
    })
  })

  it('is replaced after termination by a Job with podReplacementPolicy Failed', async () => {
    cluster = await testCluster({ nodes: 1, scheduler: true })
    await cluster.pass(1)
    const template = {
      spec: { restartPolicy: 'Never', containers: [init('c', { command: ['sleep', '1000'] })] },
    }
    const body = { metadata: { name: 'work' }, spec: { podReplacementPolicy: 'Failed', template } }
    await cluster.sendRequest({
      method: 'POST',
      path: '/apis/batch/v1/namespaces/default/jobs',
      body,
    })
    await cluster.pass(10)
    const names = async () =>
      (await cluster.sendRequest({ path: PODS })).json.items.map(
        ({ metadata }: { metadata: { name: string } }) => metadata.name,
      )
    const before = await names()
    await cluster.sendRequest({ method: 'DELETE', path: `${PODS}/${before[0]}` })
    await cluster.pass(60)
    expect(await names()).toHaveLength(1)
    expect(await names()).not.toEqual(before)
    const { status } = (
      await cluster.sendRequest({ path: '/apis/batch/v1/namespaces/default/jobs/work' })
    ).json
    expect(status).toMatchObject({ active: 1, failed: 1, terminating: 0 })
  })
})
