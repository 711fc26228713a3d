/** Definitions, custom resources and cron jobs whose responses changed with 1.35. */
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { loadTables } from '../../src/engine/release-tables/load-tables'
import { sendRequest, testServer } from '../support/server'

beforeAll(() => loadTables('1.35'))

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const TESTS = '/apis/example.com/v1/tests'

const definition = (properties: object) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'tests.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Cluster',
    names: { plural: 'tests', kind: 'Test' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties } },
      },
    ],
  },
})

const post = (release: string, path: string, body: object) =>
  sendRequest(testServer({ release }), { method: 'POST', path, body })

describe('a definition with string formats', () => {
  const text = (format: string) => ({ type: 'string', format })

  it.each([
    ['regex', '299 - "unrecognized format \\"regex\\""'],
    ['date-time', null],
    ['k8s-short-name', null],
  ])('of %s gets the warning %s', async (format, warning) => {
    const sent = definition({ list: { type: 'array', items: text(format) } })
    expect((await post('1.35', DEFINITIONS, sent)).headers.get('warning')).toBe(warning)
    expect((await post('1.31', DEFINITIONS, sent)).headers.get('warning')).toBeNull()
  })

  it('gets a warning on update only for a new format', async () => {
    const server = testServer({ release: '1.35' })
    await sendRequest(server, {
      method: 'POST',
      path: DEFINITIONS,
      body: definition({ a: text('ip') }),
    })
    const { spec } = definition({ a: text('ip'), b: text('regex') })
    const { status, headers } = await sendRequest(server, {
      method: 'PATCH',
      path: `${DEFINITIONS}/tests.example.com`,
      headers: { 'content-type': 'application/merge-patch+json' },
      body: { spec },
    })
    expect(status).toBe(200)
    expect(headers.get('warning')).toBe('299 - "unrecognized format \\"regex\\""')
  })
})

it.each([
  ['1.31', 'v1', 'ConfigMap', 409],
  ['1.35', 'v1', 'ConfigMap', 404],
  ['1.35', 'coordination.k8s.io/v1', 'Lease', 409],
])('%s: a PUT with a uid to a missing %s %s is a %i', async (release, apiVersion, kind, status) => {
  const base = apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`
  const path = `${base}/namespaces/default/${kind.toLowerCase()}s/none`
  const body = { apiVersion, kind, metadata: { name: 'none', uid: 'x' } }
  const response = await sendRequest(testServer({ release }), { method: 'PUT', path, body })
  expect(response.status).toBe(status)
})

it.each([
  ['1.31', 405, 'create not allowed while custom resource definition is terminating'],
  [
    '1.35',
    403,
    'tests.example.com "b" is forbidden: create not allowed while custom resource definition is terminating',
  ],
])('%s: a create while the definition is deleted is a %i', async (release, status, message) => {
  const server = testServer({ release })
  const send = (method: string, path: string, body?: object) =>
    sendRequest(server, { method, path, ...(body && { body }) })
  const object = (name: string, finalizers?: string[]) => ({
    apiVersion: 'example.com/v1',
    kind: 'Test',
    metadata: { name, ...(finalizers && { finalizers }) },
  })
  await send('POST', DEFINITIONS, definition({}))
  await vi.waitFor(async () => expect((await send('GET', TESTS)).status).toBe(200))
  expect((await send('POST', TESTS, object('a', ['example.com/kept']))).status).toBe(201)
  await send('DELETE', `${DEFINITIONS}/tests.example.com`)
  const { json } = await send('POST', TESTS, object('b'))
  expect([json.code, json.message]).toEqual([status, message])
})

it.each([
  ['1.31', 422],
  ['1.35', 201],
])('%s: a cron job whose failure policy has no status is a %i', async (release, status) => {
  const template = {
    spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] },
  }
  const rules = [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] }]
  const { json } = await post(release, '/apis/batch/v1/namespaces/default/cronjobs', {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'a' },
    spec: {
      schedule: '* * * * *',
      jobTemplate: { spec: { podFailurePolicy: { rules }, template } },
    },
  })
  expect(json.code ?? 201).toBe(status)
  if (status === 201)
    expect(json.spec.jobTemplate.spec.podFailurePolicy.rules[0].onPodConditions).toEqual([
      { type: 'DisruptionTarget', status: 'True' },
    ])
})
