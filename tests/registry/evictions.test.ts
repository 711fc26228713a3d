/** Evictions are deletions that check the PodDisruptionBudget first. */
import { expect, test } from 'vitest'
import { sendRequest, testServer } from '../support/server'

const PODS = '/api/v1/namespaces/default/pods'
const BUDGETS = '/apis/policy/v1/namespaces/default/poddisruptionbudgets'
const MERGE = { 'content-type': 'application/merge-patch+json' }

/** Returns a server with a ready pod of that name, and shorthands for requests to it. */
async function readyPod(name: string) {
  const server = testServer({ disableAdmissionPlugins: ['ServiceAccount'] })
  const post = (path: string, body: object) => sendRequest(server, { method: 'POST', path, body })
  const patch = (path: string, body: object) =>
    sendRequest(server, { method: 'PATCH', path, body, headers: MERGE })
  await post(PODS, {
    metadata: { name, labels: { app: name } },
    spec: { containers: [{ name: 'c', image: 'img' }] },
  })
  const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] }
  const { metadata } = (await patch(`${PODS}/${name}/status`, { status })).json
  const evict = (deleteOptions: object = {}) =>
    post(`${PODS}/${name}/eviction`, {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { name },
      deleteOptions,
    })
  return {
    metadata,
    post,
    patch,
    evict,
    get: () => sendRequest(server, { path: `${PODS}/${name}` }),
  }
}

test('a resourceVersion precondition applies before the pod condition is written', async () => {
  const { metadata, evict, get } = await readyPod('one')
  const stale = await evict({ preconditions: { resourceVersion: '1' } })
  expect([
    stale.status,
    (await get()).json.status.conditions.map(({ type }: { type: string }) => type),
  ]).toEqual([409, ['Ready']])
  // Preconditions are checked before the other options.
  expect(
    (await evict({ preconditions: { resourceVersion: '1' }, propagationPolicy: 'Sometimes' }))
      .status,
  ).toBe(409)
  const { uid, resourceVersion } = metadata
  expect((await evict({ preconditions: { uid, resourceVersion } })).status).toBe(201)
  expect((await get()).status).toBe(404)
})

test.each([
  [
    '',
    { dryRun: ['Some'] },
    422,
    'DeleteOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: []string{"Some"}: supported values: "All"',
  ],
  [
    '?dryRun=All',
    { dryRun: ['Some'] },
    500,
    'Non-matching dry-run options in request and content: [All] and [Some]',
  ],
  [
    '?dryRun=All',
    { propagationPolicy: 'Orphan', orphanDependents: true },
    422,
    'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Invalid value: "Orphan": orphanDependents and deletionPropagation cannot be both set',
  ],
])('validates the options of an eviction: %s %j', async (query, deleteOptions, status, message) => {
  const { post } = await readyPod('one')
  const eviction = {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name: 'one' },
    deleteOptions,
  }
  const rejected = await post(`${PODS}/one/eviction${query}`, eviction)
  expect([rejected.status, rejected.json.message]).toEqual([status, message])
})

test('rejects a dry run of a connection', async () => {
  const { post } = await readyPod('one')
  const rejected = await post(`${PODS}/one/exec?dryRun=All`, {})
  expect([rejected.status, rejected.json.message]).toEqual([400, 'dryRun is not supported'])
})

test('names a budget with too many disrupted pods by its kind', async () => {
  const { post, patch, evict } = await readyPod('one')
  await post(BUDGETS, {
    metadata: { name: 'few' },
    spec: { maxUnavailable: 1, selector: { matchLabels: { app: 'one' } } },
  })
  const gone = Object.fromEntries(
    Array.from({ length: 2001 }, (_, index) => [`gone-${index}`, '2026-01-01T00:00:00Z']),
  )
  const counted = { currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 }
  await patch(`${BUDGETS}/few/status`, {
    status: { observedGeneration: 1, disruptionsAllowed: 1, disruptedPods: gone, ...counted },
  })
  expect((await evict()).json.message).toBe(
    'poddisruptionbudget.policy "few" is forbidden: DisruptedPods map too big - too many evictions not confirmed by PDB controller',
  )
})
