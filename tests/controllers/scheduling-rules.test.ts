/** Single rules of scheduler plugins, in combinations and with omitted fields. */
import { afterEach, describe, expect, it } from 'vitest'
import { type Cluster, testCluster } from '../support/cluster'

const PODS = '/api/v1/namespaces/default/pods'
const STORAGE = '/apis/storage.k8s.io/v1'

let cluster: Cluster
afterEach(() => cluster.close())

const create = async (path: string, body: object) => {
  const response = await cluster.sendRequest({ method: 'POST', path, body })
  expect(response.status, response.text).toBe(201)
  return response.json
}
const patch = (path: string, body: object) =>
  cluster.sendRequest({
    method: 'PATCH',
    path,
    body,
    headers: { 'content-type': 'application/merge-patch+json' },
  })
async function withNodes(labels: Record<string, Record<string, string>>, cpu = '4'): Promise<void> {
  cluster = await testCluster({ scheduler: true })
  const allocatable = { cpu, memory: '8Gi', pods: '9' }
  const times = {
    lastHeartbeatTime: '2026-01-01T00:00:00Z',
    lastTransitionTime: '2026-01-01T00:00:00Z',
  }
  const status = {
    capacity: allocatable,
    allocatable,
    conditions: [{ type: 'Ready', status: 'True', ...times }],
  }
  for (const [name, own] of Object.entries(labels))
    await create('/api/v1/nodes', {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name, labels: own },
      status,
    })
  await cluster.pass(1)
}
const pod = (name: string, spec: object = {}, labels: Record<string, string> = {}) =>
  create(PODS, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels },
    spec: { containers: [{ name: 'c', image: 'img:1' }], ...spec },
  })
const get = async (name: string) => (await cluster.sendRequest({ path: `${PODS}/${name}` })).json
const nodeOf = async (name: string): Promise<string | undefined> => (await get(name)).spec.nodeName
const whyNot = async (name: string): Promise<string> =>
  (await get(name)).status.conditions.find(({ type }: { type: string }) => type === 'PodScheduled')
    .message
const near = (...terms: [label: string, topologyKey: string][]) => ({
  affinity: {
    podAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: terms.map(([label, topologyKey]) => ({
        labelSelector: { matchExpressions: [{ key: label, operator: 'Exists' }] },
        topologyKey,
      })),
    },
  },
})

describe('scores of free resources', () => {
  it('are whole percentages, computed without rounding errors', async () => {
    await withNodes({ exact: {} }, '1')
    const allocatable = { cpu: '1100m', memory: '8Gi', pods: '9' }
    const body = {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'b' },
      status: { capacity: allocatable, allocatable },
    }
    await create('/api/v1/nodes', body)
    await cluster.pass(10)
    const requesting = (cpu: string, memory: string) => ({
      containers: [{ name: 'c', image: 'img:1', resources: { requests: { cpu, memory } } }],
    })
    await pod('there', { ...requesting('800m', '1Mi'), nodeName: 'exact' })
    await pod('also', { ...requesting('900m', '1Mi'), nodeName: 'b' })
    // A tenth is free here, a little less there.
    await pod('p', { ...requesting('100m', '459Mi'), tolerations: [{ operator: 'Exists' }] })
    expect(await nodeOf('p')).toBe('exact')
  })
})

describe('affinity terms', () => {
  it('are satisfied by one pod, not by one per term', async () => {
    await withNodes({ a: { zone: 'x', rack: 'r' } })
    await pod('red', { nodeName: 'a' }, { red: '' })
    await pod('round', { nodeName: 'a' }, { round: '' })
    await pod('both', near(['red', 'zone'], ['round', 'rack']))
    expect(await whyNot('both')).toContain("1 node(s) didn't match pod affinity rules.")
    await pod('redround', { nodeName: 'a' }, { red: '', round: '' })
    await cluster.pass(20)
    expect(await nodeOf('both')).toBe('a')
  })

  it('let the first pod of a group start only where all topology keys exist', async () => {
    await withNodes({ a: { zone: 'x' }, b: { zone: 'x', rack: 'r' } })
    await pod('first', near(['team', 'zone'], ['team', 'rack']), { team: '' })
    expect(await nodeOf('first')).toBe('b')
  })
})

