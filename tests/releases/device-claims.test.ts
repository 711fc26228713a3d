/** Claims for devices as versions above v1alpha3 have them. */
import { beforeAll, expect, it } from 'vitest'
import { loadTables } from '../../src/engine/release-tables/load-tables'
import { sendRequest, testServer } from '../support/server'

beforeAll(() => loadTables('1.37'))

const CLAIMS = '/apis/resource.k8s.io/v1/namespaces/default/resourceclaims'
const create = (server: ReturnType<typeof testServer>, devices: object) =>
  sendRequest(server, {
    method: 'POST',
    path: CLAIMS,
    body: { metadata: { name: 'a' }, spec: { devices } },
  })
const causesOf = (json: { details?: { causes?: { field: string; message: string }[] } }) =>
  json.details?.causes?.map(({ field, message }) => `${field}: ${message}`)

it('exact requests and alternatives are counted', async () => {
  const { json } = await create(testServer({ release: '1.37' }), {
    requests: [
      { name: 'r', exactly: { deviceClassName: 'gpu' } },
      { name: 's', firstAvailable: [{ name: 'big', deviceClassName: 'big' }] },
    ],
    constraints: [{ requests: ['r', 's/big'], matchAttribute: 'example.com/numa' }],
  })
  const counted = { allocationMode: 'ExactCount', count: 1 }
  expect(json.spec.devices.requests).toEqual([
    { name: 'r', exactly: { deviceClassName: 'gpu', ...counted } },
    { name: 's', firstAvailable: [{ name: 'big', deviceClassName: 'big', ...counted }] },
  ])
})

it('requests are of one kind, and known to constraints', async () => {
  const { json } = await create(testServer({ release: '1.37' }), {
    requests: [
      { name: 'q' },
      { name: 'r', exactly: { deviceClassName: '', allocationMode: 'Some', count: -1 } },
    ],
    constraints: [{ requests: ['none'] }],
  })
  expect(causesOf(json)).toEqual([
    'spec.devices.requests[0]: Required value: exactly one of `exactly` or `firstAvailable` is required',
    'spec.devices.requests[1].exactly.deviceClassName: Required value',
    `spec.devices.constraints[0].requests[0]: Invalid value: "none": must be the name of a request in the claim or the name of a request and a subrequest separated by '/'`,
    'spec.devices.constraints[0]: Required value: exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set',
    'spec.devices.requests[1].exactly.allocationMode: Unsupported value: "Some": supported values: "All", "ExactCount"',
  ])
})

it('the spec of a claim is immutable, and its new value is not printed', async () => {
  const server = testServer({ release: '1.37' })
  await create(server, { requests: [{ name: 'r', exactly: { deviceClassName: 'gpu' } }] })
  const { json } = await sendRequest(server, {
    method: 'PATCH',
    path: `${CLAIMS}/a`,
    headers: { 'content-type': 'application/merge-patch+json' },
    body: { spec: { devices: { requests: [] } } },
  })
  expect(causesOf(json)).toEqual(['spec: Invalid value: null: field is immutable'])
})

it('selectors of device classes compare amounts', async () => {
  const { status, text } = await sendRequest(testServer({ release: '1.37' }), {
    method: 'POST',
    path: '/apis/resource.k8s.io/v1/deviceclasses',
    body: {
      metadata: { name: 'gpu' },
      spec: {
        selectors: [
          {
            cel: {
              expression:
                'device.capacity["gpu.example.com"].memory.compareTo(quantity("1Gi")) >= 0',
            },
          },
        ],
      },
    },
  })
  expect(status, text).toBe(201)
})
