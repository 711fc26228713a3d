/** Jobs with pods that cannot be created, fail per index, or are never scheduled. */
import { afterEach, describe, expect, it } from 'vitest'
import { type Cluster, podTemplate, testCluster } from '../support/cluster'

const JOBS = '/apis/batch/v1/namespaces/default/jobs'
const CORE = '/api/v1/namespaces/default'

let cluster: Cluster
afterEach(() => cluster.close())

const running = async () => {
  cluster = await testCluster({ scheduler: true, nodes: 2 })
  await cluster.pass(1)
}
const get = async (path: string) => (await cluster.sendRequest({ path })).json
const create = (path: string, body: object) => cluster.sendRequest({ method: 'POST', path, body })
const job = (name: string, members: object, spec: object = {}) => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name },
  spec: { template: podTemplate(name, 'img:1', { restartPolicy: 'Never', ...spec }), ...members },
})
const exits = (code: number) => ({
  containers: [{ name: 'c', image: 'img:1', command: ['sh', '-c', `exit ${code}`] }],
})
const statusOf = async (name: string) => (await get(`${JOBS}/${name}`)).status
const podsOf = async (name: string) => (await get(`${CORE}/pods?labelSelector=app%3D${name}`)).items
const INDEX = 'batch.kubernetes.io/job-completion-index'
const FAILURES = 'batch.kubernetes.io/job-index-failure-count'
const IGNORED = 'batch.kubernetes.io/job-index-ignored-failure-count'

describe('a Job', () => {
  it('sets startTime even if no pod can be created', async () => {
    await running()
    await create(`${CORE}/resourcequotas`, {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'q' },
      spec: { hard: { pods: '0' } },
    })
    await cluster.pass(1)
    await create(JOBS, job('none', {}))
    await cluster.pass(5)
    expect(await statusOf('none')).toEqual({
      startTime: '2026-01-01T00:00:02Z',
      terminating: 0,
      uncountedTerminatedPods: {},
      ready: 0,
    })
  })

  it("backs off per index, and counts a pod's failure when it is replaced", async () => {
    await running()
    await create(
      JOBS,
      job(
        'each',
        { completions: 2, parallelism: 2, completionMode: 'Indexed', backoffLimitPerIndex: 2 },
        exits(1),
      ),
    )
    await cluster.pass(5)
    const [first] = await podsOf('each')
    expect(first.status.phase).toBe('Failed')
    expect(first.metadata.finalizers).toEqual(['batch.kubernetes.io/job-tracking'])
    expect((await statusOf('each')).failed).toBeUndefined()
    await cluster.pass(10)
    expect((await statusOf('each')).failed).toBe(2)
    await cluster.pass(10)
    expect(await podsOf('each')).toHaveLength(4)
    await cluster.pass(30)
    const pods = await podsOf('each')
    const marks = pods.map(
      ({ metadata: { annotations } }: { metadata: { annotations: Record<string, string> } }) =>
        [annotations[INDEX], annotations[FAILURES]].join(),
    )
    expect(marks.sort()).toEqual(['0,0', '0,1', '0,2', '1,0', '1,1', '1,2'])
    expect(await statusOf('each')).toMatchObject({ failed: 6, failedIndexes: '0,1' })
  })

  it('does not count failures that podFailurePolicy ignores', async () => {
    await running()
    const podFailurePolicy = {
      rules: [{ action: 'Ignore', onExitCodes: { operator: 'In', values: [3] } }],
    }
    const members = {
      completions: 1,
      completionMode: 'Indexed',
      backoffLimitPerIndex: 0,
      podFailurePolicy,
    }
    await create(JOBS, job('ignores', members, exits(3)))
    await cluster.pass(20)
    const annotations = (await podsOf('ignores')).map(
      (pod: { metadata: { annotations: object } }) => pod.metadata.annotations,
    )
    expect(annotations).toHaveLength(2)
    expect(annotations).toContainEqual(expect.objectContaining({ [FAILURES]: '0', [IGNORED]: '1' }))
    expect((await statusOf('ignores')).failedIndexes).toBe('')
  })

  it('replaces a pod that was deleted before it was scheduled', async () => {
    await running()
    await create(
      JOBS,
      job('waits', { podReplacementPolicy: 'Failed' }, { nodeSelector: { no: 'where' } }),
    )
    await cluster.pass(3)
    const [pod] = await podsOf('waits')
    await cluster.sendRequest({ method: 'DELETE', path: `${CORE}/pods/${pod.metadata.name}` })
    await cluster.pass(30)
    const [other] = await podsOf('waits')
    expect(other.metadata.uid).not.toBe(pod.metadata.uid)
    expect(await statusOf('waits')).toMatchObject({ active: 1, failed: 1, terminating: 0 })
  })
})

describe('the pod garbage collector', () => {
  it('fails and deletes pods of missing nodes, with a reason', async () => {
    await running()
    const spec = { nodeName: 'elsewhere', containers: [{ name: 'c', image: 'img:1' }] }
    await create(`${CORE}/pods`, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'lost', finalizers: ['a.b/held'] },
      spec,
    })
    await cluster.pass(60)
    const { metadata, status } = await get(`${CORE}/pods/lost`)
    expect(metadata.deletionTimestamp).toBeDefined()
    expect(status.phase).toBe('Failed')
    expect(status.conditions).toEqual([
      expect.objectContaining({
        type: 'DisruptionTarget',
        status: 'True',
        reason: 'DeletionByPodGC',
        message: 'PodGC: node no longer exists',
      }),
    ])
  })
})

describe('with JobPodReplacementPolicy off', () => {
  it('Jobs end at once, without FailureTarget, and do not report terminating pods', async () => {
    cluster = await testCluster({
      scheduler: true,
      nodes: 2,
      featureGates: { JobPodReplacementPolicy: false, JobSuccessPolicy: false },
    })
    await cluster.pass(1)
    await create(JOBS, job('ends', {}, exits(0)))
    await create(JOBS, job('fails', { backoffLimit: 0 }, exits(1)))
    await cluster.pass(30)
    const { conditions, terminating } = await statusOf('ends')
    const time = expect.any(String)
    expect(conditions).toEqual([
      { type: 'Complete', status: 'True', lastProbeTime: time, lastTransitionTime: time },
    ])
    expect(terminating).toBeUndefined()
    expect((await statusOf('fails')).conditions.map(({ type }: { type: string }) => type)).toEqual([
      'Failed',
    ])
  })
})

describe('with JobManagedBy', () => {
  it('Jobs of other controllers are ignored, others have stricter status', async () => {
    cluster = await testCluster({ scheduler: true, nodes: 2, featureGates: { JobManagedBy: true } })
    await cluster.pass(1)
    await create(JOBS, job('theirs', { managedBy: 'example.com/queue' }))
    await create(JOBS, job('ours', { managedBy: 'kubernetes.io/job-controller' }, exits(0)))
    await create(JOBS, job('fails', { backoffLimit: 0 }, exits(1)))
    await cluster.pass(30)
    expect(await podsOf('theirs')).toEqual([])
    expect(await statusOf('theirs')).toEqual({})
    const conditions = async (name: string) =>
      (await statusOf(name)).conditions.map(({ type }: { type: string }) => type)
    expect(await conditions('ours')).toEqual(['SuccessCriteriaMet', 'Complete'])
    expect(await conditions('fails')).toEqual(['FailureTarget', 'Failed'])
  })
})
