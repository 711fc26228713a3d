import { describe, expect, it } from 'vitest'
import type { KubeObject } from '../../src/engine/core/object'
import { builtinModel } from '../../src/engine/schema/builtin'
import { canonicalize, escapeHtml } from '../../src/engine/schema/canonical'
import type { StructType } from '../../src/engine/schema/model'

const deployment = builtinModel().byKind('apps', 'v1', 'Deployment') as StructType
const role = builtinModel().byKind('rbac.authorization.k8s.io', 'v1', 'Role') as StructType
const object = (members: object) => members as KubeObject
const text = (type: StructType, members: object) =>
  JSON.stringify(canonicalize(type, object(members)))

describe('the canonical form', () => {
  it('has fields in the order of the type and sorted map keys', () => {
    expect(
      text(role, {
        rules: [{ verbs: ['get'], apiGroups: [''] }],
        metadata: { labels: { b: '', a: '' }, name: 'x', creationTimestamp: null },
        kind: 'Role',
      }),
    ).toBe(
      '{"kind":"Role","metadata":{"name":"x","creationTimestamp":null,"labels":{"a":"","b":""}},"rules":[{"verbs":["get"],"apiGroups":[""]}]}',
    )
  })

  it('omits empty, undefined and unknown fields, and writes required ones', () => {
    expect(
      text(role, {
        metadata: {
          name: '',
          labels: {},
          finalizers: [],
          generation: 0,
          deletionGracePeriodSeconds: 0,
        },
        foo: 1,
        kind: undefined,
      }),
    ).toBe('{"metadata":{"creationTimestamp":null,"deletionGracePeriodSeconds":0},"rules":null}')
    expect(text(role, { rules: [] })).toBe('{"metadata":{"creationTimestamp":null},"rules":[]}')
  })

  it('has null for empty lists when stored, which equal absent ones there', () => {
    const members = { metadata: { creationTimestamp: null }, rules: [] }
    expect(JSON.stringify(canonicalize(role, object(members), 'stored'))).toBe(
      '{"metadata":{"creationTimestamp":null},"rules":null}',
    )
  })

  it('does not change the argument, and shares its canonical parts', () => {
    const spec = {
      replicas: 1,
      selector: {},
      template: { metadata: { creationTimestamp: null }, spec: { containers: null } },
      strategy: {},
    }
    const draft = Object.freeze({
      status: Object.freeze({}),
      spec: Object.freeze(spec),
      metadata: Object.freeze({ creationTimestamp: null }),
    })
    const canonical = canonicalize(deployment, object(draft))
    expect(Object.keys(canonical)).toEqual(['metadata', 'spec', 'status'])
    expect(canonical.spec).toBe(spec)
    expect(canonicalize(deployment, canonical)).toBe(canonical)
  })

  it('keeps map keys of any name', () => {
    const map = JSON.parse('{"z":"1","__proto__":"2","constructor":"3"}')
    expect(text(role, { metadata: { creationTimestamp: null, annotations: map } })).toBe(
      '{"metadata":{"creationTimestamp":null,"annotations":{"__proto__":"2","constructor":"3","z":"1"}},"rules":null}',
    )
  })
})

describe('escaping for HTML', () => {
  it('escapes characters that HTML or JavaScript could misread', () => {
    expect(escapeHtml('{"a":"<b> & \u2028\u2029"}')).toBe(
      '{"a":"\\u003cb\\u003e \\u0026 \\u2028\\u2029"}',
    )
  })

  it('returns the same string if there is nothing to escape', () => {
    expect(escapeHtml('{"a":"é"}')).toBe('{"a":"é"}')
  })
})
