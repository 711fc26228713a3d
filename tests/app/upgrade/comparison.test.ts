/** One request in two releases: what differs, in pairs of lines. */

import { describe, expect, it } from 'vitest'
import { compared } from '../../../src/app/features/releases/compared'
import { gatesIn } from '../../../src/app/features/releases/gates'
import { linePairs } from '../../../src/app/features/releases/line-pairs'
import type { Release } from '../../../src/engine/releases'
import { type CopiedSide, respondInBoth } from '../../../src/hosts/shared/release-copy'
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

const side = (release: Release, more: Partial<CopiedSide> = {}): CopiedSide => ({
  release,
  rows: ROWS,
  user: ADMIN,
  ...more,
})

const both = async (method: string, path: string, body?: unknown) => {
  const request = {
    method,
    path,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }
  return compared(...(await respondInBoth([side('1.31'), side('1.37')], request, NOW)))
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
    const request = { method: 'GET', path: '/api/v1/namespaces/shop/pods' }
    const eve = { user: { name: 'eve', groups: [] } }
    const responses = await respondInBoth([side('1.31', eve), side('1.37', eve)], request, NOW)
    expect(responses.map(({ status }) => status)).toEqual([403, 403])
  })
})

describe('two sides of one release', () => {
  const create = {
    method: 'POST',
    path: '/api/v1/namespaces/shop/configmaps?fieldManager=me',
    body: JSON.stringify({ metadata: { name: 'a' }, data: { x: '1' } }),
  }

  it('differ in nothing if they are equal', async () => {
    const { headers, body, aspects } = compared(
      ...(await respondInBoth([side('1.37'), side('1.37')], create, NOW)),
    )
    expect([headers, body]).toEqual([[], []])
    expect(aspects).toEqual({ objects: [], managedFields: [], events: [], decisions: [] })
  })

  it('differ in what a user may do: response, stored object, events and decision', async () => {
    const eve = side('1.37', { user: { name: 'eve', groups: [] } })
    const { left, right, aspects } = compared(
      ...(await respondInBoth([side('1.37'), eve], create, NOW)),
    )
    expect([left.status, right.status]).toEqual([201, 403])
    expect(aspects.events).toEqual([{ kind: 'changed', left: 'ADDED ConfigMap shop/a' }])
    expect(aspects.objects).toContainEqual({ kind: 'changed', left: '  name: a' })
    expect(aspects.managedFields).toContainEqual({ kind: 'changed', left: 'manager: me' })
    expect(aspects.decisions).toContainEqual({
      kind: 'changed',
      left: '  decision: allow',
      right: '  decision: forbid',
    })
  })

  it('differ in their objects', async () => {
    const { left, right } = compared(
      ...(await respondInBoth(
        [side('1.37'), side('1.37', { rows: [] })],
        { method: 'GET', path: '/api/v1/namespaces/shop' },
        NOW,
      )),
    )
    expect([left.status, right.status]).toEqual([200, 404])
  })

  it('differ in feature gates, which must exist', async () => {
    const autoscaler = {
      metadata: { name: 'web' },
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
        minReplicas: 0,
        maxReplicas: 2,
        metrics: [
          {
            type: 'Object',
            object: {
              describedObject: { kind: 'Service', name: 'web' },
              metric: { name: 'requests' },
              target: { type: 'Value', value: '1' },
            },
          },
        ],
      },
    }
    const gated = (name: string) =>
      respondInBoth(
        [true, false].map((value) => side('1.37', { featureGates: { [name]: value } })) as [
          CopiedSide,
          CopiedSide,
        ],
        {
          method: 'POST',
          path: '/apis/autoscaling/v2/namespaces/shop/horizontalpodautoscalers',
          body: JSON.stringify(autoscaler),
        },
        NOW,
      )
    await expect(gated('NoSuchGate')).rejects.toThrow('NoSuchGate')
    expect((await gated('HPAScaleToZero')).map(({ status }) => status)).toEqual([201, 422])
  })
})

describe('feature gates as text', () => {
  it('are names with true or false', () => {
    expect(gatesIn('A=true, B=false,C')).toEqual({ A: true, B: false, C: true })
    expect(() => gatesIn('A=yes')).toThrow('A=yes: expected true or false')
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
