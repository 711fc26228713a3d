/** Fields of workloads behind feature gates: dropped unless the stored object has them. */
import { describe, expect, it } from 'vitest'
import type { JsonObject, KubeObject } from '../../src/engine/core/object'
import { type Causes, causes, testServer } from './server'

const MERGE = 'application/merge-patch+json'
const SETS = '/apis/apps/v1/namespaces/default/statefulsets'
const JOBS = '/apis/batch/v1/namespaces/default/jobs'
const CRON_JOBS = '/apis/batch/v1/namespaces/default/cronjobs'
const AUTOSCALERS = '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers'

const labels = { app: 'a' }
const containers = [{ name: 'c', image: 'i' }]
const set = (members: JsonObject = {}): JsonObject => ({
  metadata: { name: 'a' },
  spec: {
    serviceName: 's',
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers } },
    ...members,
  },
})
const rolling = (rollingUpdate: JsonObject): JsonObject => ({
  updateStrategy: { type: 'RollingUpdate', rollingUpdate },
})
const jobSpec = (members: JsonObject = {}): JsonObject => ({
  completionMode: 'Indexed',
  completions: 3,
  template: { spec: { restartPolicy: 'Never', containers } },
  ...members,
})
const job = (members: JsonObject = {}): JsonObject => ({
  metadata: { name: 'a' },
  spec: jobSpec(members),
})
const specOf = ({ body }: { body: KubeObject }) =>
  body.spec as Record<string, JsonObject | string | undefined>

describe('MaxUnavailableStatefulSet', () => {
  const server = () => testServer({ featureGates: { MaxUnavailableStatefulSet: true } })
  it('accepts maxUnavailable, which defaults to one', async () => {
    const updated = specOf(
      await server().send('POST', SETS, set(rolling({ maxUnavailable: '40%' }))),
    )
    expect(updated.updateStrategy).toEqual({
      type: 'RollingUpdate',
      rollingUpdate: { partition: 0, maxUnavailable: '40%' },
    })
    const silent = specOf(await server().send('POST', SETS, set()))
    expect(silent.updateStrategy).toEqual({
      type: 'RollingUpdate',
      rollingUpdate: { partition: 0, maxUnavailable: 1 },
    })
  })

  it.each<[most: number | string, rejections: RegExp[]]>([
    [0, [/: cannot be 0$/]],
    [-1, [/must be greater than or equal to 0$/]],
    ['101%', [/must not be greater than 100%$/]],
    ['x', [/a valid percent string/, /cannot be 0$/]],
  ])('not %j', async (maxUnavailable, rejections) => {
    const { status, body } = await server().send<Causes>(
      'POST',
      SETS,
      set(rolling({ maxUnavailable })),
    )
    expect(status).toBe(422)
    const reported = causes(body)
    expect(reported).toHaveLength(rejections.length)
    for (const [i, rejection] of rejections.entries()) expect(reported[i]).toMatch(rejection)
  })

  it('is dropped while the gate is off', async () => {
    const spec = specOf(await testServer().send('POST', SETS, set(rolling({ maxUnavailable: 2 }))))
    expect(spec.updateStrategy).toEqual({ type: 'RollingUpdate', rollingUpdate: { partition: 0 } })
  })
})

describe('StatefulSetAutoDeletePVC off', () => {
  it('drops the retention policy of claims and sets no default', async () => {
    const server = testServer({ featureGates: { StatefulSetAutoDeletePVC: false } })
    const made = await server.send(
      'POST',
      SETS,
      set({ persistentVolumeClaimRetentionPolicy: { whenDeleted: 'nonsense' } }),
    )
    expect(made.status).toBe(201)
    expect(specOf(made).persistentVolumeClaimRetentionPolicy).toBeUndefined()
    const changed = { spec: { persistentVolumeClaimRetentionPolicy: { whenScaled: 'Delete' } } }
    expect(
      specOf(await server.send('PATCH', `${SETS}/a`, changed, MERGE))
        .persistentVolumeClaimRetentionPolicy,
    ).toBeUndefined()
  })
})

it('StatefulSetAutoDeletePVC off does not let the controller update claims', async () => {
  const role =
    '/apis/rbac.authorization.k8s.io/v1/clusterroles/system:controller:statefulset-controller'
  const verbs = async (StatefulSetAutoDeletePVC: boolean) => {
    const server = testServer({ featureGates: { StatefulSetAutoDeletePVC } })
    const { rules } = (
      await server.send<KubeObject & { rules: { resources: string[]; verbs: string[] }[] }>(
        'GET',
        role,
      )
    ).body
    return rules
      .filter(({ resources }) => resources.includes('persistentvolumeclaims'))
      .flatMap((rule) => rule.verbs)
  }
  expect((await verbs(true)).sort()).toEqual(['create', 'delete', 'get', 'list', 'update', 'watch'])
  expect((await verbs(false)).sort()).toEqual(['create', 'get', 'list', 'watch'])
})

