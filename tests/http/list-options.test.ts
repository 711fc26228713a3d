/** In which order options of lists and watches are refused, and what a path that names one object makes of them. */
import { describe, expect, test } from 'vitest'
import { SimulatedClock } from '../../src/engine/environment'
import { ask, configMap, testServer } from '../support/server'

const MAPS = '/api/v1/namespaces/default/configmaps'
const WATCHED = '/api/v1/watch/namespaces/default/configmaps'

describe('options are read before they are judged', () => {
  const server = testServer()
  test.each([
    ['timeoutSeconds=xyz&limit=abc', 400, 'strconv.ParseInt: parsing "xyz": invalid syntax'],
    ['labelSelector=a=b=c&limit=abc', 400, 'strconv.ParseInt: parsing "abc": invalid syntax'],
    ['labelSelector=a=b=c&resourceVersion=1&resourceVersionMatch=Odd', 400, "found '=', expected: ',' or 'end of string'"],
    ['fieldSelector=odd=b&resourceVersion=1&resourceVersionMatch=Odd', 422, expect.stringContaining('resourceVersionMatch')],
  ])('%s', async (query, code, message) => {
    const { status, json } = await ask(server, { path: `${MAPS}?${query}` })
    expect([status, json.message]).toEqual([code, message])
  })
})

describe('a watch whose path names one object', () => {
  const named = async (query: string) => {
    const clock = new SimulatedClock()
    const server = testServer({ clock })
    for (const name of ['a', 'b']) await ask(server, { method: 'POST', path: MAPS, body: configMap(name, { of: name }) })
    const answer = ask(server, { path: `${WATCHED}/a?timeoutSeconds=1${query}` })
    await new Promise((resolve) => setTimeout(resolve, 5))
    clock.advance(1000)
    return answer
  }

  test('shows that object alone', async () => {
    const { text } = await named('&fieldSelector=metadata.name=a')
    expect(text.trim().split('\n')).toHaveLength(1)
    expect(JSON.parse(text).object.data).toEqual({ of: 'a' })
    expect((await named('')).text).toBe((await named('')).text)
  })

  test('refuses selectors that do not choose it', async () => {
    for (const query of [
      '&fieldSelector=metadata.name=b',
      '&fieldSelector=metadata.namespace=default',
      '&fieldSelector=metadata.name!=a',
    ]) {
      const { status, json } = await named(query)
      expect([status, json.message]).toEqual([400, "fieldSelector metadata.name doesn't match requested name"])
    }
  })
})

test('rights to one name do not reach a watch of the older form that only selects it', async () => {
  const server = testServer()
  const role = '/apis/rbac.authorization.k8s.io/v1/namespaces/default'
  const rules = [{ apiGroups: [''], resources: ['configmaps'], resourceNames: ['b'], verbs: ['watch'] }]
  await ask(server, { method: 'POST', path: `${role}/roles`, body: { metadata: { name: 'b' }, rules } })
  const subjects = [{ kind: 'User', name: 'alice', apiGroup: 'rbac.authorization.k8s.io' }]
  const roleRef = { kind: 'Role', name: 'b', apiGroup: 'rbac.authorization.k8s.io' }
  await ask(server, { method: 'POST', path: `${role}/rolebindings`, body: { metadata: { name: 'b' }, subjects, roleRef } })
  const statusOf = async (path: string) => (await ask(server, { path, token: 'alice' })).status
  const ended = 'timeoutSeconds=-1&fieldSelector=metadata.name'
  expect(await statusOf(`${WATCHED}?${ended}=b`)).toBe(403)
  expect(await statusOf(`${WATCHED}/a?${ended}=b`)).toBe(403)
  expect(await statusOf(`${MAPS}?watch=1&${ended}=b%2Fc`)).toBe(403)
})

test('a watch until a time before now ends at once', async () => {
  const clock = new SimulatedClock()
  const answer = ask(testServer({ clock }), { path: `${MAPS}?watch=1&timeoutSeconds=-1` })
  await new Promise((resolve) => setTimeout(resolve, 5))
  clock.advance(0)
  expect((await answer).status).toBe(200)
})
