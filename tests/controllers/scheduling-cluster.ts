/** A cluster with nodes and pods, for tests of the scheduler. */
import { afterEach, expect } from 'vitest'
import { type Cluster, testCluster } from '../support/cluster'

export const PODS = '/api/v1/namespaces/default/pods'

/** Of the current test. */
export let cluster: Cluster
/** Call it in each file of tests: files share this module, so it registers no hooks itself. */
export function setUpEachTest(): void {
  afterEach(() => cluster.close())
}

/** One simulated node, next to the scheduler. */
export async function withSimulatedNode(): Promise<void> {
  cluster = await testCluster({ scheduler: true, nodes: 1 })
}

export async function withNodes(
  ...nodes: { name: string; cpu?: string; labels?: Record<string, string>; taints?: object[] }[]
): Promise<void> {
  cluster = await testCluster({ scheduler: true })
  for (const { name, cpu = '4', labels = {}, taints = [] } of nodes) {
    const times = {
      lastHeartbeatTime: '2026-01-01T00:00:00Z',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    }
    const allocatable = { cpu, memory: '8Gi', pods: '5' }
    const body = {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name, labels: { 'kubernetes.io/hostname': name, ...labels } },
      spec: { taints },
      status: {
        capacity: allocatable,
        allocatable,
        conditions: [{ type: 'Ready', status: 'True', ...times }],
      },
    }
    await cluster.sendRequest({ method: 'POST', path: '/api/v1/nodes', body })
  }
  await cluster.pass(1)
}

export async function pod(
  name: string,
  spec: object = {},
  labels: Record<string, string> = { app: 'web' },
): Promise<void> {
  const body = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels },
    spec: { containers: [{ name: 'c', image: 'img:1' }], ...spec },
  }
  const { status } = await cluster.sendRequest({ method: 'POST', path: PODS, body })
  expect(status).toBe(201)
}

/** Priority classes by name. */
export async function withPriorities(values: Record<string, number>): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    const body = {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name },
      value,
    }
    await cluster.sendRequest({
      method: 'POST',
      path: '/apis/scheduling.k8s.io/v1/priorityclasses',
      body,
    })
  }
}

export const requesting = (cpu: string, more: object = {}) => ({
  containers: [{ name: 'c', image: 'img:1', resources: { requests: { cpu } } }],
  ...more,
})
export const get = async (name: string) =>
  (await cluster.sendRequest({ path: `${PODS}/${name}` })).json
export const nodeOf = async (name: string): Promise<string | undefined> =>
  (await get(name)).spec?.nodeName
export const whyNot = async (name: string): Promise<string> =>
  (await get(name)).status.conditions?.find(({ type }: { type: string }) => type === 'PodScheduled')
    ?.message
