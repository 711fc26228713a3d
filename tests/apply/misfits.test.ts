/**
 * Applied configurations with type errors, and kinds in unusual forms. Compared with kube-apiserver
 * 1.31.
 */
import { expect, test } from 'vitest'
import { mayMisfit } from '../../src/engine/apply/validate'
import { TYPES } from '../../src/engine/generated/types'
import { builtinModel } from '../../src/engine/schema/builtin'
import type { ListType, StructType, TypeNode } from '../../src/engine/schema/model'
import { sendRequest, testServer } from '../support/server'

const server = testServer()
const apply = (body: unknown) =>
  sendRequest(server, {
    method: 'PATCH',
    path: '/apis/apps/v1/namespaces/default/deployments/d?fieldManager=me',
    headers: { 'content-type': 'application/apply-patch+yaml' },
    body,
  })
const deployment = (spec: object) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'd' },
  spec,
})

test('reports an undeclared field and nothing behind it', async () => {
  const { status, json } = await apply(deployment({ bogus: 1, replicas: 'x', unknown: {} }))
  expect(status).toBe(500)
  expect(json.message).toBe(
    'failed to create typed patch object (/d; apps/v1, Kind=Deployment): .spec.bogus: field not declared in schema',
  )
})

test('reports a type error of the live object first', async () => {
  const path = '/api/v1/namespaces/default/serviceaccounts'
  await sendRequest(server, {
    method: 'POST',
    path,
    body: { metadata: { name: 's' }, secrets: [{}] },
  })
  const headers = { 'content-type': 'application/apply-patch+yaml' }
  const body = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 's' }, secrets: 'x' }
  const { json } = await sendRequest(server, {
    method: 'PATCH',
    path: `${path}/s?fieldManager=me`,
    headers,
    body,
  })
  expect(json.message).toBe(
    'failed to create manager for existing fields: failed to convert new object (default/s; /v1, Kind=ServiceAccount) to smd typed: .secrets: element 0: associative list with keys has an element that omits key field "name" (and doesn\'t have default value)',
  )
})

test.each([
  [
    true,
    'failed to convert new object (/s; /v1, Kind=ConfigMap) to proper version: unable to convert unstructured object to /v1, Kind=ConfigMap: json: cannot unmarshal bool into Go value of type string',
  ],
  [
    [],
    'failed to create typed patch object (/s; /v1, Kind=ConfigMap): .metadata.creationTimestamp: expected any scalar, got &{[]}',
  ],
])('accepts any scalar as a time until decoding: %j', async (creationTimestamp, message) => {
  const path = '/api/v1/namespaces/default/configmaps/s'
  await sendRequest(server, {
    method: 'POST',
    path: '/api/v1/namespaces/default/configmaps',
    body: { metadata: { name: 's' } },
  })
  const headers = { 'content-type': 'application/apply-patch+yaml' }
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 's', creationTimestamp } }
  expect(
    (await sendRequest(server, { method: 'PATCH', path: `${path}?fieldManager=me`, headers, body }))
      .json.message,
  ).toBe(message)
})

test.each([
  [{}, 'object'],
  [[1], 'array'],
])('accepts anything as IntOrString until decoding: %j', async (targetPort, found) => {
  const body = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 's' },
    spec: { ports: [{ port: 80, targetPort }] },
  }
  const headers = { 'content-type': 'application/apply-patch+yaml' }
  const path = '/api/v1/namespaces/default/services/s?fieldManager=me'
  const { json } = await sendRequest(server, { method: 'PATCH', path, headers, body })
  expect(json.message).toMatch(
    new RegExp(`/v1, Kind=Service: json: cannot unmarshal ${found} into Go value of type int32$`),
  )
})

test('rejects duplicates in an object that was written through another version', async () => {
  const path = (version: string) =>
    `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers`
  const body = (version: string, metadata: object) => ({
    apiVersion: `autoscaling/${version}`,
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 's', ...metadata },
    spec: { maxReplicas: 2, scaleTargetRef: { kind: 'Deployment', name: 'd' } },
  })
  const finalizers = ['example.com/a', 'example.com/a']
  expect(
    (
      await sendRequest(server, {
        method: 'POST',
        path: path('v2'),
        body: body('v2', { finalizers }),
      })
    ).status,
  ).toBe(201)
  const headers = { 'content-type': 'application/apply-patch+yaml' }
  const { json } = await sendRequest(server, {
    method: 'PATCH',
    path: `${path('v1')}/s?fieldManager=me`,
    headers,
    body: body('v1', {}),
  })
  expect(json.message).toBe('.metadata.finalizers: duplicate entries for key [="example.com/a"]')
})

