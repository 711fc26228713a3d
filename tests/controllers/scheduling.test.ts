/** Where the scheduler places pods, and what it reports for unschedulable ones. */
import { describe, expect, it } from 'vitest'
import {
  cluster,
  nodeOf,
  pod,
  requesting,
  setUpEachTest,
  whyNot,
  withNodes,
  withPriorities,
} from './scheduling-cluster'

setUpEachTest()

describe('a pod', () => {
  it('is scheduled to the node with more free resources', async () => {
    await withNodes({ name: 'small', cpu: '1' }, { name: 'wide', cpu: '8' })
    await pod('a', requesting('500m'))
    expect(await nodeOf('a')).toBe('wide')
  })

  it('lists every reason with its number of nodes', async () => {
    await withNodes(
      { name: 'full', cpu: '1' },
      { name: 'tainted', taints: [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }] },
      { name: 'also-full', cpu: '1' },
    )
    await pod('a', requesting('2'))
    const nodes = '0/3 nodes are available'
    expect(await whyNot('a')).toBe(
      `${nodes}: 1 node(s) had untolerated taint {gpu: yes}, 2 Insufficient cpu. preemption: ${nodes}: 1 Preemption is not helpful for scheduling, 2 No preemption victims found for incoming pod.`,
    )
  })

  it('waits without nodes, and is scheduled to the first', async () => {
    await withNodes()
    await pod('a')
    expect(await whyNot('a')).toBe('no nodes available to schedule pods')
    const allocatable = { cpu: '1', memory: '1Gi', pods: '5' }
    const status = {
      allocatable,
      conditions: [{ type: 'Ready', status: 'True', lastHeartbeatTime: '2026-01-01T00:00:00Z' }],
    }
    await cluster.sendRequest({
      method: 'POST',
      path: '/api/v1/nodes',
      body: { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' }, status },
    })
    await cluster.pass(2)
    expect(await nodeOf('a')).toBe('n')
  })

  it('is unschedulable where its host port is in use', async () => {
    await withNodes({ name: 'n' })
    const ports = {
      containers: [{ name: 'c', image: 'img:1', ports: [{ containerPort: 80, hostPort: 80 }] }],
    }
    await pod('a', ports)
    await pod('b', ports)
    expect(await nodeOf('a')).toBe('n')
    expect(await whyNot('b')).toContain(
      "1 node(s) didn't have free ports for the requested pod ports",
    )
  })

  it('with a higher priority is scheduled first', async () => {
    await withNodes()
    await withPriorities({ low: 1, high: 10 })
    await pod('first', requesting('1', { priorityClassName: 'low' }))
    await pod('second', requesting('1', { priorityClassName: 'high' }))
    const allocatable = { cpu: '1', memory: '1Gi', pods: '5' }
    const status = {
      allocatable,
      conditions: [{ type: 'Ready', status: 'True', lastHeartbeatTime: '2026-01-01T00:00:00Z' }],
    }
    await cluster.sendRequest({
      method: 'POST',
      path: '/api/v1/nodes',
      body: { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' }, status },
    })
    await cluster.pass(12)
    expect(await nodeOf('second')).toBe('n')
    expect(await nodeOf('first')).toBeUndefined()
  })
})

describe('related pods', () => {
  const term = (topologyKey: string) => ({
    labelSelector: { matchLabels: { app: 'web' } },
    topologyKey,
  })

  it('are separated by anti-affinity', async () => {
    await withNodes({ name: 'a' }, { name: 'b' })
    const affinity = {
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [term('kubernetes.io/hostname')],
      },
    }
    for (const name of ['one', 'two', 'three']) await pod(name, { affinity })
    expect(new Set([await nodeOf('one'), await nodeOf('two')])).toEqual(new Set(['a', 'b']))
    expect(await whyNot('three')).toContain("2 node(s) didn't match pod anti-affinity rules")
  })

  it('are colocated by affinity, and the first is scheduled to any node', async () => {
    await withNodes(
      { name: 'a', labels: { zone: 'x' } },
      { name: 'b', labels: { zone: 'y' } },
      { name: 'c', labels: { zone: 'x' } },
    )
    const affinity = {
      podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term('zone')] },
    }
    for (const name of ['one', 'two', 'three']) await pod(name, { affinity })
    const zones = new Set(
      await Promise.all(
        ['one', 'two', 'three'].map(async (name) => ((await nodeOf(name)) === 'b' ? 'y' : 'x')),
      ),
    )
    expect(zones.size).toBe(1)
  })

  it('are spread over zones within maxSkew', async () => {
    await withNodes({ name: 'a', labels: { zone: 'x' } }, { name: 'b', labels: { zone: 'y' } })
    const constraint = {
      maxSkew: 1,
      topologyKey: 'zone',
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: { matchLabels: { app: 'web' } },
    }
    for (let i = 0; i < 4; i++) await pod(`p${i}`, { topologySpreadConstraints: [constraint] })
    const nodes = await Promise.all([0, 1, 2, 3].map((i) => nodeOf(`p${i}`)))
    expect(nodes.filter((node) => node === 'a')).toHaveLength(2)
    expect(nodes.filter((node) => node === 'b')).toHaveLength(2)
  })
})

