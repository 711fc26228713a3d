/**
 * HorizontalPodAutoscaler: a load model supplies the usage of a pod, or a total that its pods
 * share.
 */
import { afterEach, describe, expect, it } from 'vitest'
import { type Cluster, deployment, podTemplate, testCluster } from '../support/cluster'

const APPS = '/apis/apps/v1/namespaces/default/deployments'
const SCALERS = '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers'
let cluster: Cluster
afterEach(() => cluster?.close())

const cpu = (averageUtilization: number) => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
})

async function running(
  load: string,
  members: object = {},
  requests: object = { cpu: '100m' },
): Promise<void> {
  cluster = await testCluster({ scheduler: true, nodes: 3 })
  await cluster.pass(1)
  const template = podTemplate('web', 'img:1', {
    containers: [{ name: 'c', image: 'img:1', resources: { requests } }],
  })
  await cluster.sendRequest({
    method: 'POST',
    path: APPS,
    body: deployment('web', 2, { template }),
  })
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }
  const spec = { scaleTargetRef, minReplicas: 1, maxReplicas: 10, metrics: [cpu(50)], ...members }
  await cluster.sendRequest({
    method: 'POST',
    path: SCALERS,
    body: { metadata: { name: 'web', annotations: { 'simulation.kubetab/load': load } }, spec },
  })
}

const annotate = (load: string) =>
  cluster.sendRequest({
    method: 'PATCH',
    path: `${SCALERS}/web`,
    body: { metadata: { annotations: { 'simulation.kubetab/load': load } } },
    headers: { 'content-type': 'application/merge-patch+json' },
  })
const scaler = async () => (await cluster.sendRequest({ path: `${SCALERS}/web` })).json
const warnings = async (): Promise<[string, string][]> =>
  (
    await cluster.sendRequest({
      path: '/api/v1/namespaces/default/events?fieldSelector=type=Warning,involvedObject.kind=HorizontalPodAutoscaler',
    })
  ).json.items.map(({ reason, message }: { reason: string; message: string }) => [reason, message])
const size = async () => (await cluster.sendRequest({ path: `${APPS}/web` })).json.spec.replicas
const conditionOf = async (type: string) =>
  (await scaler()).status.conditions.find((condition: { type: string }) => condition.type === type)

