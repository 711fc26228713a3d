/**
 * Requests that reset managedFields, and later writes (kubernetes.io, "Server-Side Apply",
 * "Clearing managedFields"). Recorded from kube-apiserver 1.31.
 */
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/engine/core/object'
import { CONFIG_MAPS, configMap, type TestServer, testServer } from '../registry/server'

const MERGE = 'application/merge-patch+json'
const STRATEGIC = 'application/strategic-merge-patch+json'
const JSON_PATCH = 'application/json-patch+json'
const APPLY = 'application/apply-patch+yaml'

async function serverWithOwner(): Promise<TestServer> {
  const server = testServer()
  await server.send('POST', `${CONFIG_MAPS}?fieldManager=alpha`, configMap('a', { k: 'v' }))
  return server
}

const write = async (server: TestServer, body: unknown, contentType = MERGE, manager = 'beta') =>
  (
    await server.send(
      'PATCH',
      `${CONFIG_MAPS}/a?fieldManager=${manager}`,
      body as JsonObject,
      contentType,
    )
  ).body.metadata

const replaceEntries = (value: unknown) => [
  { op: 'replace', path: '/metadata/managedFields', value },
]

describe('managedFields are cleared', () => {
  it.each<[string, unknown, string]>([
    ['an empty list in a merge patch', { metadata: { managedFields: [] } }, MERGE],
    ['one empty entry in a merge patch', { metadata: { managedFields: [{}] } }, MERGE],
    ['an empty list in a strategic merge patch', { metadata: { managedFields: [] } }, STRATEGIC],
    [
      'one empty entry in a strategic merge patch',
      { metadata: { managedFields: [{}] } },
      STRATEGIC,
    ],
    ['an empty list in a JSON patch', replaceEntries([]), JSON_PATCH],
    ['one empty entry in a JSON patch', replaceEntries([{}]), JSON_PATCH],
  ])('with %s', async (_what, body, contentType) => {
    expect(await write(await serverWithOwner(), body, contentType)).not.toHaveProperty(
      'managedFields',
    )
  })

  it.each([[[]], [[{}]]])('with %j in a PUT, whatever else it changes', async (managedFields) => {
    const server = await serverWithOwner()
    const body = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a', managedFields },
      data: { k: 'w' },
    }
    const response = await server.send('PUT', `${CONFIG_MAPS}/a`, body)
    expect(response.body).toMatchObject({ data: { k: 'w' } })
    expect(response.body.metadata).not.toHaveProperty('managedFields')
  })

  it('as a change of the object, with a new resourceVersion', async () => {
    const server = await serverWithOwner()
    const before = await server.send('GET', `${CONFIG_MAPS}/a`)
    const { resourceVersion } = await write(server, { metadata: { managedFields: [] } })
    expect(Number(resourceVersion)).toBeGreaterThan(Number(before.body.metadata.resourceVersion))
  })
})

const ENTRY = { manager: 'x', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1' }

describe('managedFields stay', () => {
  it.each<[string, unknown, string]>([
    ['null', { metadata: { managedFields: null } }, MERGE],
    ['their removal', [{ op: 'remove', path: '/metadata/managedFields' }], JSON_PATCH],
    ['null in a JSON patch', replaceEntries(null), JSON_PATCH],
    ['two empty entries', { metadata: { managedFields: [{}, {}] } }, MERGE],
    [
      'an entry without an operation',
      { metadata: { managedFields: [{ manager: 'x', apiVersion: 'v1' }] } },
      MERGE,
    ],
    [
      'fields that are a number',
      { metadata: { managedFields: [{ ...ENTRY, fieldsV1: 3 }] } },
      MERGE,
    ],
    [
      'fields that are a text',
      { metadata: { managedFields: [{ ...ENTRY, fieldsV1: 'f:data' }] } },
      MERGE,
    ],
    [
      'fields that are a list',
      { metadata: { managedFields: [{ ...ENTRY, fieldsV1: [{}] }] } },
      MERGE,
    ],
  ])('with %s', async (_what, body, contentType) => {
    const { managedFields } = await write(await serverWithOwner(), body, contentType)
    expect(managedFields?.map(({ manager }) => manager)).toEqual(['alpha'])
  })
})

describe('an object without managedFields', () => {
  it('stays so through updates, until the first apply', async () => {
    const server = await serverWithOwner()
    await write(server, { metadata: { managedFields: [] } })
    expect(await write(server, { data: { n: '1' } })).not.toHaveProperty('managedFields')

    const applied = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a' },
      data: { k: 'v' },
    }
    const { managedFields } = await write(server, applied, APPLY, 'gamma')
    expect(
      managedFields?.map(({ manager, operation, fieldsV1 }) => [manager, operation, fieldsV1]),
    ).toEqual([
      ['gamma', 'Apply', { 'f:data': { 'f:k': {} } }],
      ['before-first-apply', 'Update', { 'f:data': { '.': {}, 'f:k': {}, 'f:n': {} } }],
    ])
  })
})