describe('the best node', () => {
  it('differs for each pod of a Service', async () => {
    await withNodes({ name: 'large', cpu: '64' }, { name: 'small' }, { name: 'tiny', cpu: '3' })
    const spec = {
      containers: [
        { name: 'c', image: 'img:1', resources: { requests: { cpu: '500m', memory: '1Mi' } } },
      ],
    }
    for (const name of ['a', 'b', 'c']) await pod(name, spec, { other: 'app' })
    expect(await Promise.all(['a', 'b', 'c'].map(nodeOf))).toEqual(['large', 'large', 'large'])
    const service = {
      kind: 'Service',
      apiVersion: 'v1',
      metadata: { name: 'web' },
      spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
    }
    await cluster.sendRequest({
      method: 'POST',
      path: '/api/v1/namespaces/default/services',
      body: service,
    })
    for (const name of ['d', 'e', 'f']) await pod(name, spec)
    expect(new Set(await Promise.all(['d', 'e', 'f'].map(nodeOf)))).toEqual(
      new Set(['large', 'small', 'tiny']),
    )
  })

  it('is one with a lower preference if it has far more free resources', async () => {
    await withNodes(
      { name: 'a', labels: { disk: 'fast' } },
      { name: 'b', cpu: '64', labels: { disk: 'slow' } },
    )
    const prefers = (weight: number, value: string) => ({
      weight,
      preference: { matchExpressions: [{ key: 'disk', operator: 'In', values: [value] }] },
    })
    const affinity = {
      nodeAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [prefers(20, 'fast'), prefers(19, 'slow')],
      },
    }
    // Similar preferences score alike, so free resources decide.
    await pod('p', requesting('2', { affinity }))
    expect(await nodeOf('p')).toBe('b')
  })
})

describe('nodes without a topology label', () => {
  it('count for no spread constraint of a pod', async () => {
    await withNodes(
      { name: 'a', labels: { zone: 'x', rack: 'r' } },
      { name: 'b', labels: { zone: 'y' } },
    )
    const labelSelector = { matchLabels: { app: 'web' } }
    const constraint = (topologyKey: string) => ({
      maxSkew: 1,
      topologyKey,
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector,
    })
    for (let i = 0; i < 3; i++)
      await pod(`p${i}`, { topologySpreadConstraints: [constraint('zone'), constraint('rack')] })
    expect(await Promise.all([0, 1, 2].map((i) => nodeOf(`p${i}`)))).toEqual(['a', 'a', 'a'])
  })
})

