/** An autoscaler goes by what pods use, which a learner says: of a pod, or of the whole that they share. */
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { type Past, paced } from '../../src/engine/controllers/autoscaling/pace'
import { type Cluster, deployment, podTemplate, testCluster } from '../support/cluster'

const APPS = '/apis/apps/v1/namespaces/default/deployments'
const SCALERS = '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers'
let cluster: Cluster
afterEach(() => cluster?.close())

const cpu = (averageUtilization: number) => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
})

async function running(load: string, members: object = {}, requests: object = { cpu: '100m' }): Promise<void> {
  cluster = await testCluster({ scheduler: true, nodes: 3 })
  await cluster.pass(1)
  const template = podTemplate('web', 'img:1', { containers: [{ name: 'c', image: 'img:1', resources: { requests } }] })
  await cluster.ask({ method: 'POST', path: APPS, body: deployment('web', 2, { template }) })
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }
  const spec = { scaleTargetRef, minReplicas: 1, maxReplicas: 10, metrics: [cpu(50)], ...members }
  await cluster.ask({
    method: 'POST',
    path: SCALERS,
    body: { metadata: { name: 'web', annotations: { 'simulation.kubetab/load': load } }, spec },
  })
}

const annotate = (load: string) =>
  cluster.ask({
    method: 'PATCH',
    path: `${SCALERS}/web`,
    body: { metadata: { annotations: { 'simulation.kubetab/load': load } } },
    headers: { 'content-type': 'application/merge-patch+json' },
  })
const scaler = async () => (await cluster.ask({ path: `${SCALERS}/web` })).json
const warnings = async (): Promise<[string, string][]> =>
  (
    await cluster.ask({ path: '/api/v1/namespaces/default/events?fieldSelector=type=Warning,involvedObject.kind=HorizontalPodAutoscaler' })
  ).json.items.map(({ reason, message }: { reason: string; message: string }) => [reason, message])
const size = async () => (await cluster.ask({ path: `${APPS}/web` })).json.spec.replicas
const conditionOf = async (type: string) =>
  (await scaler()).status.conditions.find((condition: { type: string }) => condition.type === type)

describe('an autoscaler', () => {
  it('makes as many pods as the load needs, and says what it goes by', async () => {
    await running('cpu=300m')
    await cluster.pass(60)
    expect(await size()).toBe(6)
    expect((await scaler()).status.currentMetrics).toEqual([
      { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 50, averageValue: '50m' } } },
    ])
    expect(await conditionOf('ScalingActive')).toMatchObject({ status: 'True', reason: 'ValidMetricFound' })
    const events = (await cluster.ask({ path: '/api/v1/namespaces/default/events' })).json.items
    const messages = events.map(({ message }: { message: string }) => message)
    expect(messages).toContain('New size: 6; reason: cpu resource utilization (percentage of request) above target')
  })

  it('goes down only when it has been quiet for five minutes', async () => {
    await running('cpu=300m')
    await cluster.pass(60)
    await annotate('cpu=50m')
    await cluster.pass(240)
    expect(await size()).toBe(6)
    expect(await conditionOf('AbleToScale')).toMatchObject({ reason: 'ScaleDownStabilized' })
    await cluster.pass(120)
    expect(await size()).toBe(1)
  })

  it('leaves things as they are while they are nearly right', async () => {
    await running('cpu=105m')
    await cluster.pass(120)
    expect(await size()).toBe(2)
  })

  it('never goes beyond its limit', async () => {
    await running('cpu=100')
    await cluster.pass(300)
    expect(await size()).toBe(10)
    expect(await conditionOf('ScalingLimited')).toMatchObject({ status: 'True', reason: 'TooManyReplicas' })
  })

  it('cannot tell where pods do not ask for what is measured', async () => {
    await running('cpu=1', {}, {})
    await cluster.pass(60)
    expect(await size()).toBe(2)
    const problem = /failed to get cpu utilization: missing request for cpu in container c of Pod web-\w+-\w+$/
    const { reason, message } = await conditionOf('ScalingActive')
    expect(reason).toBe('FailedGetResourceMetric')
    expect(message).toMatch(new RegExp(`^the HPA was unable to compute the replica count: ${problem.source}`))
    expect((await scaler()).status).toMatchObject({ currentReplicas: 2, currentMetrics: [{ type: '' }] })
    const told = await warnings()
    expect(told.map(([why]) => why)).toEqual(['FailedGetResourceMetric', 'FailedComputeMetricsReplicas'])
    expect(told[0]?.[1]).toMatch(new RegExp(`^${problem.source}`))
    const whole = 'invalid metrics \\(1 invalid out of 1\\), first error is: failed to get cpu resource metric value'
    expect(told[1]?.[1]).toMatch(new RegExp(`^${whole}: ${problem.source}`))
  })

  it('goes up by those of its metrics that can be had, and tells of the others', async () => {
    const average = { type: 'AverageValue', averageValue: '5' }
    const queue = { type: 'External', external: { metric: { name: 'queue', selector: { matchLabels: { q: 'a' } } }, target: average } }
    const describedObject = { kind: 'Service', name: 'front', apiVersion: 'v1' }
    const object = { type: 'Object', object: { metric: { name: 'hits' }, describedObject, target: { type: 'Value', value: '5' } } }
    await running('cpu=300m', { metrics: [queue, cpu(50), object] })
    await cluster.pass(60)
    expect(await size()).toBe(6)
    expect((await scaler()).status.currentMetrics).toMatchObject([{ type: '' }, { type: 'Resource' }, { type: '' }])
    const custom = 'unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io) registered'
    const outside = 'unable to fetch metrics from external metrics API: no external metrics API (external.metrics.k8s.io) registered'
    const selector = '&LabelSelector{MatchLabels:map[string]string{q: a,},MatchExpressions:[]LabelSelectorRequirement{},}'
    expect(await warnings()).toEqual([
      ['FailedGetExternalMetric', `unable to get external metric default/queue/${selector}: ${outside}`],
      ['FailedGetObjectMetric', `unable to get metric hits: Service on default front/${custom}`],
    ])
  })

  it('goes as fast as it is told to', async () => {
    const scaleUp = { policies: [{ type: 'Pods', value: 1, periodSeconds: 60 }] }
    await running('cpu=300m', { behavior: { scaleUp } })
    await cluster.pass(50)
    expect(await size()).toBe(3)
    await cluster.pass(60)
    expect(await size()).toBe(4)
  })
})

