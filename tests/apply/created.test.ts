/** managedFields that a client sends in a create request (kubernetes.io, "Server-Side Apply"). */

import { describe, expect, it } from 'vitest'
import type { JsonObject, ManagedFieldsEntry } from '../../src/engine/core/object'
import { testServer } from '../registry/server'
import { jsonObject } from '../support/json-objects'

const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments'
const TIME = '2024-01-01T00:00:00Z'

const labels = { app: 'web' }

/** An object as saved from another cluster. */
const saved = (...managedFields: ManagedFieldsEntry[]): JsonObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', labels, managedFields: managedFields.map(jsonObject) },
  spec: {
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web:1' }] } },
  },
  status: { replicas: 1 },
})

const entry = (
  manager: string,
  fieldsV1: JsonObject,
  rest: Partial<ManagedFieldsEntry> = {},
): ManagedFieldsEntry => ({
  manager,
  operation: 'Update',
  apiVersion: 'apps/v1',
  time: TIME,
  fieldsType: 'FieldsV1',
  fieldsV1,
  ...rest,
})

async function ownersOf(object: JsonObject): Promise<ManagedFieldsEntry[]> {
  const { status, body } = await testServer().send(
    'POST',
    `${DEPLOYMENTS}?fieldManager=creator`,
    object,
  )
  expect(status).toBe(201)
  return body.metadata.managedFields ?? []
}

describe('a create request with managedFields', () => {
  it('gives the fields to its creator, and leaves other managers only absent fields', async () => {
    const author = entry('author', { 'f:metadata': { 'f:labels': { 'f:app': {}, 'f:gone': {} } } })
    const controller = entry(
      'controller',
      { 'f:status': { 'f:replicas': {} } },
      { subresource: 'status' },
    )
    const [first, second, third, ...rest] = await ownersOf(saved(author, controller))
    expect(rest).toEqual([])
    expect(first).toEqual({
      ...author,
      fieldsV1: { 'f:metadata': { 'f:labels': { 'f:gone': {} } } },
    })
    expect(second).toEqual(controller)
    expect(third).toMatchObject({
      manager: 'creator',
      fieldsV1: { 'f:metadata': { 'f:labels': { '.': {}, 'f:app': {} } } },
    })
  })

  it.each<[string, ManagedFieldsEntry[]]>([
    ['none', []],
    ['an empty one', [{}]],
    ['a malformed one', [entry('x', { 'f:gone': {} }, { operation: 'Patch' })]],
    [
      'one of a version that there is not',
      [entry('x', { 'f:gone': {} }, { apiVersion: 'apps/v9' })],
    ],
  ])('is its creator’s alone if it comes with %s', async (_what, entries) => {
    expect((await ownersOf(saved(...entries))).map(({ manager }) => manager)).toEqual(['creator'])
  })
})
