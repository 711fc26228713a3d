/**
 * The order in which options of lists and watches are validated, and options of watches on one
 * object.
 */
import { describe, expect, test } from 'vitest'
import { SimulatedClock } from '../../src/engine/core/environment'
import { configMap, sendRequest, testServer } from '../support/server'

const MAPS = '/api/v1/namespaces/default/configmaps'
const WATCHED = '/api/v1/watch/namespaces/default/configmaps'

describe('options are parsed before they are validated', () => {
  const server = testServer()
  test.each([
    ['timeoutSeconds=xyz&limit=abc', 400, 'strconv.ParseInt: parsing "xyz": invalid syntax'],
    ['labelSelector=a=b=c&limit=abc', 400, 'strconv.ParseInt: parsing "abc": invalid syntax'],
    [
      'labelSelector=a=b=c&resourceVersion=1&resourceVersionMatch=Odd',
      400,
      "found '=', expected: ',' or 'end of string'",
    ],
    [
      'fieldSelector=odd=b&resourceVersion=1&resourceVersionMatch=Odd',
      422,
      expect.stringContaining('resourceVersionMatch'),
    ],
  ])('%s', async (query, code, message) => {
    const { status, json } = await sendRequest(server, { path: `${MAPS}?${query}` })
    expect([status, json.message]).toEqual([code, message])
  })
})

describe('reports all invalid options, in the order of kube-apiserver', () => {
  const server = testServer()
  const message = async (path: string, method = 'GET') =>
    (await sendRequest(server, { path, method })).json.message as string
  const listed = (problems: string) => `ListOptions.meta.k8s.io "" is invalid: ${problems}`

  test('of lists', async () => {
    expect(
      await message(`${MAPS}?sendInitialEvents=true&resourceVersionMatch=Odd&resourceVersion=1`),
    ).toBe(
      listed(
        '[resourceVersionMatch: Unsupported value: "Odd": supported values: "Exact", "NotOlderThan", "", sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list]',
      ),
    )
  })

  test('of watches', async () => {
    expect(await message(`${MAPS}?watch=1&resourceVersionMatch=NotOlderThan&continue=x`)).toBe(
      listed(
        '[resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided, resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided]',
      ),
    )
  })

  test('of deletions', async () => {
    expect(await message(`${MAPS}/a?orphanDependents=true&propagationPolicy=Odd`, 'DELETE')).toBe(
      'DeleteOptions.meta.k8s.io "" is invalid: [propagationPolicy: Invalid value: "Odd": orphanDependents and deletionPropagation cannot be both set, propagationPolicy: Unsupported value: "Odd": supported values: "Foreground", "Background", "Orphan", "nil"]',
    )
  })

  test.each([
    ['MTIz', 'json: cannot unmarshal number into Go value of type storage.continueToken'],
    ['bnVsbA', 'server does not recognize this encoded version '],
    ['null5', 'illegal base64 data at input byte 4'],
  ])('of the token %s', async (token, why) => {
    expect(await message(`${MAPS}?continue=${token}`)).toBe(
      `invalid continue token: continue key is not valid: ${why}`,
    )
  })
})

test('only 0 and false are false, in any case', async () => {
  const server = testServer()
  for (const no of ['0', 'false', 'fAlse'])
    expect((await sendRequest(server, { path: `${MAPS}?watch=${no}` })).json.kind).toBe(
      'ConfigMapList',
    )
})

describe('a watch with a name in its path', () => {
  const named = async (query: string) => {
    const clock = new SimulatedClock()
    const server = testServer({ clock })
    for (const name of ['a', 'b'])
      await sendRequest(server, { method: 'POST', path: MAPS, body: configMap(name, { of: name }) })
    const response = sendRequest(server, { path: `${WATCHED}/a?timeoutSeconds=1${query}` })
    await new Promise((resolve) => setTimeout(resolve, 5))
    clock.advance(1000)
    return response
  }

  test('sends events of that object only', async () => {
    const { text } = await named('&fieldSelector=metadata.name=a')
    expect(text.trim().split('\n')).toHaveLength(1)
    expect(JSON.parse(text).object.data).toEqual({ of: 'a' })
    expect((await named('')).text).toBe((await named('')).text)
  })

  test('rejects field selectors other than its name', async () => {
    for (const query of [
      '&fieldSelector=metadata.name=b',
      '&fieldSelector=metadata.namespace=default',
      '&fieldSelector=metadata.name!=a',
    ]) {
      const { status, json } = await named(query)
      expect([status, json.message]).toEqual([
        400,
        "fieldSelector metadata.name doesn't match requested name",
      ])
    }
  })
})

test('permission for one name does not include a legacy watch that selects it', async () => {
  const server = testServer()
  const role = '/apis/rbac.authorization.k8s.io/v1/namespaces/default'
  const rules = [
    { apiGroups: [''], resources: ['configmaps'], resourceNames: ['b'], verbs: ['watch'] },
  ]
  await sendRequest(server, {
    method: 'POST',
    path: `${role}/roles`,
    body: { metadata: { name: 'b' }, rules },
  })
  const subjects = [{ kind: 'User', name: 'alice', apiGroup: 'rbac.authorization.k8s.io' }]
  const roleRef = { kind: 'Role', name: 'b', apiGroup: 'rbac.authorization.k8s.io' }
  await sendRequest(server, {
    method: 'POST',
    path: `${role}/rolebindings`,
    body: { metadata: { name: 'b' }, subjects, roleRef },
  })
  const statusOf = async (path: string) =>
    (await sendRequest(server, { path, token: 'alice' })).status
  const ended = 'timeoutSeconds=-1&fieldSelector=metadata.name'
  expect(await statusOf(`${WATCHED}?${ended}=b`)).toBe(403)
  expect(await statusOf(`${WATCHED}/a?${ended}=b`)).toBe(403)
  expect(await statusOf(`${MAPS}?watch=1&${ended}=b%2Fc`)).toBe(403)
})

test('a watch with a negative timeout ends at once', async () => {
  const clock = new SimulatedClock()
  const response = sendRequest(testServer({ clock }), { path: `${MAPS}?watch=1&timeoutSeconds=-1` })
  await new Promise((resolve) => setTimeout(resolve, 5))
  clock.advance(0)
  expect((await response).status).toBe(200)
})

test('returns 406 for a stream format behind all other errors of the options', async () => {
  const server = testServer()
  const watched = async (query: string) => {
    const { status, text } = await sendRequest(server, {
      path: `${MAPS}?watch=1&${query}`,
      headers: { accept: 'application/yaml' },
    })
    return [status, /message: (.*)/.exec(text)?.[1]]
  }
  expect(await watched('limit=x')).toEqual([400, `'strconv.ParseInt: parsing "x": invalid syntax'`])
  expect((await watched('resourceVersion=x'))[0]).toBe(500)
  expect((await watched('resourceVersionMatch=Exact'))[0]).toBe(422)
  expect((await watched('limit=5'))[0]).toBe(406)
})
