/** Workload controllers converge after any changes, and keep their invariants meanwhile. */
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import type { KubeObject } from '../../src/engine/core/object'
import { type Cluster, deployment, podTemplate, testCluster } from '../support/cluster'

const APPS = '/apis/apps/v1/namespaces/default'
const PODS = '/registry/pods/default/'
const SETS = '/registry/replicasets/default/'
const LONG = 120_000
const RUNS = { numRuns: 12 }

interface Pod extends KubeObject {
  spec: { containers: { image: string }[] }
  status?: { conditions?: { type: string; status: string }[] }
}

interface Sized extends KubeObject {
  spec: { replicas?: number }
}

const clusters: Cluster[] = []
afterEach(async () => {
  for (const cluster of clusters.splice(0)) await cluster.close()
})

async function running(): Promise<Cluster> {
  const cluster = await testCluster({ scheduler: true, nodes: 2 })
  clusters.push(cluster)
  await cluster.pass(1)
  return cluster
}

const merge = (cluster: Cluster, path: string, body: object) =>
  cluster.sendRequest({
    method: 'PATCH',
    path,
    body,
    headers: { 'content-type': 'application/merge-patch+json' },
  })
const image = (n: number) => ({
  spec: { template: { spec: { containers: [{ name: 'c', image: `img:${n}` }] } } },
})
const isReady = ({ status }: Pod): boolean =>
  status?.conditions?.some(({ type, status: state }) => type === 'Ready' && state === 'True') ??
  false

/** Calls back after every change below a prefix. @returns a function that stops it */
function onEveryChange<Kind extends KubeObject>(
  { server }: Cluster,
  prefix: string,
  look: (objects: Map<string, Kind>) => void,
): () => void {
  const objects = new Map<string, Kind>()
  const watcher = server.storage.watch(prefix, server.storage.currentRevision(), {
    event({ type, key, current }) {
      if (type === 'DELETED') objects.delete(key)
      else objects.set(key, current.object as Kind)
      look(objects)
    },
    end() {},
  })
  return () => watcher.stop()
}

type Step =
  | { do: 'scale'; to: number }
  | { do: 'roll'; image: number }
  | { do: 'delete'; pod: number }
  | { do: 'wait'; seconds: number }
  | { do: 'fail' | 'mend' | 'cordon' | 'uncordon'; node: number }

const steps = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant('scale' as const), to: fc.integer({ min: 0, max: 5 }) }),
    fc.record({ do: fc.constant('roll' as const), image: fc.integer({ min: 1, max: 4 }) }),
    fc.record({ do: fc.constant('delete' as const), pod: fc.integer({ min: 0, max: 4 }) }),
    fc.record({
      do: fc.constant('wait' as const),
      seconds: fc.constantFrom(0, 1, 2, 3, 4, 45, 400),
    }),
    fc.record({
      do: fc.constantFrom('fail' as const, 'mend' as const, 'cordon' as const, 'uncordon' as const),
      node: fc.integer({ min: 1, max: 2 }),
    }),
  ),
  { minLength: 1, maxLength: 8 },
)

async function treatNode(
  cluster: Cluster,
  how: 'fail' | 'mend' | 'cordon' | 'uncordon',
  node: number,
): Promise<void> {
  const state = {
    metadata: { annotations: { 'simulation.kubetab/state': how === 'fail' ? 'failed' : null } },
  }
  const change =
    how === 'fail' || how === 'mend'
      ? state
      : { spec: { unschedulable: how === 'cordon' ? true : null } }
  await merge(cluster, `/api/v1/nodes/node-${node}`, change)
}

async function mendAll(cluster: Cluster): Promise<void> {
  for (const node of [1, 2])
    for (const how of ['mend', 'uncordon'] as const) await treatNode(cluster, how, node)
}

async function take(cluster: Cluster, path: string, step: Step): Promise<void> {
  if (step.do === 'scale') await merge(cluster, path, { spec: { replicas: step.to } })
  else if (step.do === 'roll') await merge(cluster, path, image(step.image))
  else if (step.do === 'wait') await cluster.pass(step.seconds)
  else if (step.do !== 'delete') await treatNode(cluster, step.do, step.node)
  else {
    const { json } = await cluster.sendRequest({ path: '/api/v1/namespaces/default/pods' })
    const pod: Pod | undefined = json.items[step.pod % Math.max(1, json.items.length)]
    if (pod)
      await cluster.sendRequest({
        method: 'DELETE',
        path: `/api/v1/namespaces/default/pods/${pod.metadata.name}`,
      })
  }
}

