import { describe, expect, test } from 'vitest'
import { deployment } from '../support/cluster'
import { sendRequest, testServer } from '../support/server'

const ANYTHING = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
const PATHS = {
  specReplicasPath: '.spec.size',
  statusReplicasPath: '.status.size',
  labelSelectorPath: '.status.counted',
}

const FARMS = '/apis/example.com/v1/namespaces/default/farms'
const farm = (name: string, members: object = {}) => ({
  apiVersion: 'example.com/v1',
  kind: 'Farm',
  metadata: { name },
  ...members,
})
const scale = (name: string, members: object = {}, metadata: object = {}) => ({
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  metadata: { name, namespace: 'default', ...metadata },
  ...members,
})

/** A server with farms, whose replicas are at unusual paths. */
async function farms() {
  const server = testServer()
  const post = (path: string, body: object) => sendRequest(server, { method: 'POST', path, body })
  const spec = {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'farms', kind: 'Farm' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: ANYTHING },
        subresources: { status: {}, scale: PATHS },
      },
    ],
  }
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'farms.example.com' },
    spec,
  }
  await post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition)
  await new Promise((resolve) => setTimeout(resolve))
  return {
    post,
    put: (path: string, body: object) => sendRequest(server, { method: 'PUT', path, body }),
    patch: (path: string, body: object) =>
      sendRequest(server, {
        method: 'PATCH',
        path,
        body,
        headers: { 'content-type': 'application/merge-patch+json' },
      }),
    get: (path: string, headers: Record<string, string> = {}) =>
      sendRequest(server, { path, headers }),
  }
}

describe('the scale of a custom resource without replicas', () => {
  test('cannot be read, but can be set', async () => {
    const { post, put, get } = await farms()
    await post(FARMS, farm('plain'))
    expect((await get(`${FARMS}/plain/scale`)).json.message).toBe(
      'Internal error occurred: the spec replicas field ".spec.size" does not exist',
    )
    expect(
      (await put(`${FARMS}/plain/scale`, scale('plain', { spec: { replicas: 4 } }))).json.spec,
    ).toEqual({ replicas: 4 })
    expect((await get(`${FARMS}/plain`)).json.spec).toEqual({ size: 4 })
  })

  test('requires replicas in a patch', async () => {
    const { post, patch } = await farms()
    await post(FARMS, farm('plain'))
    const rejected = await patch(`${FARMS}/plain/scale`, { metadata: { labels: { a: 'b' } } })
    expect([rejected.status, rejected.json.message]).toEqual([
      400,
      'the spec replicas field ".spec.size" cannot be empty',
    ])
    expect((await patch(`${FARMS}/plain/scale`, { spec: { replicas: 2 } })).json.spec).toEqual({
      replicas: 2,
    })
  })
})

describe('the paths of a scale', () => {
  test('lead through objects only', async () => {
    const { post } = await farms()
    expect((await post(FARMS, farm('odd', { spec: 'much' }))).json.message).toBe(
      'Farm.example.com "odd" is invalid: .spec.size: Invalid value: 0: .spec.size accessor error: much is of the type string, expected map[string]interface{}',
    )
    expect((await post(FARMS, farm('empty', { spec: null }))).status).toBe(201)
  })

  test('require a string as selector', async () => {
    const { post, put, get } = await farms()
    await post(FARMS, farm('some', { spec: { size: 1 } }))
    const { json } = await get(`${FARMS}/some`)
    expect(
      (await put(`${FARMS}/some/status`, { ...json, status: { counted: 5 } })).json.message,
    ).toBe(
      'Farm.example.com "some" is invalid: .status.counted: Invalid value: "": .status.counted accessor error: 5 is of the type int64, expected string',
    )
  })

  test('in the status do not validate the spec', async () => {
    const { post, put, get } = await farms()
    await post(FARMS, farm('some', { spec: { size: 1 } }))
    const { json } = await get(`${FARMS}/some`)
    expect(
      (await put(`${FARMS}/some/status`, { ...json, spec: { size: -1 }, status: { size: 2 } })).json
        .status,
    ).toEqual({ size: 2 })
  })
})

describe('a uid of another workload', () => {
  const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments'

  test('returns 409 for a PUT before other errors', async () => {
    const { post, put } = await farms()
    await post(FARMS, farm('one', { spec: { size: 1 } }))
    const { status, json } = await put(
      `${FARMS}/one/scale`,
      scale('one', { spec: { replicas: -1 } }, { uid: 'other' }),
    )
    expect([status, json.reason]).toEqual([409, 'Conflict'])
    expect(json.message).toContain('Key: /registry/example.com/farms/default/one, ')
    expect(json.message).toContain('Precondition failed: UID in precondition: other, ')
  })

  test('returns 409 for a patch of a built-in workload, ignored for custom ones', async () => {
    const { post, patch } = await farms()
    await post(FARMS, farm('one', { spec: { size: 1 } }))
    const { metadata } = (await post(DEPLOYMENTS, deployment('one', 1))).json
    const change = { metadata: { uid: 'other' }, spec: { replicas: 3 } }
    expect((await patch(`${DEPLOYMENTS}/one/scale`, change)).json.message).toBe(
      `Operation cannot be fulfilled on deployments/scale.apps "one": Precondition failed: UID in precondition: other, UID in object meta: ${metadata.uid}`,
    )
    expect((await patch(`${FARMS}/one/scale`, change)).json.spec).toEqual({ replicas: 3 })
  })
})

test('the scale of a custom resource has its own Table columns', async () => {
  const { post, get } = await farms()
  await post(FARMS, farm('some', { spec: { size: 3 } }))
  await post('/apis/apps/v1/namespaces/default/deployments', deployment('some', 3))
  const columns = async (path: string) => {
    const { json } = await get(`${path}/some/scale`, {
      accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
    })
    const definitions = json.columnDefinitions as {
      name: string
      type: string
      format: string
      description: string
    }[]
    return definitions.map(({ name, type, format, description }) => [
      name,
      type,
      format,
      description.slice(0, 25),
    ])
  }
  expect(await columns(FARMS)).toEqual([
    ['Name', 'string', 'name', 'Name must be unique withi'],
    ['Desired', 'integer', '', 'Number of desired replica'],
    ['Available', 'integer', '', 'Number of actual replicas'],
    ['Age', 'date', '', 'CreationTimestamp is a ti'],
  ])
  expect((await columns('/apis/apps/v1/namespaces/default/deployments')).slice(0, 2)).toEqual([
    ['Name', 'string', '', 'Name must be unique withi'],
    ['Desired', 'integer', '', 'replicas is the desired n'],
  ])
})
