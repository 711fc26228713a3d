import { expect, test } from 'vitest'
import { testClient } from './test-client'

const sendRequest = testClient()
const SERVICES = '/api/v1/namespaces/a/services'
const messageOf = async (target: string): Promise<unknown> => {
  const { status, json } = await sendRequest(target)
  return [status, json.message]
}

test('a proxy reports errors that need no running pod', async () => {
  await sendRequest('/api/v1/namespaces', { method: 'POST', body: { metadata: { name: 'a' } } })
  await sendRequest(SERVICES, {
    method: 'POST',
    body: { metadata: { name: 'web' }, spec: { ports: [{ port: 80 }] } },
  })
  expect(await messageOf(`${SERVICES}/none/proxy/`)).toEqual([404, 'services "none" not found'])
  expect(await messageOf(`${SERVICES}/web/proxy/x`)).toEqual([404, 'services "web" not found'])
  expect(await messageOf(`${SERVICES}/web:81/proxy/x`)).toEqual([
    503,
    'no service port 81 found for service "web"',
  ])
  expect(await messageOf(`${SERVICES}/ftp:web:80/proxy/x`)).toEqual([
    400,
    'invalid service request "ftp:web:80"',
  ])
  await sendRequest('/api/v1/namespaces/a/endpoints', {
    method: 'POST',
    body: { metadata: { name: 'web' } },
  })
  expect(await messageOf(`${SERVICES}/https:web:80/proxy/x`)).toEqual([
    503,
    'no endpoints available for service "web"',
  ])
  expect(await messageOf('/api/v1/nodes/none/proxy/')).toEqual([404, 'nodes "none" not found'])
})

test('requires a node address of a preferred type', async () => {
  const body = {
    metadata: { name: 'far' },
    status: { addresses: [{ type: 'Other', address: '10.0.0.9' }] },
  }
  await sendRequest('/api/v1/nodes', { method: 'POST', body })
  expect(await messageOf('/api/v1/nodes/far/proxy/')).toEqual([
    500,
    'no preferred addresses found; known addresses: [{Other 10.0.0.9}]',
  ])
})

test('a connect request ignores the Accept header', async () => {
  const { status } = await sendRequest(`${SERVICES}/none/proxy/`, {
    headers: { accept: 'text/html' },
  })
  expect(status).toBe(404)
  expect(
    (await sendRequest('/api/v1/namespaces/a/pods/none/log', { headers: { accept: 'text/html' } }))
      .json.message,
  ).toBe(
    '406: Not Acceptable\n\nAvailable representations: text/plain, application/json, application/yaml, application/vnd.kubernetes.protobuf',
  )
})

test.each([
  ['ports=x', 'cannot convert to []int32: strconv.ParseUint: parsing "x": invalid syntax'],
  [
    'ports=80&ports=65536',
    'cannot convert to []int32: strconv.ParseUint: parsing "65536": value out of range',
  ],
  ['ports', 'cannot convert to []int32: strconv.ParseUint: parsing "": invalid syntax'],
  ['ports=80,65535', 'pods "none" not found'],
])('parses the ports before the pod lookup: %s', async (query, message) => {
  const { json } = await sendRequest(`/api/v1/namespaces/a/pods/none/portforward?${query}`)
  expect(json.message).toBe(message)
})
