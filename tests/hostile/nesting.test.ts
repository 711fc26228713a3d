/** Deep nesting is rejected before any recursion overflows the stack (docs/limits.md). */
import { describe, expect, it } from 'vitest'
import { PROTOBUF_MAGIC } from '../../src/engine/core/names'
import { decodeProtobuf } from '../../src/engine/encoding/protobuf/codec'
import { MOST_NESTED, nestsDeeper } from '../../src/engine/schema/nesting'
import { readYaml } from '../../src/engine/schema/yaml/reader'
import { sendRequest, type TestResponse, testServer } from '../support/server'

const nested = (levels: number, middle = '1') =>
  '{"a":'.repeat(levels) + middle + '}'.repeat(levels)

const DEFINITION = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Cluster',
    names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        },
      },
    ],
  },
}
const THINGS = '/apis/example.com/v1/things'
const thing = (spec: string) =>
  `{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"a"},"spec":${spec}}`

async function serverOfThings() {
  const server = testServer()
  await sendRequest(server, {
    method: 'POST',
    path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    body: DEFINITION,
  })
  for (
    let tries = 0;
    tries < 100 && (await sendRequest(server, { path: THINGS })).status !== 200;
    tries++
  );
  return server
}

const rejected = ({ status, json }: TestResponse) => [
  status,
  json.kind,
  String(json.message).includes('exceeded max depth') || json.reason,
]

describe('an object of a custom kind', () => {
  it.each([MOST_NESTED, 3000, 9000])(
    'is not created where it nests %i levels and more',
    async (levels) => {
      const server = await serverOfThings()
      const deep = thing(nested(levels))
      expect(
        rejected(await sendRequest(server, { method: 'POST', path: THINGS, body: deep })),
      ).toEqual([400, 'Status', true])
      const asYaml = { 'content-type': 'application/yaml' }
      expect(
        rejected(
          await sendRequest(server, { method: 'POST', path: THINGS, body: deep, headers: asYaml }),
        ),
      ).toEqual([400, 'Status', true])
      const asApply = { 'content-type': 'application/apply-patch+yaml' }
      const applied = await sendRequest(server, {
        method: 'PATCH',
        path: `${THINGS}/a?fieldManager=me`,
        body: deep,
        headers: asApply,
      })
      expect(rejected(applied)).toEqual([400, 'Status', true])
      expect((await sendRequest(server, { path: `${THINGS}/a` })).status).toBe(404)
    },
  )

  it('is created, applied, patched, listed and deleted where it nests a little less', async () => {
    const server = await serverOfThings()
    const spec = nested(MOST_NESTED - 10)
    expect(
      (await sendRequest(server, { method: 'POST', path: THINGS, body: thing(spec) })).status,
    ).toBe(201)
    const merge = { 'content-type': 'application/merge-patch+json' }
    const other = `{"spec":${nested(MOST_NESTED - 10, '2')}}`
    expect(
      (
        await sendRequest(server, {
          method: 'PATCH',
          path: `${THINGS}/a`,
          body: other,
          headers: merge,
        })
      ).status,
    ).toBe(200)
    const apply = { 'content-type': 'application/apply-patch+yaml' }
    const applied = await sendRequest(server, {
      method: 'PATCH',
      path: `${THINGS}/a?fieldManager=me&force=true`,
      body: thing(spec),
      headers: apply,
    })
    expect(applied.status).toBe(200)
    expect((await sendRequest(server, { path: THINGS })).json.items).toHaveLength(1)
    expect((await sendRequest(server, { method: 'DELETE', path: `${THINGS}/a` })).status).toBe(200)
  })

  it('does not grow deeper patch by patch', async () => {
    const server = await serverOfThings()
    await sendRequest(server, { method: 'POST', path: THINGS, body: thing(nested(300)) })
    const headers = { 'content-type': 'application/json-patch+json' }
    const end = `/spec${'/a'.repeat(300)}`
    for (const patch of [
      [{ op: 'add', path: end, value: JSON.parse(nested(300)) }],
      [{ op: 'replace', path: end, value: JSON.parse(nested(300)) }],
      [{ op: 'copy', from: '/spec', path: end }],
      [
        { op: 'copy', from: '/spec', path: '/other' },
        { op: 'move', from: '/other', path: end },
      ],
    ]) {
      const response = await sendRequest(server, {
        method: 'PATCH',
        path: `${THINGS}/a`,
        body: JSON.stringify(patch),
        headers,
      })
      expect([response.status, response.json.reason]).toEqual([422, 'Invalid'])
    }
    expect(nestsDeeper((await sendRequest(server, { path: `${THINGS}/a` })).json, 310)).toBe(false)
  })
})

