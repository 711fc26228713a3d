/**
 * The order of members after a merge patch, which decides the order of errors and warnings: objects
 * that the patch entered or added are sorted.
 */
import { expect, it } from 'vitest'
import { configMap, sendRequest, testServer } from '../support/server'

const PATH = '/api/v1/namespaces/default/configmaps'
const headers = { 'content-type': 'application/merge-patch+json' }

it.each<[string, object, string]>([
  [
    'an object that is new',
    { odd: { b: 1, a: { d: 1, c: 2 } } },
    '"odd":{"a":{"c":2,"d":1},"b":1}',
  ],
  [
    'objects of a list that is new',
    { odd: [{ b: 1, a: 2 }, [{ d: 1, c: 2 }]] },
    '"odd":[{"a":2,"b":1},[{"c":2,"d":1}]]',
  ],
  [
    'all but a list in the place of an object',
    { data: [{ b: 1, a: 2 }] },
    '"data":[{"b":1,"a":2}]',
  ],
])('sorted is %s', async (_what, body, shown) => {
  const server = testServer()
  await sendRequest(server, { method: 'POST', path: PATH, body: configMap('a', { k: 'v' }) })
  const rejected = await sendRequest(server, {
    method: 'PATCH',
    path: `${PATH}/a?fieldValidation=Strict`,
    headers,
    body,
  })
  expect(rejected.status).toBe(422)
  expect(rejected.json.message.replaceAll('\\"', '"')).toContain(shown)
})
