import { beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/engine/core/object'
import { loadTables } from '../../src/engine/release-tables/load-tables'
import { type TestServer, testServer } from '../admission/server'
import { jsonObject } from '../support/json-objects'

const GROUP = '/apis/admissionregistration.k8s.io/v1'
const CONFIG_MAPS: JsonObject = {
  apiGroups: [''],
  apiVersions: ['v1'],
  operations: ['CREATE', 'UPDATE'],
  resources: ['configmaps'],
}

beforeAll(() => loadTables('1.37'))

const newServer = () => testServer({ release: '1.37' })

const policy = (server: TestServer, name: string, spec: JsonObject) =>
  server.send('POST', `${GROUP}/mutatingadmissionpolicies`, {
    metadata: { name },
    spec: {
      matchConstraints: { resourceRules: [CONFIG_MAPS] },
      reinvocationPolicy: 'Never',
      ...spec,
    },
  })

/** Creates a policy and a binding of that name. */
async function bound(server: TestServer, name: string, spec: JsonObject, binding: JsonObject = {}) {
  const { status, body } = await policy(server, name, spec)
  expect([status, body.message]).toEqual([201, undefined])
  await server.send('POST', `${GROUP}/mutatingadmissionpolicybindings`, {
    metadata: { name },
    spec: { policyName: name, ...binding },
  })
}

const applied = (expression: string): JsonObject => ({
  patchType: 'ApplyConfiguration',
  applyConfiguration: { expression },
})
const patched = (expression: string): JsonObject => ({
  patchType: 'JSONPatch',
  jsonPatch: { expression },
})
const labels = (entries: string) => applied(`Object{metadata: Object.metadata{labels: ${entries}}}`)

async function create(server: TestServer, name: string, more: JsonObject = {}) {
  const path = '/api/v1/namespaces/default/configmaps'
  const object = { metadata: { name }, data: { a: '1' }, ...more }
  const { status, body } = await server.send('POST', path, object)
  return { status, body: jsonObject(body) }
}

describe('MutatingAdmissionPolicies', () => {
  it('merge apply configurations, without ownership', async () => {
    const server = newServer()
    await bound(server, 'm', { mutations: [labels("{'by': object.metadata.name}")] })
    const { body } = await create(server, 'a', { metadata: { name: 'a', labels: { own: 'x' } } })
    expect((body.metadata as JsonObject).labels).toEqual({ by: 'a', own: 'x' })
    expect(JSON.stringify((body.metadata as JsonObject).managedFields)).not.toContain('f:by')
  })

  it('apply JSON patches, and none whose test fails', async () => {
    const server = newServer()
    const operations = [
      "JSONPatch{op: 'test', path: '/data/a', value: '1'}",
      "JSONPatch{op: 'add', path: '/data/' + jsonpatch.escapeKey('b'), value: variables.two}",
    ]
    await bound(server, 'm', {
      variables: [{ name: 'two', expression: "'2'" }],
      mutations: [patched(`[${operations.join(', ')}]`)],
    })
    expect((await create(server, 'a')).body.data).toEqual({ a: '1', b: '2' })
    expect((await create(server, 'b', { data: { a: 'x' } })).body.data).toEqual({ a: 'x' })
  })

  it.each([
    [
      patched("[JSONPatch{op: 'replace', path: '/nope/x', value: 1}]"),
      'JSON Patch: replace operation does not apply: doc is missing path: /nope/x: missing value',
    ],
    [
      applied('Object{nothing: 1}'),
      'error applying patch: failed to convert patch object to typed object: .nothing: field not declared in schema',
    ],
    [
      applied('Object{metadata: Object.data{}}'),
      'type mismatch: unexpected type name "Object.data", expected "Object.metadata", which matches field name path from root Object type',
    ],
    [
      applied('Object{data: {"b": object.data.nope}}'),
      `expression 'Object{data: {"b": object.data.nope}}' resulted in error: no such key: nope`,
    ],
  ])('deny a request whose mutation fails, unless failures are ignored', async (mutation, why) => {
    const server = newServer()
    await bound(server, 'm', { mutations: [mutation] })
    const { status, body } = await create(server, 'a')
    const message = `policy 'm' with binding 'm' denied request: ${why}`
    expect([status, body.reason, body.message]).toEqual([403, 'Invalid', message])
    expect((body.details as JsonObject).causes).toEqual([{ message }])
    const ignoring = newServer()
    await bound(ignoring, 'm', { failurePolicy: 'Ignore', mutations: [mutation] })
    expect((await create(ignoring, 'a')).status).toBe(201)
  })

  it('reject apply configurations of atomic parts', async () => {
    const server = newServer()
    await server.send('POST', '/api/v1/namespaces/default/serviceaccounts', {
      metadata: { name: 'default' },
    })
    const pods = { ...CONFIG_MAPS, resources: ['pods'] }
    const expression = 'Object{spec: Object.spec{nodeSelector: {"a": "b"}}}'
    await bound(server, 'm', {
      matchConstraints: { resourceRules: [pods] },
      mutations: [applied(expression)],
    })
    const { body } = await server.send('POST', '/api/v1/namespaces/default/pods', {
      metadata: { name: 'p' },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    })
    expect(body.message).toContain(
      'invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: .spec.nodeSelector',
    )
  })

  it('skip requests that match no condition, and read parameters', async () => {
    const server = newServer()
    await create(server, 'limits', { data: { label: 'from-param' } })
    await bound(
      server,
      'm',
      {
        paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
        matchConditions: [{ name: 'named', expression: "object.metadata.name != 'other'" }],
        mutations: [labels("{'by': params.data.label}")],
      },
      { paramRef: { name: 'limits', parameterNotFoundAction: 'Deny' } },
    )
    const labelsOf = async (name: string) =>
      ((await create(server, name)).body.metadata as JsonObject).labels
    expect(await labelsOf('a')).toEqual({ by: 'from-param' })
    expect(await labelsOf('other')).toBeUndefined()
  })

  it('run again after a later policy changed the object, if they allow it', async () => {
    const count = "JSONPatch{op: 'add', path: '/data/n', value: string(int(object.data.n) + 1)}"
    for (const [reinvocationPolicy, n] of [
      ['IfNeeded', '2'],
      ['Never', '1'],
    ]) {
      const server = newServer()
      await bound(server, 'a', {
        reinvocationPolicy: reinvocationPolicy as string,
        mutations: [patched(`[${count}]`)],
      })
      await bound(server, 'b', { mutations: [labels("{'by': 'b'}")] })
      const { body } = await create(server, 'x', { data: { n: '0' } })
      expect(body.data).toEqual({ n })
    }
  })

  it('are rejected with errors of the type of their expressions', async () => {
    const server = newServer()
    const messageOf = async (mutation: JsonObject) =>
      (await policy(server, 'm', { mutations: [mutation] })).body.message
    expect(await messageOf(applied("'text'"))).toContain('must evaluate to Object but got string')
    expect(await messageOf(patched('[]'))).toContain(
      'must evaluate to list(JSONPatch) but got list(dyn)',
    )
    expect(await messageOf(patched('[JSONPatch{op: 1}]'))).toContain(
      "expected type of field 'op' is 'string' but provided type is 'int'",
    )
    expect(await messageOf({ patchType: 'JSONPatch' })).toContain(
      'spec.mutations[0].jsonPatch: Required value: must be specified when patchType is JSONPatch',
    )
  })
})
