/**
 * The e2e specification "requests can be classified by adding FlowSchema and
 * PriorityLevelConfiguration", request by request: objects, conditions, the limit in `/metrics`,
 * and the headers of both users.
 */
import { expect, it } from 'vitest'
import type { ApiServer } from '../../src/engine/server/server'
import { readExposition } from '../support/exposition'
import { sendRequest, testServer } from '../support/server'

const GROUP = '/apis/flowcontrol.apiserver.k8s.io/v1'
const LEVEL = 'e2e-testing-prioritylevel'
const SCHEMA = 'e2e-testing-flowschema'

const level = {
  metadata: { name: LEVEL },
  spec: {
    type: 'Limited',
    limited: { nominalConcurrencyShares: 1, limitResponse: { type: 'Reject' } },
  },
}

const schema = {
  metadata: { name: SCHEMA },
  spec: {
    matchingPrecedence: 1000,
    priorityLevelConfiguration: { name: LEVEL },
    distinguisherMethod: { type: 'ByUser' },
    rules: [
      {
        subjects: [{ kind: 'User', user: { name: 'noxu' } }],
        nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
      },
    ],
  },
}

async function limitOf(server: ApiServer, priority_level: string): Promise<number | undefined> {
  const { text } = await sendRequest(server, { path: '/metrics' })
  const family = readExposition(text).find(
    ({ name }) => name === 'apiserver_flowcontrol_nominal_limit_seats',
  )
  return family?.samples.find(({ labels }) => labels.priority_level === priority_level)?.value
}

async function uidsFor(server: ApiServer, user: string): Promise<(string | null)[]> {
  const { headers } = await sendRequest(server, {
    path: '/version',
    headers: { 'impersonate-user': user, 'impersonate-group': 'system:authenticated' },
  })
  return ['x-kubernetes-pf-flowschema-uid', 'x-kubernetes-pf-prioritylevel-uid'].map((name) =>
    headers.get(name),
  )
}

it('is served as the specification requires', async () => {
  const server = testServer()
  expect(await limitOf(server, LEVEL)).toBeUndefined()
  const before = await limitOf(server, 'workload-low')
  const created = [
    await sendRequest(server, {
      method: 'POST',
      path: `${GROUP}/prioritylevelconfigurations`,
      body: level,
    }),
    await sendRequest(server, { method: 'POST', path: `${GROUP}/flowschemas`, body: schema }),
  ]
  expect(created.map(({ status }) => status)).toEqual([201, 201])
  const { json } = await sendRequest(server, { path: `${GROUP}/flowschemas/${SCHEMA}` })
  const dangling = json.status.conditions.find(({ type }: { type: string }) => type === 'Dangling')
  expect(dangling?.status).toBe('False')
  expect(await limitOf(server, LEVEL)).toBe(3)
  // The others get less of the same sum.
  expect(await limitOf(server, 'workload-low')).toBeLessThan(before ?? 0)
  expect(await limitOf(server, 'exempt')).toBe(0)
  const [levelUid, schemaUid] = created.map((response) => response.json.metadata.uid)
  expect(await uidsFor(server, 'noxu')).toEqual([schemaUid, levelUid])
  const others = await uidsFor(server, 'foo')
  for (const uid of others) expect(uid).toMatch(/^[0-9a-f-]{36}$/)
  expect(others).not.toContain(levelUid)
  await sendRequest(server, {
    method: 'DELETE',
    path: `${GROUP}/prioritylevelconfigurations/${LEVEL}`,
  })
  expect(await limitOf(server, LEVEL)).toBeUndefined()
})
