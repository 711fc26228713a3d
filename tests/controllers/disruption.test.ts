/** PodDisruptionBudgets over pods of all kinds of controllers. */
import { afterEach, describe, expect, it } from 'vitest'
import { type Cluster, podTemplate, testCluster } from '../support/cluster'

const BUDGETS = '/apis/policy/v1/namespaces/default/poddisruptionbudgets'
const CORE = '/api/v1/namespaces/default'

let cluster: Cluster
afterEach(() => cluster.close())

const running = async () => {
  cluster = await testCluster({ scheduler: true, nodes: 1 })
  await cluster.pass(1)
}
const get = async (path: string) => (await cluster.sendRequest({ path })).json
const create = async (path: string, body: object) =>
  (await cluster.sendRequest({ method: 'POST', path, body })).json
const budget = (spec: object) => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'b' },
  spec: { selector: { matchLabels: { app: 'a' } }, ...spec },
})
const pod = (name: string, ownerReferences?: object[]) => ({
  kind: 'Pod',
  ...podTemplate('a'),
  metadata: { name, labels: { app: 'a' }, ownerReferences },
})
const eventsOfBudget = async (): Promise<string[]> =>
  (await get(`${CORE}/events?fieldSelector=involvedObject.kind=PodDisruptionBudget`)).items.map(
    ({ type, reason, message }: Record<string, string>) => `${type} ${reason} ${message}`,
  )

describe('a PodDisruptionBudget', () => {
  it('reports a failure where a controller has no scale subresource', async () => {
    await running()
    const spec = { selector: { matchLabels: { app: 'a' } }, template: podTemplate('a') }
    await create('/apis/apps/v1/namespaces/default/daemonsets', {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name: 'd' },
      spec,
    })
    await cluster.pass(5)
    await create(BUDGETS, budget({ maxUnavailable: 1 }))
    await cluster.pass(1)
    const { status } = await get(`${BUDGETS}/b`)
    expect(status).toMatchObject({
      disruptionsAllowed: 0,
      currentHealthy: 0,
      desiredHealthy: 0,
      expectedPods: 0,
    })
    expect(status.observedGeneration).toBeUndefined()
    const message = 'daemonsets.apps does not implement the scale subresource'
    expect(status.conditions).toEqual([
      expect.objectContaining({ status: 'False', reason: 'SyncFailed', message }),
    ])
    expect(await eventsOfBudget()).toEqual([
      `Warning CalculateExpectedPodCountFailed Failed to calculate the number of expected pods: ${message}`,
    ])
  })

  it('emits an event for pods without controller that it cannot count', async () => {
    await running()
    await create(`${CORE}/pods`, pod('alone'))
    await cluster.pass(5)
    await create(BUDGETS, budget({ minAvailable: '50%' }))
    await cluster.pass(1)
    expect((await get(`${BUDGETS}/b`)).status).toMatchObject({
      expectedPods: 0,
      conditions: [{ reason: 'InsufficientPods' }],
    })
    const [event] = await eventsOfBudget()
    expect(event).toMatch(
      /^Warning UnmanagedPods Pods selected by this PodDisruptionBudget \(selector: &LabelSelector\{MatchLabels:map\[string\]string\{app: a,\},MatchExpressions:\[\]LabelSelectorRequirement\{\},\}\) were found to be unmanaged\./,
    )
  })

  it('that overlaps another emits an event at each change of the pod', async () => {
    await running()
    await create(BUDGETS, budget({ minAvailable: 1 }))
    const reported = async () => {
      const { items } = await get(
        `${CORE}/events?fieldSelector=reason=MultiplePodDisruptionBudgets`,
      )
      return items.map(
        ({ type, message, count }: Record<string, string>) => `${type} ${message} ${count}`,
      )
    }
    const unscheduled = {
      ...pod('one'),
      ...podTemplate('a', 'img:1', { schedulerName: 'none' }),
      metadata: pod('one').metadata,
    }
    await create(`${CORE}/pods`, unscheduled)
    await cluster.pass(1)
    expect(await reported()).toEqual([])
    await create(BUDGETS, { ...budget({ minAvailable: 2 }), metadata: { name: 'second' } })
    const headers = { 'content-type': 'application/merge-patch+json' }
    await cluster.sendRequest({
      method: 'PATCH',
      path: `${CORE}/pods/one`,
      body: { metadata: { annotations: { changed: 'yes' } } },
      headers,
    })
    await cluster.pass(1)
    expect(await reported()).toEqual([
      'Warning Pod "default"/"one" matches multiple PodDisruptionBudgets.  Chose "b" arbitrarily. 1',
    ])
    expect((await get(`${BUDGETS}/second`)).status).toMatchObject({
      expectedPods: 1,
      desiredHealthy: 2,
    })
  })

  it('uses the scale subresource of custom resources that own its pods', async () => {
    await running()
    const schema = {
      openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    }
    const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' }
    const names = { plural: 'herds', singular: 'herd', kind: 'Herd' }
    const versions = [{ name: 'v1', served: true, storage: true, schema, subresources: { scale } }]
    await create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'herds.farm.example' },
      spec: { group: 'farm.example', scope: 'Namespaced', names, versions },
    })
    await cluster.pass(1)
    const herd = {
      apiVersion: 'farm.example/v1',
      kind: 'Herd',
      metadata: { name: 'h' },
      spec: { replicas: 3 },
    }
    const { metadata } = await create('/apis/farm.example/v1/namespaces/default/herds', herd)
    const owner = {
      apiVersion: 'farm.example/v1',
      kind: 'Herd',
      name: 'h',
      uid: metadata.uid,
      controller: true,
    }
    for (const name of ['a', 'b', 'c']) await create(`${CORE}/pods`, pod(name, [owner]))
    await cluster.pass(5)
    await create(BUDGETS, budget({ maxUnavailable: 1 }))
    await cluster.pass(1)
    expect((await get(`${BUDGETS}/b`)).status).toMatchObject({
      expectedPods: 3,
      desiredHealthy: 2,
      disruptionsAllowed: 1,
    })
  })
})

