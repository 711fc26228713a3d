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
    expect((await conditionOf('ScalingActive')).message).toMatch(/missing request for cpu in container c of Pod web-/)
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