test('formats the error message a second time, as Go does', async () => {
  const { json } = await apply(deployment({ template: '10%' }))
  expect(json.message).toMatch(/\.spec\.template: expected map, got &\{10%!\}\(MISSING\)$/)
})

test('accepts a leading slash in apiVersion of the core group', async () => {
  const { status, json } = await sendRequest(server, {
    method: 'PATCH',
    path: '/api/v1/namespaces/default/configmaps/c?fieldManager=me',
    headers: { 'content-type': 'application/apply-patch+yaml' },
    body: { apiVersion: '/v1', kind: 'ConfigMap', metadata: { name: 'c' } },
  })
  expect([status, json.apiVersion]).toEqual([201, 'v1'])
})

test('reports an unknown kind of a patched object before type errors', async () => {
  const path = '/api/v1/namespaces/default/configmaps/c'
  const headers = { 'content-type': 'application/json-patch+json' }
  const patch = async (operations: object[]) =>
    (await sendRequest(server, { method: 'PATCH', path, headers, body: operations })).json.message
  expect(await patch([{ op: 'replace', path: '/kind', value: 1 }])).toContain(
    "couldn't get version/kind; json parse error: json: cannot unmarshal number into Go struct field .kind of type string",
  )
  const odd = [
    { op: 'replace', path: '/kind', value: 'Odd' },
    { op: 'replace', path: '/metadata', value: 'x' },
  ]
  expect(await patch(odd)).toContain('no kind "Odd" is registered for version "v1"')
  const unversioned = (kind: string) =>
    patch([
      { op: 'remove', path: '/apiVersion' },
      { op: 'replace', path: '/kind', value: kind },
    ])
  expect(await unversioned('Odd')).toContain(
    'no kind "Odd" is registered for the internal version of group "" in scheme',
  )
  expect(await unversioned('Pod')).toContain(
    'converting (core.Pod) to (core.ConfigMap): unknown conversion',
  )
  expect(await unversioned('Status')).toContain(
    'converting (v1.Status) to (core.ConfigMap): unknown conversion',
  )
  expect(await unversioned('')).toContain('undeterminable: name must be provided')
})

/** Whether a canonical item may lack one of the keys of the list. */
const lacksKeys = ({ items, mapKeys }: ListType): boolean =>
  items.type === 'struct' &&
  mapKeys.some((key) => {
    const field = items.byName.get(key)
    return field !== undefined && field.whenEmpty === 'omit' && field.default === undefined
  })

function holdsKeylessList(type: TypeNode, seen: Set<TypeNode>): boolean {
  if (seen.has(type)) return false
  seen.add(type)
  if (type.type === 'struct') return type.fields.some((field) => holdsKeylessList(field.type, seen))
  if (type.type === 'map') return holdsKeylessList(type.values, seen)
  return (
    type.type === 'list' &&
    ((type.listType === 'map' && lacksKeys(type)) || holdsKeylessList(type.items, seen))
  )
}

test('built-in objects have type errors only where items may lack their key', () => {
  const kinds = Object.keys(TYPES)
    .map((name) => builtinModel().byName(`io.k8s.${name}`))
    .filter(
      (type): type is StructType =>
        type?.type === 'struct' &&
        type.groupVersionKinds !== undefined &&
        type.byName.has('metadata'),
    )
    .filter((type) => !type.name.endsWith('List'))
  expect(kinds.length).toBeGreaterThan(50)
  for (const type of kinds)
    expect([type.name, mayMisfit(type)]).toEqual([type.name, holdsKeylessList(type, new Set())])
})

test('an object with an item without key has no managers, and every apply fails', async () => {
  const path = '/api/v1/namespaces/default/serviceaccounts'
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'a' } }
  const created = await sendRequest(server, {
    method: 'POST',
    path,
    body: { ...account, secrets: [{ namespace: 'x' }] },
  })
  expect(created.status).toBe(201)
  expect(created.json.metadata).not.toHaveProperty('managedFields')
  const applied = await sendRequest(server, {
    method: 'PATCH',
    path: `${path}/a?fieldManager=me`,
    headers: { 'content-type': 'application/apply-patch+yaml' },
    body: account,
  })
  expect(applied.status).toBe(500)
  expect(applied.json.message).toBe(
    'failed to create manager for existing fields: failed to convert new object (default/a; /v1, Kind=ServiceAccount) to smd typed: .secrets: element 0: associative list with keys has an element that omits key field "name" (and doesn\'t have default value)',
  )
})