describe('the required affinity of a pod', () => {
  it('attracts other pods with that affinity to its topology domain', async () => {
    await withNodes({ a: { zone: 'x' }, b: { zone: 'y' } })
    await pod('team', { nodeName: 'b' }, { team: '' })
    await pod('social', { ...near(['team', 'zone']), nodeName: 'b' })
    // Node b would have less free, and the order by name prefers a.
    await pod('new', {}, { team: '' })
    expect(await nodeOf('new')).toBe('b')
  })
})

describe('node affinity terms', () => {
  const named = (...names: string[]) => ({
    matchFields: names.map((name) => ({ key: 'metadata.name', operator: 'In', values: [name] })),
  })
  const on = (...nodeSelectorTerms: object[]) => ({
    affinity: {
      nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } },
    },
  })

  it('that require two names are rejected before any node is filtered', async () => {
    await withNodes({ a: {}, b: {} })
    await pod('torn', on(named('a', 'b'), named('b', 'a')))
    expect(await whyNot('torn')).toBe(
      '0/2 nodes are available: pod affinity terms conflict. preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.',
    )
    await pod('sure', on(named('a', 'b'), named('b')))
    expect(await nodeOf('sure')).toBe('b')
  })

  it.each([
    [
      'another',
      '2',
      '0/2 nodes are available: 1 Insufficient cpu. preemption: 0/2 nodes are available: 1 No preemption victims found for incoming pod, 1 Preemption is not helpful for scheduling.',
    ],
    [
      'none that is there',
      '1',
      '0/2 nodes are available: preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.',
    ],
  ])('ignore nodes that they do not name: %s', async (which, cpu, reported) => {
    await withNodes({ a: {}, b: {} }, '1')
    const containers = [{ name: 'c', image: 'img:1', resources: { requests: { cpu } } }]
    await pod('bound', { ...on(named(which === 'another' ? 'a' : 'gone')), containers })
    expect(await whyNot('bound')).toBe(reported)
  })
})

describe('a spread constraint with an empty selector', () => {
  it('counts no pods', async () => {
    await withNodes({ a: { zone: 'x' } })
    await patch('/api/v1/nodes/a', { metadata: { labels: { zone: 'x' } } })
    const spread = {
      maxSkew: 1,
      topologyKey: 'zone',
      whenUnsatisfiable: 'DoNotSchedule',
      minDomains: 2,
      labelSelector: {},
    }
    await pod('one', { topologySpreadConstraints: [spread] })
    await pod('two', { topologySpreadConstraints: [spread] })
    expect(await nodeOf('two')).toBe('a')
  })
})

describe('an inline disk volume', () => {
  const disk = (pdName: string, readOnly = false) => ({
    volumes: [{ name: 'd', gcePersistentDisk: { pdName, readOnly } }],
  })
  const image = (monitors: string[]) => ({
    volumes: [{ name: 'd', rbd: { image: 'i', monitors } }],
  })

  it('is used by one pod per node, unless all are read-only', async () => {
    await withNodes({ a: {} })
    await pod('writer', disk('one'))
    await pod('reader', disk('one', true))
    expect(await whyNot('reader')).toContain('1 node(s) had no available disk.')
    await pod('other', disk('two', true))
    await pod('another', disk('two', true))
    expect(await nodeOf('another')).toBe('a')
  })

  it('is the same disk if they share a monitor', async () => {
    await withNodes({ a: {} })
    await pod('p', image(['m1', 'm2']))
    await pod('q', image(['m3']))
    await pod('r', image(['m2', 'm4']))
    expect(await nodeOf('q')).toBe('a')
    expect(await whyNot('r')).toContain('1 node(s) had no available disk.')
  })
})

