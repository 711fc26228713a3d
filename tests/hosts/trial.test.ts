/** Dry runs on a copy of the cluster, which leave the cluster itself unchanged. */
import { expect, it } from 'vitest'
import type { Storage } from '../../src/engine/storage/storage'
import { runTrial, type TrialRequest } from '../../src/hosts/shared/trial'
import { configMap, sendRequest, testServer } from '../support/server'

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const POLICIES = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies'

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const CHECKER = {
  controllers: ['validatingadmissionpolicy-status-controller'],
  defer: (run: () => void) => void setImmediate(run),
}

async function tried(requests: TrialRequest[]) {
  const server = testServer()
  await sendRequest(server, {
    method: 'POST',
    path: CONFIG_MAPS,
    body: configMap('there', { a: '1' }),
  })
  const before = server.storage.currentRevision()
  const responses = await runTrial(
    server.storage,
    (storage) => testServer({ ...CHECKER, storage }),
    requests.map((request) => ({ credential: { authorization: 'Bearer admin' }, ...request })),
    turn,
  )
  expect(server.storage.currentRevision()).toBe(before)
  return responses.map(({ status, text }) => ({ status, json: JSON.parse(text) }))
}

const post = (path: string, body: unknown): TrialRequest => ({
  method: 'POST',
  path,
  body: JSON.stringify(body),
})

it('starts with the stored objects, and leaves them unchanged', async () => {
  const [read, created, rejected] = await tried([
    { method: 'GET', path: `${CONFIG_MAPS}/there` },
    post(CONFIG_MAPS, configMap('new')),
    post(CONFIG_MAPS, configMap('there')),
  ])
  expect(read?.json.data).toEqual({ a: '1' })
  expect([created?.status, rejected?.status]).toEqual([201, 409])
})

it('waits until a CustomResourceDefinition is served', async () => {
  const schema = {
    type: 'object',
    properties: { spec: { type: 'object', properties: { size: { type: 'integer', default: 3 } } } },
  }
  const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }
  const names = { plural: 'widgets', kind: 'Widget' }
  const definition = {
    metadata: { name: 'widgets.example.com' },
    spec: { group: 'example.com', scope: 'Namespaced', names, versions: [version] },
  }
  const widget = {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name: 'a' },
    spec: { color: 'red' },
  }
  const [, created] = await tried([
    post(DEFINITIONS, definition),
    post('/apis/example.com/v1/namespaces/default/widgets', widget),
  ])
  expect(created).toMatchObject({ status: 201, json: { spec: { size: 3 } } })
  expect(created?.json.spec).not.toHaveProperty('color')
})

it('waits until the type checking of a policy is complete', async () => {
  const rule = {
    apiGroups: ['apps'],
    apiVersions: ['v1'],
    resources: ['deployments'],
    operations: ['CREATE'],
  }
  const spec = {
    matchConstraints: { resourceRules: [rule] },
    validations: [{ expression: 'object.spec.replica > 1' }],
  }
  const [, policy] = await tried([
    post(POLICIES, { metadata: { name: 'p' }, spec }),
    { method: 'GET', path: `${POLICIES}/p` },
  ])
  const [warning] = policy?.json.status.typeChecking.expressionWarnings ?? []
  expect(warning).toMatchObject({
    fieldRef: 'spec.validations[0].expression',
    warning: expect.stringContaining("undefined field 'replica'"),
  })
})

it('authenticates the users of the server, with a copy of its keys', async () => {
  const server = testServer()
  await sendRequest(server, { method: 'GET', path: CONFIG_MAPS })
  const object = {
    kind: 'Key',
    apiVersion: 'kubetab/v1',
    metadata: { name: 'key', resourceVersion: '0' },
  }
  await server.storage.transaction(
    [{ key: '/kubetab/key', revision: 0 }],
    [{ type: 'put', key: '/kubetab/key', object }],
  )
  let found: Promise<unknown> | undefined
  const over = (storage: Storage) => {
    found = storage.get('/kubetab/key')
    return testServer({ storage })
  }
  await runTrial(server.storage, over, [], turn)
  expect(await found).toMatchObject({ object: { kind: 'Key' } })
})
