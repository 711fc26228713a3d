/** The kind and apiVersion in the body of a custom resource, for each kind of write, and its managed fields. */
import { beforeEach, describe, expect, it } from 'vitest'
import { type SendRequest, testClient } from '../http/test-client'

const GROUP = 'crew.example.org'
const BOATS = `/apis/${GROUP}/v1/namespaces/default/boats`
const BOAT = `${BOATS}/one`

let sendRequest: SendRequest
beforeEach(async () => {
  sendRequest = testClient()
  const scale = { specReplicasPath: '.spec.seats', statusReplicasPath: '.status.seats' }
  const openAPIV3Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
  const versions = [
    {
      name: 'v1',
      served: true,
      storage: true,
      schema: { openAPIV3Schema },
      subresources: { status: {}, scale },
    },
  ]
  const spec = {
    group: GROUP,
    scope: 'Namespaced',
    names: { plural: 'boats', kind: 'Boat' },
    versions,
  }
  const body = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `boats.${GROUP}` },
    spec,
  }
  expect(
    (
      await sendRequest('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
        method: 'POST',
        body,
      })
    ).status,
  ).toBe(201)
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect((await sendRequest(BOATS, { method: 'POST', body: boat({}) })).status).toBe(201)
})

const boat = (more: object, metadata: object = {}) => ({
  apiVersion: `${GROUP}/v1`,
  kind: 'Boat',
  metadata: { name: 'one', ...metadata },
  spec: { seats: 2 },
  ...more,
})

const merge = (body: object, path = BOAT) =>
  sendRequest(path, {
    method: 'PATCH',
    headers: { 'content-type': 'application/merge-patch+json' },
    body,
  })
const apply = (path: string, body: object) =>
  sendRequest(`${path}?fieldManager=me`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/apply-patch+yaml' },
    body,
  })

describe('another kind', () => {
  it('is rejected before all other checks', async () => {
    const { status, json } = await merge({ kind: 'Ship', apiVersion: 'fleet/v2' })
    expect([status, json.message]).toEqual([
      422,
      `Ship.fleet "one" is invalid: [kind: Invalid value: "Ship": must be Boat, apiVersion: Invalid value: "fleet/v2": must be ${GROUP}/v1]`,
    ])
  })

  it.each<[string, object, number, string]>([
    [
      'a name of another',
      boat({ kind: 'Ship' }, { name: 'two' }),
      400,
      'does not match the name on the URL (one)',
    ],
    [
      'no version to update',
      boat({ kind: 'Ship' }),
      422,
      'metadata.resourceVersion: Invalid value: 0x0: must be specified for an update',
    ],
    [
      'a version that is gone',
      boat({ kind: 'Ship' }, { resourceVersion: '1' }),
      409,
      'the object has been modified',
    ],
  ])('is not checked if there is %s', async (_what, body, code, message) => {
    const { status, json } = await sendRequest(BOAT, { method: 'PUT', body })
    expect([status, json.message]).toEqual([code, expect.stringContaining(message)])
  })

  it('is ignored by a write to status, which then records no manager', async () => {
    const { status, json } = await merge({ kind: 'Ship', status: { seats: 1 } }, `${BOAT}/status`)
    expect([status, json.kind, json.status]).toEqual([200, 'Boat', { seats: 1 }])
    expect(json.metadata).not.toHaveProperty('managedFields')
  })
})

describe('a patch must leave', () => {
  it.each<[string, object, number, RegExp]>([
    ['a kind', { kind: null }, 422, /: Object 'Kind' is missing in '\{"apiVersion":.*\}'$/],
    [
      'a kind that is a text',
      { kind: 3 },
      422,
      /: json: cannot unmarshal number into Go struct field \.kind of type string$/,
    ],
    [
      'a version that can be one',
      { apiVersion: 'a/b/c' },
      422,
      /: unexpected GroupVersion string: a\/b\/c$/,
    ],
    [
      'a version',
      { apiVersion: null },
      500,
      /^Internal error occurred: Object 'apiVersion' is missing in 'object has no apiVersion field'$/,
    ],
  ])('%s', async (_what, patch, code, message) => {
    const { status, json } = await merge(patch)
    expect([status, json.message]).toEqual([code, expect.stringMatching(message)])
  })
})

describe('validation of the metadata of an update', () => {
  it('comes three times, and names of finalizers once', async () => {
    const { json } = await merge({ metadata: { labels: { a: 'b c' }, finalizers: ['d e'] } })
    const fields = (json.details as unknown as { causes: { field: string }[] }).causes.map(
      ({ field }) => field,
    )
    expect(fields.sort()).toEqual([
      'metadata.finalizers',
      'metadata.labels',
      'metadata.labels',
      'metadata.labels',
    ])
  })
})

describe('entries of ownership', () => {
  const managers = ({ metadata }: { metadata?: unknown }) =>
    (metadata as { managedFields?: { operation: string }[] }).managedFields?.map(
      ({ operation }) => operation,
    )

  it('stay with an empty list, and go with an empty entry', async () => {
    expect(managers((await merge({ metadata: { managedFields: [] } })).json)).toEqual(['Update'])
    expect(managers((await merge({ metadata: { managedFields: [{}] } })).json)).toBeUndefined()
  })

  it.each<[unknown, number]>([
    [[], 400],
    [[{ manager: 'a' }], 400],
    [[null], 200],
    [[3], 500],
  ])('in an apply are rejected only if they are not empty: %j', async (managedFields, code) => {
    expect((await apply(BOAT, boat({}, { managedFields }))).status).toBe(code)
  })
})

describe('an apply to a scale', () => {
  const seats = (replicas: number) => ({
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name: 'one' },
    spec: { replicas },
  })

  it('succeeds as long as it changes nothing', async () => {
    expect((await apply(`${BOAT}/scale`, seats(2))).status).toBe(200)
    const { json } = await apply(`${BOAT}/scale`, seats(3))
    expect(json.message).toMatch(
      /request to convert CR to an invalid group\/version: autoscaling\/v1$/,
    )
  })

  it('fails if no manager owns the number', async () => {
    await merge({ metadata: { managedFields: [{}] } })
    const { json } = await apply(`${BOAT}/scale`, seats(2))
    expect(json.message).toBe(
      'failed to create manager for existing fields: failed to convert live object (/; autoscaling/v1, Kind=Scale) to proper version: ' +
        'request to convert CR to an invalid group/version: autoscaling/v1',
    )
  })
})