describe('the PersistentVolumeClaims of a pod', () => {
  const CLAIMS = '/api/v1/namespaces/default/persistentvolumeclaims'
  const post = (path: string, body: object) => cluster.sendRequest({ method: 'POST', path, body })
  const claimSpec = (storageClassName: string) => ({
    accessModes: ['ReadWriteOnce'],
    storageClassName,
    resources: { requests: { storage: '1Gi' } },
  })
  const storageClass = (name: string, members: object) =>
    post('/apis/storage.k8s.io/v1/storageclasses', {
      metadata: { name },
      provisioner: 'a.b/c',
      ...members,
    })
  const volume = (name: string, labels: Record<string, string> = {}) =>
    post('/api/v1/persistentvolumes', {
      metadata: { name, labels },
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        hostPath: { path: '/x' },
        storageClassName: '',
      },
    })
  const using = (claimName: string) => ({
    volumes: [{ name: 'data', persistentVolumeClaim: { claimName } }],
  })

  it('are awaited when they are ephemeral', async () => {
    await withNodes({ name: 'a' })
    await pod('p', {
      volumes: [{ name: 'data', ephemeral: { volumeClaimTemplate: { spec: claimSpec('') } } }],
    })
    const waits =
      'waiting for ephemeral volume controller to create the persistentvolumeclaim "p-data".'
    expect(await whyNot('p')).toContain(`0/1 nodes are available: ${waits}`)
    await cluster.pass(5)
    expect(await whyNot('p')).toContain(
      '0/1 nodes are available: pod has unbound immediate PersistentVolumeClaims.',
    )
    await volume('v')
    await cluster.pass(20)
    expect(await nodeOf('p')).toBe('a')
  })

  it('make it unschedulable when their volume is lost', async () => {
    await withNodes({ name: 'a' })
    await volume('v')
    await post(CLAIMS, { metadata: { name: 'c' }, spec: claimSpec('') })
    await cluster.pass(1)
    const headers = { 'content-type': 'application/merge-patch+json' }
    await cluster.sendRequest({ method: 'DELETE', path: '/api/v1/persistentvolumes/v' })
    await cluster.sendRequest({
      method: 'PATCH',
      path: '/api/v1/persistentvolumes/v',
      body: { metadata: { finalizers: null } },
      headers,
    })
    await pod('p', using('c'))
    expect(await whyNot('p')).toContain(
      'persistentvolumeclaim "c" bound to non-existent persistentvolume "v".',
    )
  })

  it('restrict it to the topology of their StorageClass', async () => {
    await withNodes({ name: 'a', labels: { zone: 'x' } }, { name: 'b', labels: { zone: 'y' } })
    const allowedTopologies = [{ matchLabelExpressions: [{ key: 'zone', values: ['y'] }] }]
    await storageClass('there', { volumeBindingMode: 'WaitForFirstConsumer', allowedTopologies })
    await storageClass('nowhere', {
      volumeBindingMode: 'WaitForFirstConsumer',
      allowedTopologies: [{ matchLabelExpressions: [{ key: 'zone', values: ['z'] }] }],
    })
    await post(CLAIMS, { metadata: { name: 'there' }, spec: claimSpec('there') })
    await post(CLAIMS, { metadata: { name: 'nowhere' }, spec: claimSpec('nowhere') })
    await pod('p', using('there'))
    const { metadata } = (await cluster.sendRequest({ path: `${CLAIMS}/there` })).json
    expect(metadata.annotations['volume.kubernetes.io/selected-node']).toBe('b')
    await pod('q', using('nowhere'))
    expect(await whyNot('q')).toContain(
      "2 node(s) didn't find available persistent volumes to bind.",
    )
  })

  it('restrict it to the zone of their volume', async () => {
    await withNodes(
      { name: 'a', labels: { 'topology.kubernetes.io/zone': 'x' } },
      { name: 'b', labels: { 'topology.kubernetes.io/zone': 'y' } },
    )
    await volume('v', { 'topology.kubernetes.io/zone': 'y__z' })
    await post(CLAIMS, { metadata: { name: 'c' }, spec: claimSpec('') })
    await cluster.pass(1)
    await pod('p', using('c'))
    expect(await nodeOf('p')).toBe('b')
    await pod('q', { ...using('c'), nodeSelector: { 'topology.kubernetes.io/zone': 'x' } })
    expect(await whyNot('q')).toContain(
      "1 node(s) didn't match Pod's node affinity/selector, 1 node(s) had no available volume zone.",
    )
  })
})