describe('a Deployment', () => {
  it('converges to its last replicas and template', {
    timeout: LONG,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const cluster = await running()
        await cluster.sendRequest({
          method: 'POST',
          path: `${APPS}/deployments`,
          body: deployment('web', 3),
        })
        for (const step of sequence) await take(cluster, `${APPS}/deployments/web`, step)
        await mendAll(cluster)
        await cluster.pass(900)
        const { json: settled } = await cluster.sendRequest({ path: `${APPS}/deployments/web` })
        const { json: pods } = await cluster.sendRequest({
          path: '/api/v1/namespaces/default/pods',
        })
        expect(settled.status.availableReplicas ?? 0).toBe(settled.spec.replicas)
        expect(settled.status.observedGeneration).toBe(settled.metadata.generation)
        const wanted = settled.spec.template.spec.containers[0].image
        expect(pods.items.map((pod: Pod) => pod.spec.containers[0]?.image)).toEqual(
          Array(settled.spec.replicas).fill(wanted),
        )
      }),
      RUNS,
    )
  })

  it('never exceeds maxSurge, and never has fewer available pods than maxUnavailable allows', {
    timeout: LONG,
  }, async () => {
    const limits = fc
      .record({
        replicas: fc.integer({ min: 1, max: 6 }),
        maxSurge: fc.integer({ min: 0, max: 3 }),
        maxUnavailable: fc.integer({ min: 0, max: 3 }),
      })
      .filter(({ maxSurge, maxUnavailable }) => maxSurge + maxUnavailable > 0)
    await fc.assert(
      fc.asyncProperty(
        limits,
        fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 3 }),
        async (given, pauses) => {
          const { replicas, maxSurge, maxUnavailable } = given
          const cluster = await running()
          const seen = { most: 0, least: replicas }
          let rolling = false
          const stops = [
            onEveryChange<Sized>(cluster, SETS, (sets) => {
              seen.most = Math.max(
                seen.most,
                [...sets.values()].reduce((sum, { spec }) => sum + (spec.replicas ?? 0), 0),
              )
            }),
            onEveryChange<Pod>(cluster, PODS, (pods) => {
              const living = [...pods.values()].filter(
                ({ metadata }) => !metadata.deletionTimestamp,
              )
              if (rolling) seen.least = Math.min(seen.least, living.filter(isReady).length)
            }),
          ]
          const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } }
          await cluster.sendRequest({
            method: 'POST',
            path: `${APPS}/deployments`,
            body: deployment('web', replicas, { strategy }),
          })
          await cluster.pass(10)
          rolling = true
          for (const [i, seconds] of pauses.entries()) {
            await merge(cluster, `${APPS}/deployments/web`, image(i + 2))
            await cluster.pass(seconds)
          }
          await cluster.pass(60)
          for (const stop of stops) stop()
          expect(seen.most).toBeLessThanOrEqual(replicas + maxSurge)
          expect(seen.least).toBeGreaterThanOrEqual(replicas - Math.min(replicas, maxUnavailable))
        },
      ),
      RUNS,
    )
  })
})

describe('a StatefulSet', () => {
  const set = { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { name: 'db' } }
  const spec = {
    replicas: 3,
    serviceName: 'db',
    selector: { matchLabels: { app: 'db' } },
    template: podTemplate('db'),
  }

  it('creates a pod only when all its predecessors are ready, and ends with one pod per ordinal', {
    timeout: LONG,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const cluster = await running()
        const early: string[] = []
        const known = new Set<string>()
        const stop = onEveryChange<Pod>(cluster, PODS, (pods) => {
          for (const [key, { metadata }] of pods) {
            if (known.has(metadata.uid ?? '')) continue
            known.add(metadata.uid ?? '')
            const ordinal = Number(/\d+$/.exec(key)?.[0])
            for (let before = 0; before < ordinal; before++) {
              const other = pods.get(`${PODS}db-${before}`)
              if (other === undefined || !isReady(other))
                early.push(`db-${ordinal} before db-${before}`)
            }
          }
        })
        await cluster.sendRequest({
          method: 'POST',
          path: `${APPS}/statefulsets`,
          body: { ...set, spec },
        })
        for (const step of sequence) await take(cluster, `${APPS}/statefulsets/db`, step)
        await mendAll(cluster)
        await cluster.pass(900)
        stop()
        expect(early).toEqual([])
        const { json: settled } = await cluster.sendRequest({ path: `${APPS}/statefulsets/db` })
        const { json: pods } = await cluster.sendRequest({
          path: '/api/v1/namespaces/default/pods',
        })
        const places = Array.from({ length: settled.spec.replicas }, (_, i) => `db-${i}`)
        expect(pods.items.map(({ metadata }: Pod) => metadata.name)).toEqual(places)
        expect(settled.status.availableReplicas).toBe(settled.spec.replicas)
        const wanted = settled.spec.template.spec.containers[0].image
        for (const pod of pods.items as Pod[]) expect(pod.spec.containers[0]?.image).toBe(wanted)
      }),
      RUNS,
    )
  })
})
