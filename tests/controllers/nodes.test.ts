/** Pods of unhealthy nodes, evictions, and pods with activeDeadlineSeconds. */
import { afterEach, describe, expect, it } from 'vitest'
import { type Cluster, testCluster } from '../support/cluster'

const PODS = '/api/v1/namespaces/default/pods'

let cluster: Cluster
afterEach(() => cluster.close())

const running = async (nodes: number) => {
  cluster = await testCluster({ scheduler: true, nodes })
  await cluster.pass(1)
}
const get = async (path: string) => (await cluster.sendRequest({ path })).json
const patch = (path: string, body: object) =>
  cluster.sendRequest({
    method: 'PATCH',
    path,
    body,
    headers: { 'content-type': 'application/merge-patch+json' },
  })
const pod = (name: string, spec: object = {}) =>
  cluster.sendRequest({
    method: 'POST',
    path: PODS,
    body: {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name },
      spec: { containers: [{ name: 'c', image: 'img:1' }], ...spec },
    },
  })
const fail = (node: string) =>
  patch(`/api/v1/nodes/${node}`, {
    metadata: { annotations: { 'simulation.kubetab/state': 'failed' } },
  })

interface Taint {
  key: string
  effect: string
  timeAdded?: string
}
/** The times at which eviction began, by node. */
async function drivenOff(): Promise<Record<string, string | undefined>> {
  const { items } = await get('/api/v1/nodes')
  const all: [string, string][] = items.flatMap(
    ({ metadata, spec }: { metadata: { name: string }; spec: { taints?: Taint[] } }) =>
      (spec.taints ?? [])
        .filter(({ effect }) => effect === 'NoExecute')
        .map(({ timeAdded }) => [metadata.name, timeAdded]),
  )
  return Object.fromEntries(all)
}

it.each([
  ['reports it itself', true, 'True'],
  ['fell silent', false, 'False'],
])(
  'pods of an unhealthy node get an event only if the node did not report it: it %s',
  async (_, speaks, ready) => {
    cluster = await testCluster()
    const times = {
      lastHeartbeatTime: '2026-01-01T00:00:00Z',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    }
    const status = { conditions: [{ type: 'Ready', status: 'True', ...times }] }
    await cluster.sendRequest({
      method: 'POST',
      path: '/api/v1/nodes',
      body: { apiVersion: 'v1', kind: 'Node', metadata: { name: 'own' }, status },
    })
    await pod('p', { nodeName: 'own', tolerations: [{ operator: 'Exists' }] })
    await patch(`${PODS}/p/status`, {
      status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
    })
    if (speaks)
      await patch('/api/v1/nodes/own/status', {
        status: { conditions: [{ type: 'Ready', status: 'False', ...times }] },
      })
    await cluster.pass(speaks ? 20 : 60)
    expect((await get('/api/v1/nodes/own')).status.conditions[0].status).toBe(
      speaks ? 'False' : 'Unknown',
    )
    expect((await get(`${PODS}/p`)).status.conditions[0].status).toBe(ready)
    const { items } = await get(
      '/api/v1/namespaces/default/events?fieldSelector=reason=NodeNotReady',
    )
    expect(items.length > 0).toBe(!speaks)
  },
)