describe('a CSI driver with storage capacity', () => {
  it('gets claims only in topologies with enough capacity', async () => {
    await withNodes({ a: { zone: 'x' }, b: { zone: 'y' } })
    await create(`${STORAGE}/csidrivers`, {
      metadata: { name: 'disks.example.com' },
      spec: { storageCapacity: true },
    })
    const late = { provisioner: 'disks.example.com', volumeBindingMode: 'WaitForFirstConsumer' }
    await create(`${STORAGE}/storageclasses`, { metadata: { name: 'late' }, ...late })
    const claim = {
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'late',
      resources: { requests: { storage: '10Gi' } },
    }
    await create('/api/v1/namespaces/default/persistentvolumeclaims', {
      metadata: { name: 'c' },
      spec: claim,
    })
    await pod('p', { volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'c' } }] })
    expect(await whyNot('p')).toContain(
      '0/2 nodes are available: 2 node(s) did not have enough free storage.',
    )
    const room = (name: string, zone: string, sizes: object) =>
      create(`${STORAGE}/namespaces/default/csistoragecapacities`, {
        metadata: { name },
        storageClassName: 'late',
        nodeTopology: { matchLabels: { zone } },
        ...sizes,
      })
    await room('x', 'x', { capacity: '100Gi', maximumVolumeSize: '5Gi' })
    await room('y', 'y', { capacity: '10Gi' })
    await cluster.pass(20)
    const { metadata } = (
      await cluster.sendRequest({ path: '/api/v1/namespaces/default/persistentvolumeclaims/c' })
    ).json
    expect(metadata.annotations['volume.kubernetes.io/selected-node']).toBe('b')
  })
})

describe('a preempting pod', () => {
  const requesting = (cpu: string, priorityClassName?: string) => ({
    ...(priorityClassName && { priorityClassName }),
    containers: [{ name: 'c', image: 'img:1', resources: { requests: { cpu } } }],
  })
  const withPriorities = async () => {
    for (const [name, value] of Object.entries({ low: 1, high: 10 }))
      await create('/apis/scheduling.k8s.io/v1/priorityclasses', { metadata: { name }, value })
  }

  it('waits only for terminating pods', async () => {
    await withNodes({ a: {} }, '2')
    await withPriorities()
    await pod('going', requesting('1', 'low'))
    await pod('staying', requesting('1', 'low'))
    await patch(`${PODS}/going`, { metadata: { finalizers: ['example.com/held'] } })
    await cluster.sendRequest({ method: 'DELETE', path: `${PODS}/going` })
    // Capacity was freed on the node in another way.
    await pod('urgent', { ...requesting('1', 'high'), schedulingGates: [{ name: 'later' }] })
    await patch(`${PODS}/urgent/status`, { status: { nominatedNodeName: 'a' } })
    await patch(`${PODS}/urgent`, { spec: { schedulingGates: [] } })
    await cluster.pass(1)
    const { json } = await cluster.sendRequest({
      path: '/api/v1/namespaces/default/events?fieldSelector=reason%3DPreempted',
    })
    expect(json.items).toHaveLength(1)
    // A deletion on the node retries the pod.
    await pod('brief', { nodeName: 'a' })
    await cluster.sendRequest({
      method: 'DELETE',
      path: `${PODS}/brief`,
      body: { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0 },
    })
    await cluster.pass(20)
    expect(await whyNot('urgent')).toContain(
      'preemption: not eligible due to a terminating pod on the nominated node.',
    )
  })

  it('prefers the victim that started later, whichever was created first', async () => {
    await withNodes({ a: {} }, '2')
    await withPriorities()
    const began = (name: string, startTime: string) =>
      patch(`${PODS}/${name}/status`, { status: { phase: 'Running', startTime } })
    await pod('early', requesting('1', 'low'))
    await cluster.pass(5)
    await pod('late', requesting('1', 'low'))
    await began('early', '2026-01-01T00:10:00Z')
    await began('late', '2026-01-01T00:09:00Z')
    await pod('urgent', requesting('1', 'high'))
    expect((await get('early')).metadata.deletionTimestamp).toBeDefined()
    expect((await get('late')).metadata.deletionTimestamp).toBeUndefined()
  })
})