describe('a HorizontalPodAutoscaler', () => {
  it('scales to the load, and reports its conditions', async () => {
    await running('cpu=300m')
    await cluster.pass(60)
    expect(await size()).toBe(6)
    expect((await scaler()).status.currentMetrics).toEqual([
      {
        type: 'Resource',
        resource: { name: 'cpu', current: { averageUtilization: 50, averageValue: '50m' } },
      },
    ])
    expect(await conditionOf('ScalingActive')).toMatchObject({
      status: 'True',
      reason: 'ValidMetricFound',
    })
    const events = (await cluster.sendRequest({ path: '/api/v1/namespaces/default/events' })).json
      .items
    const messages = events.map(({ message }: { message: string }) => message)
    expect(messages).toContain(
      'New size: 6; reason: cpu resource utilization (percentage of request) above target',
    )
  })

  it('scales down only after the stabilization window of five minutes', async () => {
    await running('cpu=300m')
    await cluster.pass(60)
    await annotate('cpu=50m')
    await cluster.pass(240)
    expect(await size()).toBe(6)
    expect(await conditionOf('AbleToScale')).toMatchObject({ reason: 'ScaleDownStabilized' })
    await cluster.pass(120)
    expect(await size()).toBe(1)
  })

  it('does not scale within the tolerance', async () => {
    await running('cpu=105m')
    await cluster.pass(120)
    expect(await size()).toBe(2)
  })

  it('never exceeds maxReplicas', async () => {
    await running('cpu=100')
    await cluster.pass(300)
    expect(await size()).toBe(10)
    expect(await conditionOf('ScalingLimited')).toMatchObject({
      status: 'True',
      reason: 'TooManyReplicas',
    })
  })

  it('reports pods without requests for the measured resource', async () => {
    await running('cpu=1', {}, {})
    await cluster.pass(60)
    expect(await size()).toBe(2)
    const problem =
      /failed to get cpu utilization: missing request for cpu in container c of Pod web-\w+-\w+$/
    const { reason, message } = await conditionOf('ScalingActive')
    expect(reason).toBe('FailedGetResourceMetric')
    expect(message).toMatch(
      new RegExp(`^the HPA was unable to compute the replica count: ${problem.source}`),
    )
    expect((await scaler()).status).toMatchObject({
      currentReplicas: 2,
      currentMetrics: [{ type: '' }],
    })
    const reported = await warnings()
    expect(reported.map(([why]) => why)).toEqual([
      'FailedGetResourceMetric',
      'FailedComputeMetricsReplicas',
    ])
    expect(reported[0]?.[1]).toMatch(new RegExp(`^${problem.source}`))
    const whole =
      'invalid metrics \\(1 invalid out of 1\\), first error is: failed to get cpu resource metric value'
    expect(reported[1]?.[1]).toMatch(new RegExp(`^${whole}: ${problem.source}`))
  })

  it('scales up by the available metrics, and reports the others', async () => {
    const average = { type: 'AverageValue', averageValue: '5' }
    const queue = {
      type: 'External',
      external: {
        metric: { name: 'queue', selector: { matchLabels: { q: 'a' } } },
        target: average,
      },
    }
    const describedObject = { kind: 'Service', name: 'front', apiVersion: 'v1' }
    const object = {
      type: 'Object',
      object: { metric: { name: 'hits' }, describedObject, target: { type: 'Value', value: '5' } },
    }
    await running('cpu=300m', { metrics: [queue, cpu(50), object] })
    await cluster.pass(60)
    expect(await size()).toBe(6)
    expect((await scaler()).status.currentMetrics).toMatchObject([
      { type: '' },
      { type: 'Resource' },
      { type: '' },
    ])
    const custom =
      'unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io) registered'
    const outside =
      'unable to fetch metrics from external metrics API: the server could not find the requested resource (get queue.external.metrics.k8s.io)'
    const selector =
      '&LabelSelector{MatchLabels:map[string]string{q: a,},MatchExpressions:[]LabelSelectorRequirement{},}'
    expect(await warnings()).toEqual([
      [
        'FailedGetExternalMetric',
        `unable to get external metric default/queue/${selector}: ${outside}`,
      ],
      ['FailedGetObjectMetric', `unable to get metric hits: Service on default front/${custom}`],
    ])
  })

  it('follows the scaling policies of behavior', async () => {
    const scaleUp = { policies: [{ type: 'Pods', value: 1, periodSeconds: 60 }] }
    await running('cpu=300m', { behavior: { scaleUp } })
    await cluster.pass(50)
    expect(await size()).toBe(3)
    await cluster.pass(60)
    expect(await size()).toBe(4)
  })
})

