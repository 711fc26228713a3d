/** Objects of custom kinds, and watches of them. */
import { beforeEach, describe, expect, test } from 'vitest'
import { SimulatedClock } from '../../src/engine/core/environment'
import { type SendRequest, testClient } from '../http/test-client'
import { DEFINITIONS, define, definition, settled, WIDGETS, widget } from './widgets'

let sendRequest: SendRequest
let clock: SimulatedClock
beforeEach(() => {
  clock = new SimulatedClock()
  sendRequest = testClient({ clock })
})

describe('custom resources', () => {
  test('are pruned, defaulted and counted by generation', async () => {
    await define(sendRequest, definition('widgets', 'Widget'))
    const created = await sendRequest(WIDGETS, {
      method: 'POST',
      body: widget('one', { spec: { other: true } }),
    })
    expect(created.json).toMatchObject({ spec: { size: 1 }, metadata: { generation: 1 } })
    expect(created.json.spec).not.toHaveProperty('other')
    const merge = { 'content-type': 'application/merge-patch+json' }
    const labelled = await sendRequest(`${WIDGETS}/one`, {
      method: 'PATCH',
      headers: merge,
      body: { metadata: { labels: { a: 'b' } } },
    })
    expect(labelled.json).toMatchObject({ metadata: { generation: 1 } })
    const grown = await sendRequest(`${WIDGETS}/one`, {
      method: 'PATCH',
      headers: merge,
      body: { spec: { size: 2 } },
    })
    expect(grown.json).toMatchObject({ metadata: { generation: 2 } })
  })

  test('are served in every version, pruned to its schema', async () => {
    const schema = (names: string[]) => ({
      openAPIV3Schema: {
        type: 'object',
        properties: {
          spec: {
            type: 'object',
            properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
          },
        },
      },
    })
    await define(
      sendRequest,
      definition('widgets', 'Widget', {
        versions: [
          { name: 'v1', served: true, storage: true, schema: schema(['both', 'fresh']) },
          {
            name: 'v1beta1',
            served: true,
            storage: false,
            deprecated: true,
            schema: schema(['both', 'old']),
          },
        ],
      }),
    )
    const beta = '/apis/example.com/v1beta1/namespaces/default/widgets'
    await sendRequest(WIDGETS, {
      method: 'POST',
      body: widget('new', { spec: { both: 'x', fresh: 'y' } }),
    })
    const seen = await sendRequest(`${beta}/new`)
    expect(seen.json).toMatchObject({ apiVersion: 'example.com/v1beta1', spec: { both: 'x' } })
    expect(seen.json.spec).not.toHaveProperty('fresh')
    expect(seen.headers.get('warning')).toBe(
      '299 - "example.com/v1beta1 Widget is deprecated; use example.com/v1 Widget"',
    )
    const old = {
      ...widget('old', { spec: { both: 'x', old: 'z' } }),
      apiVersion: 'example.com/v1beta1',
    }
    expect((await sendRequest(beta, { method: 'POST', body: old })).json).toMatchObject({
      apiVersion: 'example.com/v1beta1',
      spec: { both: 'x' },
    })
  })

  test('have the defaults of the storage version in every version', async () => {
    const version = (name: string, own: string) => {
      const member = { type: 'string', default: name }
      const properties = {
        [own]: member,
        v1: { type: 'string' },
        v2: { type: 'string' },
        [name]: member,
      }
      const schema = {
        openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } },
      }
      return { name, served: true, storage: name === 'v2', schema, subresources: { status: {} } }
    }
    await define(
      sendRequest,
      definition('widgets', 'Widget', {
        versions: [version('v1', 'first'), version('v2', 'second')],
      }),
    )
    const { json } = await sendRequest(WIDGETS, {
      method: 'POST',
      body: widget('one', { spec: {} }),
    })
    expect(json.spec).toEqual({ v1: 'v1', v2: 'v2' })
    expect((await sendRequest(WIDGETS.replace('/v1/', '/v2/'))).json.items).toMatchObject([
      { spec: { v1: 'v1', v2: 'v2', second: 'v2' } },
    ])
  })

  test('preserve unknown fields in list items, but not in objects with properties', async () => {
    const named = { type: 'object', properties: { z: { type: 'integer' } } }
    const keeps = { 'x-kubernetes-preserve-unknown-fields': true }
    const list = (items: object, more: object = { type: 'array' }) => ({ ...keeps, ...more, items })
    const properties = {
      typed: list({ type: 'object', properties: { named } }),
      untyped: list({ type: 'object', properties: { named } }, {}),
      nested: list({ type: 'array', items: { type: 'object', properties: { named } } }),
      mapped: list({ type: 'object', additionalProperties: named }),
    }
    const spec = { type: 'object', properties }
    await define(
      sendRequest,
      definition(
        'widgets',
        'Widget',
        {},
        { schema: { openAPIV3Schema: { type: 'object', properties: { spec } } } },
      ),
    )
    const item = { named: { z: 1, y: 2 }, other: { r: 1 } }
    const body = widget('one', {
      spec: { typed: [item], untyped: [item], nested: [[item]], mapped: [item] },
    })
    const { json } = await sendRequest(WIDGETS, { method: 'POST', body })
    const pruned = { named: { z: 1 }, other: { r: 1 } }
    expect(json.spec).toEqual({
      typed: [pruned],
      untyped: [pruned],
      nested: [[pruned]],
      mapped: [{ named: { z: 1 }, other: {} }],
    })
  })

  test('show the readable part of embedded objects that were stored as something else', async () => {
    const schemaOf = (more: object) => {
      const part = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, ...more }
      return { schema: { openAPIV3Schema: { type: 'object', properties: { part } } } }
    }
    await define(sendRequest, definition('widgets', 'Widget', {}, schemaOf({})))
    const metadata = {
      name: 'inner',
      labels: { a: 'b' },
      annotations: { a: 1 },
      color: 'red',
      creationTimestamp: null,
    }
    const parts = [
      { kind: 'Part', apiVersion: 'v1', metadata, size: 1 },
      { kind: 2, apiVersion: 'v1', metadata: 'none' },
    ]
    for (const [index, part] of parts.entries())
      expect(
        (await sendRequest(WIDGETS, { method: 'POST', body: widget(`w${index}`, { part }) }))
          .status,
      ).toBe(201)
    const headers = { 'content-type': 'application/json-patch+json' }
    const { schema } = schemaOf({ 'x-kubernetes-embedded-resource': true })
    const body = [{ op: 'replace', path: '/spec/versions/0/schema', value: schema }]
    expect(
      (await sendRequest(`${DEFINITIONS}/widgets.example.com`, { method: 'PATCH', headers, body }))
        .status,
    ).toBe(200)
    await settled()
    const shown = {
      kind: 'Part',
      apiVersion: 'v1',
      metadata: { name: 'inner', labels: { a: 'b' } },
      size: 1,
    }
    const { json } = await sendRequest(WIDGETS)
    expect((json.items as { part: unknown }[]).map(({ part }) => part)).toEqual([
      shown,
      { apiVersion: 'v1', metadata: 'none' },
    ])
    const merge = { 'content-type': 'application/merge-patch+json' }
    const labelled = await sendRequest(`${WIDGETS}/w0`, {
      method: 'PATCH',
      headers: merge,
      body: { metadata: { labels: { c: 'd' } } },
    })
    expect([labelled.status, labelled.json.part]).toEqual([200, shown])
  })

  test('do not recommend an older version in a deprecation warning', async () => {
    const version = (name: string, more: Record<string, unknown> = {}) => {
      return {
        name,
        served: true,
        storage: name === 'v1',
        schema: { openAPIV3Schema: { type: 'object' } },
        ...more,
      }
    }
    const versions = [
      version('v1'),
      version('v1beta1', { deprecated: true }),
      version('v2', { deprecated: true }),
    ]
    await define(sendRequest, definition('widgets', 'Widget', { versions }))
    const warning = async (name: string) =>
      (await sendRequest(`/apis/example.com/${name}/widgets`)).headers.get('warning')
    expect(await warning('v1beta1')).toBe(
      '299 - "example.com/v1beta1 Widget is deprecated; use example.com/v1 Widget"',
    )
    expect(await warning('v2')).toBe('299 - "example.com/v2 Widget is deprecated"')
  })

  test('cause a warning when a finalizer without a domain is added', async () => {
    await define(sendRequest, definition('widgets', 'Widget'))
    const warned = (name: string) =>
      `299 - "metadata.finalizers: \\"${name}\\": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers"`
    const held = {
      ...widget('one'),
      metadata: { name: 'one', finalizers: ['plain', 'example.com/mine', 'orphan'] },
    }
    expect(
      (await sendRequest(WIDGETS, { method: 'POST', body: held })).headers.get('warning'),
    ).toBe(warned('plain'))
    const headers = { 'content-type': 'application/merge-patch+json' }
    const change = (finalizers: string[]) =>
      sendRequest(`${WIDGETS}/one`, {
        method: 'PATCH',
        headers,
        body: { metadata: { finalizers } },
      })
    expect((await change(['plain', 'widgets.example.com'])).headers.get('warning')).toBe(
      warned('widgets.example.com'),
    )
    expect((await change(['plain'])).headers.get('warning')).toBeNull()
  })

  test('may be applied with any value where the schema has no type, or int-or-string', async () => {
    const day = { type: 'string', format: 'date' }
    const spec = {
      type: 'object',
      properties: { open: { type: 'object' }, either: { 'x-kubernetes-int-or-string': true }, day },
    }
    await define(
      sendRequest,
      definition(
        'widgets',
        'Widget',
        {},
        { schema: { openAPIV3Schema: { type: 'object', properties: { spec } } } },
      ),
    )
    const apply = (body: object) =>
      sendRequest(`${WIDGETS}/one?fieldManager=me`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/apply-patch+yaml' },
        body,
      })
    expect((await apply(widget('one', { spec: { open: { a: 1 } } }))).json).toMatchObject({
      spec: { open: {} },
    })
    const text = (value: unknown) =>
      apply(widget('one', { spec: { day: value } })).then(({ json }) => json.message)
    expect(await text({ a: 1 })).toMatch(/\.spec\.day: expected any scalar, got &\{map\[a:1\]\}$/)
    expect(await text(true)).toMatch(/spec\.day in body must be of type date: ""$/)
    const { json } = await apply(widget('one', { spec: { either: [] } }))
    expect(json).toMatchObject({
      code: 422,
      message: expect.stringContaining(
        'spec.either in body must be of type integer,string: "array"',
      ),
    })
  })

  test('are checked by rules only if nothing else is wrong, not even the name', async () => {
    const rules = [{ rule: 'has(self.spec)', message: 'spec is required' }]
    await define(
      sendRequest,
      definition(
        'widgets',
        'Widget',
        {},
        {
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: { spec: { type: 'object' } },
              'x-kubernetes-validations': rules,
            },
          },
        },
      ),
    )
    const reported = async (metadata: object) =>
      (
        (
          await sendRequest(WIDGETS, {
            method: 'POST',
            body: { ...widget('one'), spec: undefined, metadata },
          })
        ).json.message as string
      ).replace(/^.*? is invalid: /, '')
    expect(await reported({ name: 'One' })).toMatch(
      /^\[metadata\.name: Invalid value.*<nil>: Invalid value: "object": spec is required\]$/,
    )
    expect(await reported({})).toMatch(
      /^\[metadata\.name: Required value: .*, <nil>: Invalid value: "null": some validation rules were not checked/,
    )
    const annotations = { long: 'x'.repeat(300_000) }
    expect(await reported({ name: 'one', annotations })).toMatch(
      /^\[metadata\.annotations: Too long: .*some validation rules were not checked/,
    )
  })
})