it('is within its limits whatever is proposed, and goes up by no more than double or four', () => {
  const proposals = fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 1, maxLength: 40 })
  fc.assert(
    fc.property(proposals, fc.integer({ min: 1, max: 5 }), fc.integer({ min: 5, max: 50 }), (sequence, min, max) => {
      const past: Past = { proposals: [], changes: [] }
      let current = min
      sequence.forEach((proposed, i) => {
        const now = i * 15_000
        const { replicas } = paced(proposed, past, { current, min, max, behavior: undefined, now })
        expect(replicas).toBeGreaterThanOrEqual(min)
        expect(replicas).toBeLessThanOrEqual(max)
        expect(replicas).toBeLessThanOrEqual(Math.max(current + 4, current * 2))
        if (replicas !== current) past.changes.push({ at: now, by: replicas - current })
        current = replicas
      })
    }),
  )
})

describe('an autoscaler of custom resources', () => {
  const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
  const THINGS = '/apis/example.com/v1/namespaces/default/things'
  const paths = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas', labelSelectorPath: '.spec.selector' }
  const openAPIV3Schema = { type: 'object', properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } } }
  const scaled = async (selector: string | undefined) => {
    cluster = await testCluster()
    const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema }, subresources: { scale: paths } }]
    const spec = { group: 'example.com', scope: 'Namespaced', names: { plural: 'things', kind: 'Thing' }, versions }
    await cluster.ask({ method: 'POST', path: DEFINITIONS, body: { metadata: { name: 'things.example.com' }, spec } })
    await cluster.pass(1)
    const thing = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'web' }, spec: { replicas: 2, selector } }
    await cluster.ask({ method: 'POST', path: THINGS, body: thing })
    const scaleTargetRef = { apiVersion: 'example.com/v1', kind: 'Thing', name: 'web' }
    await cluster.ask({ method: 'POST', path: SCALERS, body: { metadata: { name: 'web' }, spec: { scaleTargetRef, maxReplicas: 5 } } })
    await cluster.pass(20)
    const { reason, message } = await conditionOf('ScalingActive')
    return { reason, message, warnings: await warnings() }
  }

  it('says that nobody can say which pods they have', async () => {
    expect(await scaled(undefined)).toEqual({
      reason: 'InvalidSelector',
      message: "the HPA target's scale is missing a selector",
      warnings: [
        ['SelectorRequired', 'selector is required'],
        ['FailedComputeMetricsReplicas', 'selector is required'],
      ],
    })
  })

  it('says that their selector cannot be read', async () => {
    const error =
      "couldn't convert selector into a corresponding internal selector object: unable to parse requirement: found '', expected: ',', ')' or identifier"
    expect(await scaled('a in (')).toMatchObject({ reason: 'InvalidSelector', message: error })
  })
})