describe('an object of a built-in kind', () => {
  it('may have unknown fields as deep as the real server reads them (recorded: wire-bodies, "deep-nesting")', async () => {
    const body = `{"metadata":{"name":"a"},"x":${nested(9000)}}`
    expect(
      (
        await sendRequest(testServer(), {
          method: 'POST',
          path: '/api/v1/namespaces/default/configmaps',
          body,
        })
      ).status,
    ).toBe(201)
  })

  it('keeps nothing so deep, neither arbitrary JSON nor schemas', async () => {
    const server = testServer()
    const revision = `{"metadata":{"name":"a"},"revision":1,"data":${nested(3000)}}`
    const created = await sendRequest(server, {
      method: 'POST',
      path: '/apis/apps/v1/namespaces/default/controllerrevisions',
      body: revision,
    })
    expect(rejected(created)).toEqual([400, 'Status', true])
    const schema = `${'{"type":"object","properties":{"a":'.repeat(3000)}{}${'}}'.repeat(3000)}`
    const definition = JSON.stringify(DEFINITION).replace(
      /"openAPIV3Schema":\{[^}]*\}/,
      `"openAPIV3Schema":${schema}`,
    )
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
    expect(rejected(await sendRequest(server, { method: 'POST', path, body: definition }))).toEqual(
      [400, 'Status', true],
    )
  })
})

describe('a YAML document', () => {
  it.each(['- ', '? ', '[', '{a: ', '[{b: '])(
    'is not read where %j opens thousands of levels',
    (sign) => {
      expect(() => readYaml(sign.repeat(3000))).toThrow(`exceeded max depth of ${MOST_NESTED}`)
      expect(() => readYaml(sign.repeat(11_000))).toThrow('exceeded max depth of 10000')
    },
  )

  it('is left where it is too deep, however much of it follows', () => {
    expect(() => readYaml(`a: ${'['.repeat(3_000_000)}`)).toThrow('exceeded max depth of 10000')
    expect(() => readYaml(`{"a": ${'['.repeat(1_500_000)}${']'.repeat(1_500_000)}}`)).toThrow(
      'exceeded max depth of 10000',
    )
  })

  it('counts what aliases bring: a chain of anchors is as deep as all of them together', () => {
    const link = (of: number) => `a${of + 1}: &a${of + 1} ${'['.repeat(60)}*a${of}${']'.repeat(60)}`
    const chain = ['a0: &a0 1', ...Array.from({ length: 30 }, (_, of) => link(of))].join('\n')
    expect(() => readYaml(chain)).toThrow(`exceeded max depth of ${MOST_NESTED}`)
  })
})

describe('a Protobuf message', () => {
  const varint = (value: number): number[] =>
    value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >> 7)]
  const delimited = (number: number, content: Uint8Array) =>
    Buffer.concat([
      Uint8Array.from([...varint(number * 8 + 2), ...varint(content.length)]),
      content,
    ])

  it('is not read where messages lie inside one another by the thousand', () => {
    let schema: Uint8Array = new Uint8Array()
    // Field 24 of JSONSchemaProps is `items`, whose field 1 is a schema again.
    for (let i = 0; i < 3000; i++) schema = delimited(24, delimited(1, schema))
    const names = Buffer.concat([
      delimited(1, Buffer.from('apiextensions.k8s.io/v1')),
      delimited(2, Buffer.from('CustomResourceDefinition')),
    ])
    const version = delimited(4, delimited(1, schema))
    const body = Buffer.concat([
      Uint8Array.from(PROTOBUF_MAGIC),
      delimited(1, names),
      delimited(2, delimited(2, delimited(7, version))),
    ])
    expect(() => decodeProtobuf(body)).toThrow(`proto: exceeded max depth of ${MOST_NESTED}`)
  })
})