describe('nodes without heartbeats', () => {
  it('lose their pods at a limited rate', async () => {
    await running(4)
    await fail('node-1')
    await fail('node-2')
    await cluster.pass(60)
    expect(await drivenOff()).toEqual({
      'node-1': '2026-01-01T00:00:45Z',
      'node-2': '2026-01-01T00:00:55Z',
    })
  })

  it('keep their pods when most of a small zone fails', async () => {
    await running(5)
    for (const node of ['node-1', 'node-2', 'node-3']) await fail(node)
    await cluster.pass(120)
    expect(await drivenOff()).toEqual({})
    await patch('/api/v1/nodes/node-3', {
      metadata: { annotations: { 'simulation.kubetab/state': null } },
    })
    await cluster.pass(60)
    expect(Object.keys(await drivenOff())).toEqual(['node-1', 'node-2'])
  })

  it('lose their pods when a whole zone fails and another is healthy', async () => {
    await running(4)
    for (const node of ['node-1', 'node-2', 'node-3'])
      await patch(`/api/v1/nodes/${node}`, {
        metadata: { labels: { 'topology.kubernetes.io/zone': 'a' } },
      })
    for (const node of ['node-1', 'node-2', 'node-3']) await fail(node)
    await cluster.pass(120)
    expect(Object.keys(await drivenOff())).toEqual(['node-1', 'node-2', 'node-3'])
  })

  it('release their pods at once with the out-of-service taint', async () => {
    await running(2)
    await pod('p', { nodeName: 'node-1', terminationGracePeriodSeconds: 30 })
    await cluster.pass(5)
    await fail('node-1')
    await cluster.pass(360)
    expect((await get(`${PODS}/p`)).metadata.deletionTimestamp).toBeDefined()
    const { spec } = await get('/api/v1/nodes/node-1')
    const taint = {
      key: 'node.kubernetes.io/out-of-service',
      value: 'nodeshutdown',
      effect: 'NoExecute',
    }
    await patch('/api/v1/nodes/node-1', { spec: { taints: [...spec.taints, taint] } })
    await cluster.pass(1)
    expect((await cluster.sendRequest({ path: `${PODS}/p` })).status).toBe(404)
  })
})

it('a node offers extended resources', async () => {
  await running(1)
  const patchStatus = (capacity: object) =>
    patch('/api/v1/nodes/node-1/status', { status: { capacity } })
  await patchStatus({ 'example.test/dongle': '3' })
  await cluster.pass(5)
  const { status } = await get('/api/v1/nodes/node-1')
  expect(status.allocatable).toEqual(status.capacity)
  expect(status.allocatable).toMatchObject({ cpu: '4', 'example.test/dongle': '3' })
  await patchStatus({ 'example.test/dongle': null })
  await cluster.pass(5)
  expect((await get('/api/v1/nodes/node-1')).status.allocatable).not.toHaveProperty([
    'example.test/dongle',
  ])
})

describe('a pod with spec.nodeName', () => {
  const requesting = (cpu: string, ports: object[] = []) => ({
    nodeName: 'node-1',
    containers: [{ name: 'c', image: 'img:1', resources: { requests: { cpu } }, ports }],
  })
  const port = { containerPort: 80, hostPort: 80 }

  it.each([
    [
      'lacks room',
      requesting('3'),
      'OutOfcpu',
      "Node didn't have enough resource: cpu, requested: 3000, used: 2000, capacity: 4000",
    ],
    [
      'is not one for it',
      { ...requesting('1'), nodeSelector: { disk: 'fast' } },
      'NodeAffinity',
      "Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector",
    ],
    [
      'has its port taken',
      requesting('1', [port]),
      'NodePorts',
      "Predicate NodePorts failed: node(s) didn't have free ports for the requested pod ports",
    ],
    [
      'has another system',
      { ...requesting('1'), os: { name: 'windows' } },
      'PodOSNotSupported',
      "Failed to admit pod as the OS field doesn't match node OS",
    ],
    [
      'does not let it set what it wants in the kernel',
      {
        ...requesting('1'),
        securityContext: {
          sysctls: [
            { name: 'net/ipv4/tcp_syncookies', value: '1' },
            { name: 'kernel.msgmax', value: '9' },
          ],
        },
      },
      'SysctlForbidden',
      'forbidden sysctl: "kernel.msgmax" not allowlisted',
    ],
  ])('is rejected by a node that %s', async (_, spec, reason, message) => {
    await running(1)
    await pod('first', requesting('2', [port]))
    await cluster.pass(5)
    await pod('second', spec)
    await cluster.pass(5)
    const { status } = await get(`${PODS}/second`)
    expect(status).toMatchObject({
      phase: 'Failed',
      reason,
      message: `Pod was rejected: ${message}`,
    })
    const { items } = await get(`/api/v1/namespaces/default/events?fieldSelector=reason=${reason}`)
    expect(items).toEqual([
      expect.objectContaining({
        type: 'Warning',
        message,
        source: { component: 'kubelet', host: 'node-1' },
      }),
    ])
  })

  it('is admitted by a node with capacity', async () => {
    await running(1)
    await pod('first', requesting('2', [port]))
    await pod('second', requesting('2'))
    await cluster.pass(5)
    expect((await get(`${PODS}/second`)).status.phase).toBe('Running')
  })
})