describe('job gates that are off', () => {
  const FEATURES = {
    JobSuccessPolicy: false,
    JobBackoffLimitPerIndex: false,
    JobPodReplacementPolicy: false,
  }
  const onExitCodes = { operator: 'In', values: [1] }
  const POLICIES: JsonObject = {
    successPolicy: { rules: [{ succeededCount: 1 }] },
    backoffLimitPerIndex: 1,
    maxFailedIndexes: 2,
    podReplacementPolicy: 'Failed',
    podFailurePolicy: {
      rules: [
        { action: 'FailIndex', onExitCodes },
        { action: 'Count', onExitCodes },
      ],
    },
  }
  const server = () => testServer({ featureGates: FEATURES })

  it('drop their fields, and the rules that need them', async () => {
    const {
      successPolicy,
      backoffLimitPerIndex,
      maxFailedIndexes,
      podReplacementPolicy,
      podFailurePolicy,
    } = specOf(await server().send('POST', JOBS, job(POLICIES)))
    expect({ successPolicy, backoffLimitPerIndex, maxFailedIndexes, podReplacementPolicy }).toEqual(
      {},
    )
    expect(podFailurePolicy).toEqual({ rules: [{ action: 'Count', onExitCodes }] })
  })

  it('on update too', async () => {
    const changing = server()
    await changing.send('POST', JOBS, job())
    const { successPolicy, podReplacementPolicy } = POLICIES as JsonObject
    const change = { spec: { successPolicy, podReplacementPolicy } as JsonObject }
    const spec = specOf(await changing.send('PATCH', `${JOBS}/a`, change, MERGE))
    expect([spec.successPolicy, spec.podReplacementPolicy]).toEqual([undefined, undefined])
  })

  it('not in the templates of cron jobs', async () => {
    const { status, body } = await server().send('POST', CRON_JOBS, {
      metadata: { name: 'a' },
      spec: { schedule: '@daily', jobTemplate: { spec: jobSpec(POLICIES) } },
    })
    expect(status).toBe(201)
    expect(
      (body.spec as { jobTemplate: { spec: JsonObject } }).jobTemplate.spec.successPolicy,
    ).toEqual(POLICIES.successPolicy)
  })

  it('allow criteria only in success policies', async () => {
    const server = testServer({ featureGates: { JobPodReplacementPolicy: false } })
    await server.send('POST', JOBS, job({ completionMode: 'NonIndexed' }))
    const conditions = [{ type: 'SuccessCriteriaMet', status: 'True' }]
    const { body } = await server.send<Causes>(
      'PATCH',
      `${JOBS}/a/status`,
      { status: { conditions } },
      MERGE,
    )
    expect(causes(body)).toEqual([
      'status.conditions: Invalid value: cannot set SuccessCriteriaMet to NonIndexed Job',
      'status.conditions: Invalid value: cannot set SuccessCriteriaMet=True for Job without SuccessPolicy',
    ])
  })
})

describe('HPAScaleToZero', () => {
  const autoscaler = (minReplicas: number, metrics: JsonObject[] = []): JsonObject => ({
    metadata: { name: 'a' },
    spec: {
      minReplicas,
      maxReplicas: 3,
      metrics,
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
    },
  })
  const QUEUE = {
    type: 'External',
    external: { metric: { name: 'q' }, target: { type: 'Value', value: '3' } },
  }

  it('accepts minReplicas 0 if a metric other than resources can scale up again', async () => {
    const server = testServer({ featureGates: { HPAScaleToZero: true } })
    const alone = await server.send<Causes>('POST', AUTOSCALERS, autoscaler(0))
    expect(causes(alone.body)).toEqual([
      'spec.metrics: Forbidden: must specify at least one Object or External metric to support scaling to zero replicas',
    ])
    expect((await server.send('POST', AUTOSCALERS, autoscaler(0, [QUEUE]))).status).toBe(201)
    const below = await server.send<Causes>('POST', AUTOSCALERS, autoscaler(-1, [QUEUE]))
    expect(causes(below.body)).toEqual([
      'spec.minReplicas: Invalid value: -1: must be greater than or equal to 0',
    ])
  })

  it('rejects it while the gate is off', async () => {
    const { body } = await testServer().send<Causes>('POST', AUTOSCALERS, autoscaler(0, [QUEUE]))
    expect(causes(body)).toEqual([
      'spec.minReplicas: Invalid value: 0: must be greater than or equal to 1',
    ])
  })
})
