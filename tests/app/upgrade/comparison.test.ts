/** One request in two releases: what differs, in pairs of lines. */

import { describe, expect, it } from 'vitest'
import { compared } from '../../../src/app/features/releases/compared'
import { linePairs } from '../../../src/app/features/releases/line-pairs'
import { respondInBoth } from '../../../src/hosts/shared/release-copy'
import { kubeObject } from '../../support/json-objects'

const NOW = Date.parse('2026-01-01T00:00:00Z')
const ADMIN = { name: 'admin', groups: ['system:masters'] }
const NAMESPACE = kubeObject({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: {
    name: 'shop',
    uid: '1',
    resourceVersion: '5',
    creationTimestamp: '2026-01-01T00:00:00Z',
  },
  spec: { finalizers: ['kubernetes'] },
  status: { phase: 'Active' },
})
const ROWS = [{ key: '/registry/namespaces/shop', object: NAMESPACE }]

const both = async (method: string, path: string, body?: unknown) => {
  const request = {
    method,
    path,
    user: ADMIN,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }
  return compared(...(await respondInBoth(['1.31', '1.37'], ROWS, request, NOW)))
}

describe('two releases', () => {
  it('send equal responses for what did not change, with equal random values', async () => {
    const read = await both('GET', '/api/v1/namespaces/shop')
    expect([read.left.status, read.headers, read.body]).toEqual([200, [], []])
    const created = await both('POST', '/api/v1/namespaces/shop/configmaps', {
      metadata: { generateName: 'a-' },
    })
    expect([created.left.status, created.body]).toEqual([201, []])
  })

  it('differ in the status where a version is new', async () => {
    const { left, right } = await both('GET', '/apis/resource.k8s.io/v1/deviceclasses')
    expect([left.status, right.status]).toEqual([404, 200])
  })

  it('differ in warnings', async () => {
    const { headers } = await both('GET', '/api/v1/namespaces/shop/endpoints')
    expect(headers.map(({ name }) => name)).toContain('warning')
    expect(headers.find(({ name }) => name === 'warning')?.left).toBeUndefined()
  })

  it('respect permissions of the user', async () => {
    const request = {
      method: 'GET',
      path: '/api/v1/namespaces/shop/pods',
      user: { name: 'eve', groups: [] },
    }
    const responses = await respondInBoth(['1.31', '1.37'], ROWS, request, NOW)
    expect(responses.map(({ status }) => status)).toEqual([403, 403])
  })
})

describe('pairs of lines', () => {
  const lines = (...names: string[]) => `${names.join('\n')}\n`

  it('are empty for equal texts', () => {
    expect(linePairs('a\n', 'a\n')).toEqual([])
  })

  it('put a changed line next to its successor, and leave out distant equal lines', () => {
    expect(
      linePairs(
        lines('1', '2', '3', '4', '5', '6', 'a', 'z'),
        lines('1', '2', '3', '4', '5', '6', 'b', 'c', 'z'),
      ),
    ).toEqual([
      { kind: 'gap', lines: 3 },
      { kind: 'same', text: '4' },
      { kind: 'same', text: '5' },
      { kind: 'same', text: '6' },
      { kind: 'changed', left: 'a', right: 'b' },
      { kind: 'changed', right: 'c' },
      { kind: 'same', text: 'z' },
    ])
  })

  it('show a removed line alone', () => {
    expect(linePairs(lines('a', 'b'), lines('b'))).toEqual([
      { kind: 'changed', left: 'a' },
      { kind: 'same', text: 'b' },
    ])
  })
})
