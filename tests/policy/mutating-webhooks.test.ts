import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/engine/core/object'
import { testServer } from '../admission/server'
import { CONFIG_MAPS, configure, create, hook, label, patch, webhooks } from './reviewing-webhooks'

describe('mutating webhooks', () => {
  it('run in the order of their configurations, each on the result of the previous', async () => {
    const seen: JsonObject[] = []
    const { outbound, calls } = webhooks({
      first: label('first', 'yes'),
      second: ({ request }) => {
        seen.push({ ...request.object.metadata.labels })
        return patch([{ op: 'add', path: '/data/added', value: 'by second' }])
      },
    })
    const server = testServer({ outbound })
    await configure(server, 'mutating', 'b', [hook('second')])
    await configure(server, 'mutating', 'a', [hook('first')])
    const { body } = await create(server, 'x', '', { a: '1' })
    expect(calls).toEqual(['first', 'second'])
    expect(seen).toEqual([{ first: 'yes' }])
    expect(body).toMatchObject({
      metadata: { labels: { first: 'yes' } },
      data: { a: '1', added: 'by second' },
    })
  })

  it.each([
    [{ operation: 'Edit' }, 'operation must be `Apply` or `Update`'],
    [{ fieldsType: 'FieldsV2' }, 'invalid fieldsType "FieldsV2" in managed fields entry 0'],
    [{ apiVersion: '' }, 'apiVersion must not be empty'],
    [{ fieldsType: '' }, 'missing fieldsType in managed fields entry 0'],
    [
      { fieldsV1: { data: {} } },
      'error decoding versioned set from {hand Update v1 <nil> FieldsV1 {"data":{}} }: ',
    ],
    [{ manager: '' }, undefined],
  ])('may write managedFields, unless they cannot be decoded: %j', async (change, why) => {
    const entry = {
      manager: 'hand',
      operation: 'Update',
      apiVersion: 'v1',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:data': {} },
      ...change,
    }
    const { outbound } = webhooks({
      owns: () => patch([{ op: 'replace', path: '/metadata/managedFields', value: [entry] }]),
    })
    const server = testServer({ outbound })
    await configure(server, 'mutating', 'a', [hook('owns')])
    const { body, warnings } = await create(server, 'x', '?fieldManager=sender', { a: '1' })
    expect(body.metadata.managedFields?.map(({ manager }) => manager)).toEqual([
      why === undefined ? undefined : 'sender',
    ])
    const warning =
      '.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating'
    if (why === undefined) expect(warnings).toBe('')
    else
      expect(warnings.replaceAll('\\"', '"')).toContain(
        `${warning} admission controller; please fix your requests: ${why}`,
      )
  })

  it('that repeat an owner are distinguished from requests that do', async () => {
    const owner = { apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'u' }
    const { outbound } = webhooks({
      owns: () => patch([{ op: 'add', path: '/metadata/ownerReferences', value: [owner, owner] }]),
    })
    const server = testServer({ outbound })
    await configure(server, 'mutating', 'a', [hook('owns')])
    const metadata = { name: 'x', ownerReferences: [owner, owner] }
    const { body, warnings } = await server.send('POST', '/api/v1/namespaces/default/configmaps', {
      metadata,
    })
    expect(body.metadata.ownerReferences).toEqual([owner])
    const texts = [...warnings.matchAll(/duplicate entries([^;]*);/g)].map(([, when]) => when)
    expect(texts).toEqual(['', ' after mutating admission happens'])
  })

  it('run again with reinvocationPolicy IfNeeded after a later change', async () => {
    const { outbound, calls } = webhooks({
      watches: () => ({ allowed: true }),
      once: () => ({ allowed: true }),
      changes: label('l', 'v'),
    })
    const server = testServer({ outbound })
    await configure(server, 'mutating', 'a', [
      hook('watches', { reinvocationPolicy: 'IfNeeded' }),
      hook('once'),
      hook('changes'),
    ])
    await create(server, 'x')
    expect(calls).toEqual(['watches', 'once', 'changes', 'watches'])
  })

  it('trigger a second run of the admission plugins after a change', async () => {
    const { outbound } = webhooks({
      sidecar: () =>
        patch([
          {
            op: 'add',
            path: '/spec/containers/-',
            value: { name: 'sidecar', image: 'i', ports: [{ containerPort: 80 }] },
          },
        ]),
    })
    const server = testServer({ outbound })
    const pods = [
      { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] },
    ]
    await configure(server, 'mutating', 'a', [hook('sidecar', { rules: pods })])
    await server.namespace('test')
    const { body } = await server.pod('test')
    expect(body.spec.containers?.[1]).toMatchObject({
      name: 'sidecar',
      imagePullPolicy: 'Always',
      ports: [{ containerPort: 80, protocol: 'TCP' }],
    })
  })

  it('mutate custom resources within their schemas', async () => {
    const { outbound } = webhooks({
      things: () => patch([{ op: 'add', path: '/spec', value: { size: 3, unknown: 'x' } }]),
      wrong: () => patch([{ op: 'add', path: '/spec', value: { size: 'three' } }]),
    })
    const server = testServer({ outbound })
    const spec = {
      type: 'object',
      properties: { size: { type: 'integer' }, color: { type: 'string', default: 'red' } },
    }
    await server.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      metadata: { name: 'things.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'things', kind: 'Thing' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
          },
        ],
      },
    })
    const rules = [
      {
        apiGroups: ['example.com'],
        apiVersions: ['v1'],
        operations: ['CREATE'],
        resources: ['things'],
      },
    ]
    await configure(server, 'mutating', 'a', [
      hook('things', { rules }),
      hook('wrong', { rules, objectSelector: { matchLabels: { wrong: 'yes' } } }),
    ])
    const thing = (name: string, labels: Record<string, string>) =>
      server.send('POST', '/apis/example.com/v1/namespaces/default/things', {
        apiVersion: 'example.com/v1',
        kind: 'Thing',
        metadata: { name, labels },
      })
    expect((await thing('x', {})).body.spec).toEqual({ size: 3, color: 'red' })
    const { status, body } = await thing('y', { wrong: 'yes' })
    expect(status).toBe(422)
    expect(body.message).toContain(
      'spec.size: Invalid value: "string": spec.size in body must be of type integer: "string"',
    )
  })

  it('cannot mutate the object of a DELETE request', async () => {
    const { outbound } = webhooks({ late: () => patch([{ op: 'add', path: '/data', value: {} }]) })
    const server = testServer({ outbound })
    await create(server, 'x')
    await configure(server, 'mutating', 'a', [
      hook('late', { rules: [{ ...CONFIG_MAPS[0], operations: ['DELETE'] }] }),
    ])
    const { status, body } = await server.send('DELETE', '/api/v1/namespaces/default/configmaps/x')
    expect(status).toBe(500)
    expect(body.message).toContain(
      'attempted to modify the object, which is not supported for this operation',
    )
  })
})
