/** Applied bodies that do not fit their type, and kinds that are written unusually (compared with the real server). */
import { expect, test } from 'vitest'
import { ask, testServer } from '../support/server'

const server = testServer()
const apply = (body: unknown) =>
  ask(server, {
    method: 'PATCH',
    path: '/apis/apps/v1/namespaces/default/deployments/d?fieldManager=me',
    headers: { 'content-type': 'application/apply-patch+yaml' },
    body,
  })
const deployment = (spec: object) => ({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd' }, spec })

test('nothing is said of members behind one that the type does not know', async () => {
  const { status, json } = await apply(deployment({ bogus: 1, replicas: 'x', unknown: {} }))
  expect(status).toBe(500)
  expect(json.message).toBe('failed to create typed patch object (/d; apps/v1, Kind=Deployment): .spec.bogus: field not declared in schema')
})

test('the text of the error is taken for a format', async () => {
  const { json } = await apply(deployment({ template: '10%' }))
  expect(json.message).toMatch(/\.spec\.template: expected map, got &\{10%!\}\(MISSING\)$/)
})

test('a version of the core group may begin with a slash', async () => {
  const { status, json } = await ask(server, {
    method: 'PATCH',
    path: '/api/v1/namespaces/default/configmaps/c?fieldManager=me',
    headers: { 'content-type': 'application/apply-patch+yaml' },
    body: { apiVersion: '/v1', kind: 'ConfigMap', metadata: { name: 'c' } },
  })
  expect([status, json.apiVersion]).toEqual([201, 'v1'])
})

test('a patched document is of no kind before it is of a form', async () => {
  const path = '/api/v1/namespaces/default/configmaps/c'
  const headers = { 'content-type': 'application/json-patch+json' }
  const patch = async (operations: object[]) => (await ask(server, { method: 'PATCH', path, headers, body: operations })).json.message
  expect(await patch([{ op: 'replace', path: '/kind', value: 1 }])).toContain(
    "couldn't get version/kind; json parse error: json: cannot unmarshal number into Go struct field .kind of type string",
  )
  const odd = [
    { op: 'replace', path: '/kind', value: 'Odd' },
    { op: 'replace', path: '/metadata', value: 'x' },
  ]
  expect(await patch(odd)).toContain('no kind "Odd" is registered for version "v1"')
})
