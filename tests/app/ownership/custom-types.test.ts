/** Atomic fields of a custom resource are the ones that its published schema declares. */

import { expect, it } from 'vitest'
import { customTypeIn, openApiPath } from '../../../src/app/features/objects/custom-types'
import { claimsOf } from '../../../src/app/features/ownership/owners'
import type { Json, KubeObject } from '../../../src/engine/core/object'
import type { ApiServer } from '../../../src/engine/server/server'
import { kubeObject } from '../../support/json-objects'
import { sendRequest, testServer } from '../../support/server'
import { applied } from './support'

const KIND = 'Shelf'
const API_VERSION = 'library.example.com/v1'
const PATH = `/apis/${API_VERSION}/namespaces/default/shelves/a`

const members = (names: string[]) =>
  Object.fromEntries(names.map((name) => [name, { type: 'string' }]))
const texts = (markers: Json) => ({
  type: 'array',
  items: { type: 'string' },
  ...(markers as object),
})

const SPEC = {
  granular: { type: 'object', properties: members(['x', 'y']) },
  whole: { type: 'object', properties: members(['x', 'y']), 'x-kubernetes-map-type': 'atomic' },
  labels: { type: 'object', additionalProperties: { type: 'string' } },
  plain: texts({}),
  set: texts({ 'x-kubernetes-list-type': 'set' }),
  keyed: {
    type: 'array',
    items: { type: 'object', properties: members(['name', 'value']), required: ['name'] },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name'],
  },
}

const DEFINITION = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'shelves.library.example.com' },
  spec: {
    group: 'library.example.com',
    scope: 'Namespaced',
    names: { plural: 'shelves', kind: KIND },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', properties: SPEC } },
          },
        },
      },
    ],
  },
}

const SHELF = {
  apiVersion: API_VERSION,
  kind: KIND,
  metadata: { name: 'a' },
  spec: {
    granular: { x: '1', y: '2' },
    whole: { x: '1', y: '2' },
    labels: { a: 'b' },
    plain: ['p', 'q'],
    set: ['p', 'q'],
    keyed: [{ name: 'n', value: 'v' }],
  },
}

/** A server that serves shelves. */
async function libraryServer(): Promise<ApiServer> {
  const server = testServer()
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
  expect((await sendRequest(server, { method: 'POST', path, body: DEFINITION })).status).toBe(201)
  await expect
    .poll(async () => (await sendRequest(server, { path: openApiPath(API_VERSION) })).status)
    .toBe(200)
  return server
}

it('reads the markers of lists and maps from the published document', async () => {
  const server = await libraryServer()
  await applied(server, PATH, SHELF, { manager: 'alice' })
  const { json } = await sendRequest(server, { path: PATH })
  const { json: document } = await sendRequest(server, { path: openApiPath(API_VERSION) })
  const type = customTypeIn(document, API_VERSION, KIND)
  expect(type).toBeDefined()
  const pieces = claimsOf(json as KubeObject, type).filter(
    ({ atomic, place }) => atomic && place && place.length < 3 && place[0] === 'spec',
  )
  expect(pieces.map(({ place }) => place?.join('.')).sort()).toEqual(['spec.plain', 'spec.whole'])
})

it('does not take a map that one manager wrote as a whole for one piece', async () => {
  const server = await libraryServer()
  const { json: document } = await sendRequest(server, { path: openApiPath(API_VERSION) })
  const entry = {
    manager: 'alice',
    operation: 'Apply',
    apiVersion: API_VERSION,
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:spec': { 'f:labels': {} } },
  }
  const object = kubeObject({
    ...SHELF,
    metadata: { name: 'a', managedFields: [entry] },
  })
  const atomic = (type: Parameters<typeof claimsOf>[1]) =>
    claimsOf(object, type).map((claim) => claim.atomic)
  expect(atomic(customTypeIn(document, API_VERSION, KIND))).toEqual([false])
  // Without a type it can only be guessed.
  expect(atomic(undefined)).toEqual([true])
})

it('has no type for a kind that the document lacks', async () => {
  const server = testServer()
  const { json: document } = await sendRequest(server, { path: openApiPath('apps/v1') })
  expect(openApiPath('v1')).toBe('/openapi/v3/api/v1')
  expect(customTypeIn(document, 'apps/v1', 'Nothing')).toBeUndefined()
})
