/** What followed from a write, as controllers recorded to which changes they reacted. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { consequencesOf, type Roots, type Step } from '../../src/engine/causality/consequences'
import { type Cluster, deployment, testCluster } from '../support/cluster'

const CORE = '/api/v1/namespaces/default'
const APPS = '/apis/apps/v1/namespaces/default'

let cluster: Cluster
beforeEach(async () => {
  cluster = await testCluster({ scheduler: true, nodes: 2 })
  await cluster.pass(2)
})
afterEach(() => cluster.close())

const consequences = (roots: Partial<Roots>) =>
  consequencesOf(cluster.server.storage, cluster.server.controllerWrites(), {
    revisions: [],
    deleted: [],
    ...roots,
  })
const followed = (...revisions: number[]): Step[] => consequences({ revisions })?.steps ?? []

/** @returns the revision of the response */
async function write(method: string, path: string, body?: object): Promise<number> {
  const { status, json } = await cluster.sendRequest({ method, path, ...(body && { body }) })
  expect(status).toBeLessThan(300)
  return Number(json.metadata.resourceVersion)
}

const kinds = (steps: readonly Step[]): string[] => [...new Set(steps.map(({ kind }) => kind))]
const of = (steps: readonly Step[], kind: string): Step[] =>
  steps.filter((step) => step.kind === kind)

const SERVICE = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web' },
  spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
}

describe('the consequences of a new Deployment', () => {
  it('lead over its ReplicaSet and pods to the endpoints of a Service', async () => {
    await write('POST', `${CORE}/services`, SERVICE)
    await cluster.pass(5)
    const root = await write('POST', `${APPS}/deployments`, deployment('web', 2))
    await cluster.pass(30)
    const steps = followed(root)
    expect(steps[0]).toMatchObject({ kind: 'Deployment', by: undefined, cause: undefined })
    expect(kinds(steps)).toEqual(
      expect.arrayContaining(['Deployment', 'ReplicaSet', 'Pod', 'EndpointSlice', 'Event']),
    )
    const created = of(steps, 'Pod').filter(({ type }) => type === 'ADDED')
    expect(created).toHaveLength(2)
    expect(created[0]?.by).toBe('system:serviceaccount:kube-system:replicaset-controller')
    const [set] = of(steps, 'ReplicaSet')
    expect(created.map(({ cause }) => cause)).toEqual([set?.revision, set?.revision])
    expect(of(steps, 'Pod').flatMap(({ fields }) => fields)).toEqual(
      expect.arrayContaining(['spec.nodeName', 'status.phase']),
    )
    expect(of(steps, 'Deployment').at(-1)?.object).toMatchObject({ status: { readyReplicas: 2 } })
  })

  it('name for each step an earlier one as its cause', async () => {
    const root = await write('POST', `${APPS}/deployments`, deployment('web', 2))
    await cluster.pass(30)
    const seen = new Set<number>([root])
    for (const { revision, cause } of followed(root).slice(1)) {
      expect(seen.has(cause ?? 0)).toBe(true)
      seen.add(revision)
    }
  })

  it('leave out what others cause at the same time', async () => {
    const root = await write('POST', `${APPS}/deployments`, deployment('web', 1))
    await write('POST', `${APPS}/deployments`, deployment('other', 1))
    await write('POST', `${CORE}/configmaps`, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a' },
    })
    await cluster.pass(30)
    const names = followed(root).map(({ name }) => name)
    expect(names.filter((name) => !name.startsWith('web'))).toEqual([])
  })
})

it('a deletion is followed by the deletion of its dependents', async () => {
  await write('POST', `${APPS}/deployments`, deployment('web', 2))
  await cluster.pass(30)
  const { json } = await cluster.sendRequest({
    method: 'DELETE',
    path: `${APPS}/deployments/web`,
  })
  await cluster.pass(60)
  const steps = consequences({ deleted: [json.details.uid] })?.steps ?? []
  expect(steps[0]).toMatchObject({ kind: 'Deployment', type: 'DELETED' })
  expect(of(steps, 'ReplicaSet').at(-1)?.type).toBe('DELETED')
  expect(of(steps, 'Pod').filter(({ type }) => type === 'DELETED')).toHaveLength(2)
})

it('a write that nothing reacts to has no consequences', async () => {
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }
  const root = await write('POST', `${CORE}/configmaps`, body)
  await cluster.pass(30)
  expect(followed(root).map(({ kind }) => kind)).toEqual(['ConfigMap'])
})

it('revisions before the compaction are incomplete', async () => {
  const root = await write('POST', `${APPS}/deployments`, deployment('web', 1))
  await cluster.pass(30)
  await cluster.server.storage.compact(cluster.server.storage.currentRevision())
  expect(consequences({ revisions: [root] })).toMatchObject({ complete: false, steps: [] })
})

it('nothing is sent again while nothing changes', async () => {
  const root = await write('POST', `${APPS}/deployments`, deployment('web', 1))
  await cluster.pass(30)
  const known = consequences({ revisions: [root] })?.newest
  expect(consequences({ revisions: [root], known })).toBeUndefined()
  await write('DELETE', `${CORE}/pods/${followed(root).find(({ kind }) => kind === 'Pod')?.name}`)
  expect(consequences({ revisions: [root], known })?.steps.length).toBeGreaterThan(1)
})