describe('an unschedulable pod', () => {
  const requesting = (cpu: string) => ({
    containers: [{ name: 'c', image: 'img:1', resources: { requests: { cpu } } }],
  })
  const another = async (name: string, cpu: string, more: object = {}) => {
    const allocatable = { cpu, memory: '8Gi', pods: '9' }
    const times = {
      lastHeartbeatTime: '2026-01-01T00:00:00Z',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    }
    const status = {
      capacity: allocatable,
      allocatable,
      conditions: [{ type: 'Ready', status: 'True', ...times }],
    }
    await create('/api/v1/nodes', {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name, ...more },
      status,
    })
    await cluster.pass(20)
  }
  const nodesCounted = async (name: string) => Number(/^0\/(\d+)/.exec(await whyNot(name))?.[1])

  it('is retried for a new node that may fit, and not for others', async () => {
    await withNodes({ a: {} }, '1')
    await pod('large', requesting('3'))
    await pod('choosy', { nodeSelector: { disk: 'fast' } })
    await pod('lonely', near(['friend', 'kubernetes.io/hostname']))
    await another('b', '2')
    expect(await Promise.all(['large', 'choosy', 'lonely'].map(nodesCounted))).toEqual([1, 1, 2])
    await another('c', '4')
    expect(await nodeOf('large')).toBe('c')
    await another('d', '1', { labels: { disk: 'fast' } })
    expect(await nodeOf('choosy')).toBe('d')
  })

  it('is retried for pods that match its affinity, not for any pod', async () => {
    await withNodes({ a: { place: 'x' } })
    await pod('lonely', near(['friend', 'place']))
    await create('/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'b' } })
    await pod('stranger', { nodeName: 'a' })
    await cluster.pass(20)
    expect(await nodesCounted('lonely')).toBe(1)
    await pod('friend', { nodeName: 'a' }, { friend: 'yes' })
    await cluster.pass(20)
    expect(await nodeOf('lonely')).toBe('a')
  })
})

it('emits a failure event when it is deleted while it waits', async () => {
  await withNodes({ a: {} })
  await pod('waits', { nodeSelector: { no: 'where' } })
  await patch(`${PODS}/waits`, { metadata: { finalizers: ['example.com/held'] } })
  await cluster.sendRequest({ method: 'DELETE', path: `${PODS}/waits` })
  await cluster.pass(1)
  const { json } = await cluster.sendRequest({
    path: '/api/v1/namespaces/default/events?fieldSelector=reason%3DFailedScheduling',
  })
  const messages = json.items.map(({ message }: { message: string }) => message)
  expect(messages.at(-1)).toBe('skip schedule deleting pod: default/waits')
})

it('reports a failed binding, and is retried', async () => {
  await withNodes({ a: {} })
  const policies = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolic'
  const rule = {
    apiGroups: [''],
    apiVersions: ['v1'],
    operations: ['CREATE'],
    resources: ['pods/binding'],
  }
  const spec = {
    matchConstraints: { resourceRules: [rule] },
    validations: [{ expression: 'false', message: 'not yet' }],
  }
  await create(`${policies}ies`, { metadata: { name: 'wait' }, spec })
  await create(`${policies}ybindings`, {
    metadata: { name: 'wait' },
    spec: { policyName: 'wait', validationActions: ['Deny'] },
  })
  await pod('p')
  expect(await whyNot('p')).toMatch(
    /^running Bind plugin "DefaultBinder": pods "p" is forbidden: .*not yet$/,
  )
  const { conditions } = (await get('p')).status
  expect(conditions).toMatchObject([
    { type: 'PodScheduled', status: 'False', reason: 'SchedulerError' },
  ])
  await cluster.sendRequest({ method: 'DELETE', path: `${policies}ybindings/wait` })
  await cluster.pass(12)
  expect(await nodeOf('p')).toBe('a')
})