it('the DisruptionTarget condition is reset on a pod that was not deleted', async () => {
  await running()
  await create(`${CORE}/pods`, pod('spared'))
  await cluster.pass(5)
  const { status } = await get(`${CORE}/pods/spared`)
  const lastTransitionTime = '2026-01-01T00:00:06Z'
  const mark = {
    type: 'DisruptionTarget',
    status: 'True',
    reason: 'PreemptionByScheduler',
    message: 'for another',
    lastTransitionTime,
  }
  await cluster.sendRequest({
    method: 'PATCH',
    path: `${CORE}/pods/spared/status`,
    body: { status: { conditions: [...status.conditions, mark] } },
    headers: { 'content-type': 'application/merge-patch+json' },
  })
  const marks = async () =>
    (await get(`${CORE}/pods/spared`)).status.conditions.filter(
      ({ type }: { type: string }) => type === 'DisruptionTarget',
    )
  await cluster.pass(115)
  expect(await marks()).toMatchObject([mark])
  await cluster.pass(10)
  expect(await marks()).toEqual([
    {
      type: 'DisruptionTarget',
      status: 'False',
      lastProbeTime: null,
      lastTransitionTime: '2026-01-01T00:02:06Z',
    },
  ])
})

it('an evicted pod that still exists after two minutes emits an event', async () => {
  await running()
  await create(`${CORE}/pods`, pod('stays'))
  await create(BUDGETS, budget({ minAvailable: 0 }))
  await cluster.pass(5)
  const { status } = await get(`${BUDGETS}/b`)
  await cluster.sendRequest({
    method: 'PATCH',
    path: `${BUDGETS}/b/status`,
    body: { status: { ...status, disruptedPods: { stays: '2026-01-01T00:00:06Z' } } },
    headers: { 'content-type': 'application/merge-patch+json' },
  })
  await cluster.pass(115)
  expect((await get(`${BUDGETS}/b`)).status.disruptedPods).toEqual({
    stays: '2026-01-01T00:00:06Z',
  })
  await cluster.pass(10)
  expect((await get(`${BUDGETS}/b`)).status.disruptedPods).toBeUndefined()
  const { items } = await get(`${CORE}/events?fieldSelector=reason%3DNotDeleted`)
  const message = "Pod was expected by PDB default/default to be deleted but it wasn't"
  expect(items).toMatchObject([
    { type: 'Warning', message, involvedObject: { kind: 'Pod', name: 'stays' } },
  ])
})