describe('a pod', () => {
  it('stays on a tainted node as long as the first matching toleration allows', async () => {
    await running(1)
    const taint = { key: 'busy', effect: 'NoExecute' }
    const short = { key: 'busy', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 10 }
    const unlimited = { key: 'busy', operator: 'Exists', effect: 'NoExecute' }
    await pod('stays', { tolerations: [unlimited, short] })
    await pod('goes', { tolerations: [short, unlimited] })
    await cluster.pass(5)
    await patch('/api/v1/nodes/node-1', { spec: { taints: [taint] } })
    await cluster.pass(60)
    expect((await get(`${PODS}/stays`)).status.phase).toBe('Running')
    expect((await cluster.sendRequest({ path: `${PODS}/goes` })).status).toBe(404)
  })

  it('has events with the node and the container', async () => {
    await running(1)
    await pod('p', { initContainers: [{ name: 'before', image: 'img:1', command: ['true'] }] })
    await cluster.pass(5)
    const { items } = await get('/api/v1/namespaces/default/events?fieldSelector=reason=Started')
    const seen = items.map(
      ({ involvedObject, source, reportingInstance }: Record<string, Record<string, string>>) => [
        involvedObject?.fieldPath,
        source,
        reportingInstance,
      ],
    )
    expect(seen.sort()).toEqual(
      ['spec.containers{c}', 'spec.initContainers{before}'].map((path) => [
        path,
        { component: 'kubelet', host: 'node-1' },
        'node-1',
      ]),
    )
  })

  it('fails after activeDeadlineSeconds', async () => {
    await running(1)
    await pod('p', { activeDeadlineSeconds: 30 })
    await cluster.pass(25)
    expect((await get(`${PODS}/p`)).status.phase).toBe('Running')
    await cluster.pass(10)
    const { status } = await get(`${PODS}/p`)
    const message = 'Pod was active on the node longer than the specified deadline'
    expect(status).toMatchObject({ phase: 'Failed', reason: 'DeadlineExceeded', message })
    expect(status.conditions).toContainEqual(
      expect.objectContaining({ type: 'Ready', status: 'False', reason: 'PodFailed' }),
    )
    expect(status.containerStatuses[0].state.terminated).toBeDefined()
    const { items } = await get(
      '/api/v1/namespaces/default/events?fieldSelector=reason=DeadlineExceeded',
    )
    expect(items).toEqual([expect.objectContaining({ type: 'Normal', message })])
    const stopped = await get('/api/v1/namespaces/default/events?fieldSelector=reason=Killing')
    expect(stopped.items.map((event: { message: string }) => event.message)).toEqual([
      'Stopping container c',
    ])
  })

  it.each(['while true; do date; sleep 5; done', 'tail -f /dev/null'])(
    'runs without end when configured: %s',
    async (script) => {
      await running(1)
      await pod('p', {
        restartPolicy: 'Never',
        containers: [{ name: 'c', image: 'img:1', command: ['sh', '-c', script] }],
      })
      await cluster.pass(60)
      expect((await get(`${PODS}/p`)).status.phase).toBe('Running')
    },
  )

  it('waits for its preStop sleep, if it runs', async () => {
    await running(1)
    const lifecycle = { preStop: { sleep: { seconds: 10 } } }
    const containers = (command: string[]) => [{ name: 'c', image: 'img:1', command, lifecycle }]
    await pod('runs', { containers: containers(['sleep', 'inf']) })
    await pod('ended', { containers: containers(['exit', '0']), restartPolicy: 'Never' })
    await cluster.pass(5)
    for (const name of ['runs', 'ended'])
      await cluster.sendRequest({ method: 'DELETE', path: `${PODS}/${name}` })
    await cluster.pass(5)
    expect((await cluster.sendRequest({ path: `${PODS}/ended` })).status).toBe(404)
    expect((await cluster.sendRequest({ path: `${PODS}/runs` })).status).toBe(200)
    await cluster.pass(10)
    expect((await cluster.sendRequest({ path: `${PODS}/runs` })).status).toBe(404)
  })
})