describe('a new HorizontalPodAutoscaler', () => {
  it('keeps the current replicas for five minutes', async () => {
    await running('cpu=20m')
    await cluster.pass(290)
    expect(await size()).toBe(2)
    expect(await conditionOf('AbleToScale')).toMatchObject({ reason: 'ScaleDownStabilized' })
    await cluster.pass(60)
    expect(await size()).toBe(1)
  })

  it('reports why it cannot scale', async () => {
    await running('cpu=300m')
    const policy = {
      matchConstraints: {
        resourceRules: [
          {
            apiGroups: ['apps'],
            apiVersions: ['v1'],
            operations: ['UPDATE'],
            resources: ['deployments/scale'],
          },
        ],
      },
      validations: [{ expression: 'false', message: 'as it is' }],
    }
    const policies = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolic'
    await cluster.sendRequest({
      method: 'POST',
      path: `${policies}ies`,
      body: { metadata: { name: 'fixed' }, spec: policy },
    })
    const bound = { policyName: 'fixed', validationActions: ['Deny'] }
    await cluster.sendRequest({
      method: 'POST',
      path: `${policies}ybindings`,
      body: { metadata: { name: 'fixed' }, spec: bound },
    })
    await cluster.pass(20)
    const { status, reason, message } = await conditionOf('AbleToScale')
    expect([status, reason]).toEqual(['False', 'FailedUpdateScale'])
    expect(message).toMatch(
      /^the HPA controller was unable to update the target scale: .*as it is$/,
    )
    const [reported] = await warnings()
    expect(reported?.[0]).toBe('FailedRescale')
    expect(reported?.[1]).toMatch(
      /^New size: 4; reason: cpu resource utilization \(percentage of request\) above target; error: .*as it is$/,
    )
    expect((await scaler()).status).toMatchObject({
      currentReplicas: 2,
      currentMetrics: [{ type: 'Resource' }],
    })
  })

  it('resolves its target by group and kind, in any version', async () => {
    await running('cpu=300m')
    const scaleTargetRef = (apiVersion: string, kind: string) =>
      cluster.sendRequest({
        method: 'PATCH',
        path: `${SCALERS}/web`,
        body: { spec: { scaleTargetRef: { apiVersion, kind, name: 'web' } } },
        headers: { 'content-type': 'application/merge-patch+json' },
      })
    await scaleTargetRef('apps/v1beta2', 'Deployment')
    await cluster.pass(20)
    expect(await size()).toBe(4)
    await scaleTargetRef('extensions/v1beta1', 'Deployment')
    await cluster.pass(15)
    const why = 'no matches for kind "Deployment" in group "extensions"'
    const message = `the HPA controller was unable to get the target's current scale: ${why}`
    expect(await conditionOf('AbleToScale')).toMatchObject({
      status: 'False',
      reason: 'FailedGetScale',
      message,
    })
    expect(await warnings()).toContainEqual(['FailedGetScale', why])
  })

  it('does not scale pods that another autoscaler selects', async () => {
    await running('cpu=300m')
    await cluster.pass(5)
    const { spec } = await scaler()
    await cluster.sendRequest({
      method: 'POST',
      path: SCALERS,
      body: { metadata: { name: 'also' }, spec },
    })
    await cluster.pass(40)
    const message =
      'pods by selector app=web are controlled by multiple HPAs: [default/also default/web]'
    expect(await conditionOf('ScalingActive')).toMatchObject({
      status: 'False',
      reason: 'AmbiguousSelector',
      message,
    })
    const reported = await warnings()
    expect(reported).toContainEqual(['AmbiguousSelector', message])
    expect(reported).toContainEqual(['FailedComputeMetricsReplicas', message])
  })
})

describe('a HorizontalPodAutoscaler of custom resources', () => {
  const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
  const THINGS = '/apis/example.com/v1/namespaces/default/things'
  const paths = {
    specReplicasPath: '.spec.replicas',
    statusReplicasPath: '.status.replicas',
    labelSelectorPath: '.spec.selector',
  }
  const openAPIV3Schema = {
    type: 'object',
    properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
  }
  const scaled = async (selector: string | undefined) => {
    cluster = await testCluster()
    const versions = [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema },
        subresources: { scale: paths },
      },
    ]
    const spec = {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'things', kind: 'Thing' },
      versions,
    }
    await cluster.sendRequest({
      method: 'POST',
      path: DEFINITIONS,
      body: { metadata: { name: 'things.example.com' }, spec },
    })
    await cluster.pass(1)
    const thing = {
      apiVersion: 'example.com/v1',
      kind: 'Thing',
      metadata: { name: 'web' },
      spec: { replicas: 2, selector },
    }
    await cluster.sendRequest({ method: 'POST', path: THINGS, body: thing })
    const scaleTargetRef = { apiVersion: 'example.com/v1', kind: 'Thing', name: 'web' }
    await cluster.sendRequest({
      method: 'POST',
      path: SCALERS,
      body: { metadata: { name: 'web' }, spec: { scaleTargetRef, maxReplicas: 5 } },
    })
    await cluster.pass(20)
    const { reason, message } = await conditionOf('ScalingActive')
    return { reason, message, warnings: await warnings() }
  }

  it('reports a missing selector', async () => {
    expect(await scaled(undefined)).toEqual({
      reason: 'InvalidSelector',
      message: "the HPA target's scale is missing a selector",
      warnings: [
        ['SelectorRequired', 'selector is required'],
        ['FailedComputeMetricsReplicas', 'selector is required'],
      ],
    })
  })

  it('reports an invalid selector', async () => {
    const error =
      "couldn't convert selector into a corresponding internal selector object: unable to parse requirement: found '', expected: ',', ')' or identifier"
    expect(await scaled('a in (')).toMatchObject({ reason: 'InvalidSelector', message: error })
  })
})
