/**
 * Strategic merge patch: lists by merge key, and directives
 * (k8s.io/apimachinery/pkg/util/strategicpatch).
 */
import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../src/engine/core/object'
import { applyStrategicMergePatch } from '../../src/engine/patch/strategic-merge-patch'
import { builtinModel } from '../../src/engine/schema/builtin'
import type { StructType } from '../../src/engine/schema/model'

const POD = builtinModel().byKind('', 'v1', 'Pod') as StructType
const patched = (target: JsonObject, patch: JsonObject): JsonObject =>
  applyStrategicMergePatch(target, patch, POD)
const specAfter = (spec: JsonObject, patch: JsonObject): unknown =>
  patched({ spec }, { spec: patch }).spec

const a = { name: 'a', image: 'a:1' }
const b = { name: 'b', image: 'b:1' }
const c = { name: 'c', image: 'c:1' }

describe('without directives', () => {
  it.each<[string, JsonObject, JsonObject, JsonObject]>([
    [
      'members are merged, and null removes one',
      { nodeName: 'n', hostname: 'h' },
      { hostname: null, subdomain: 's' },
      { nodeName: 'n', subdomain: 's' },
    ],
    [
      'items are merged by their key',
      { containers: [a, b] },
      { containers: [{ name: 'b', image: 'b:2' }] },
      { containers: [a, { name: 'b', image: 'b:2' }] },
    ],
    [
      'an item that is new comes first',
      { containers: [a] },
      { containers: [b] },
      { containers: [b, a] },
    ],
    [
      'a list without a merge key is replaced',
      { tolerations: [{ key: 'x' }] },
      { tolerations: [{ key: 'y' }] },
      { tolerations: [{ key: 'y' }] },
    ],
    [
      'nulls in what is new are left out',
      {},
      { securityContext: { runAsUser: null, fsGroup: 1 } },
      { securityContext: { fsGroup: 1 } },
    ],
  ])('%s', (_what, spec, patch, result) => {
    expect(specAfter(spec, patch)).toEqual(result)
  })

  it('mergeable lists of scalars are united', () => {
    const target = { metadata: { finalizers: ['a', 'b'] } }
    expect(patched(target, { metadata: { finalizers: ['b', 'c'] } })).toEqual({
      metadata: { finalizers: ['a', 'b', 'c'] },
    })
  })

  it('kind and apiVersion stay', () => {
    expect(patched({ apiVersion: 'v1', kind: 'Pod' }, { apiVersion: 'v2', kind: 'Cod' })).toEqual({
      apiVersion: 'v1',
      kind: 'Pod',
    })
    expect(patched({ apiVersion: 'v1', kind: 'Pod' }, { apiVersion: null, kind: 3 })).toEqual({
      apiVersion: 'v1',
      kind: 3,
    })
  })

  it.each<[string, JsonObject[], JsonObject[]]>([
    ['of the patch', [a], [{ image: 'x' }]],
    ['of the list that is patched', [{ image: 'x' }], []],
    ['next to an item that replaces', [a], [{ $patch: 'replace' }, { image: 'x' }]],
  ])('an item must have its key: one %s', (_where, live, containers) => {
    expect(() => specAfter({ containers: live }, { containers })).toThrow(
      'map: map[image:x] does not contain declared merge key: name',
    )
  })
})

describe('$patch', () => {
  it.each<[string, JsonObject, JsonObject, JsonObject]>([
    [
      'delete takes an item out',
      { containers: [a, b] },
      { containers: [{ $patch: 'delete', name: 'a' }] },
      { containers: [b] },
    ],
    [
      'replace makes the other items the whole list',
      { containers: [a, b] },
      { containers: [{ $patch: 'replace' }, c] },
      { containers: [c] },
    ],
    [
      'replace makes the patch the whole object',
      { securityContext: { runAsUser: 1 } },
      { securityContext: { $patch: 'replace', fsGroup: 2 } },
      { securityContext: { fsGroup: 2 } },
    ],
    [
      'delete empties an object',
      { securityContext: { runAsUser: 1 } },
      { securityContext: { $patch: 'delete' } },
      { securityContext: {} },
    ],
    [
      'replace of an object that is not there does nothing',
      {},
      { securityContext: { $patch: 'replace', fsGroup: 2 } },
      {},
    ],
    [
      'delete of an object that is not there does nothing',
      {},
      { securityContext: { $patch: 'delete' } },
      {},
    ],
    [
      'null does nothing to a missing object',
      {},
      { securityContext: { $patch: null, fsGroup: 2 } },
      { securityContext: { fsGroup: 2 } },
    ],
    [
      'an unknown word to an object that is not there does nothing',
      {},
      { securityContext: { $patch: 'merge', fsGroup: 2 } },
      {},
    ],
    [
      'replace in a list that is not there is no item of it',
      {},
      { tolerations: [{ $patch: 'replace' }, { key: 'x' }] },
      { tolerations: [{ key: 'x' }] },
    ],
  ])('%s', (_what, spec, patch, result) => {
    expect(specAfter(spec, patch)).toEqual(result)
  })

  it('replace of the whole leaves kind and apiVersion', () => {
    const target = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p' },
      spec: { containers: [a] },
    }
    expect(patched(target, { $patch: 'replace', metadata: { name: 'p' } })).toEqual({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p' },
    })
  })

  it('rejects other directives', () => {
    expect(() =>
      specAfter({ securityContext: {} }, { securityContext: { $patch: 'rename' } }),
    ).toThrow('unknown patch type: rename in map:')
  })
})

describe('$retainKeys', () => {
  it('keeps only the listed members', () => {
    const volumes = [{ name: 'v', hostPath: { path: '/x' } }]
    const patch = { volumes: [{ $retainKeys: ['name', 'emptyDir'], name: 'v', emptyDir: {} }] }
    expect(specAfter({ volumes }, patch)).toEqual({ volumes: [{ name: 'v', emptyDir: {} }] })
  })

  it('must list the members that the patch sets', () => {
    const patch = { securityContext: { $retainKeys: ['fsGroup'], runAsUser: 1 } }
    expect(() => specAfter({ securityContext: {} }, patch)).toThrow(
      'invalid patch format of retainKeys',
    )
  })

  it('must list kind and apiVersion too, where the patch names them', () => {
    const target = { apiVersion: 'v1', kind: 'Pod', spec: { hostname: 'h' } }
    expect(() => patched(target, { kind: 'Pod', $retainKeys: ['spec'], spec: {} })).toThrow(
      'invalid patch format of retainKeys',
    )
    expect(patched(target, { kind: 'Pod', $retainKeys: ['kind'] })).toEqual({
      apiVersion: 'v1',
      kind: 'Pod',
    })
  })
})

describe('unknown fields', () => {
  it.each<[string, JsonObject, JsonObject, string]>([
    [
      'an order in a map',
      { metadata: { labels: { a: 'b' } } },
      { metadata: { labels: { '$setElementOrder/c': ['b'] } } },
      'merging an object in json but data type is not struct, instead is: map',
    ],
    [
      'an order of nothing',
      {},
      { '$setElementOrder/specs': ['b'] },
      'unable to find api field in struct Pod for the json field "specs"',
    ],
    [
      'a member that is an object',
      { odd: { a: 1 } },
      { odd: { b: 1 } },
      'unable to find api field in struct Pod for the json field "odd"',
    ],
  ])('%s is rejected', (_what, target, patch, message) => {
    expect(() => patched(target, patch)).toThrow(message)
  })

  it('are kept if there is nothing to merge', () => {
    expect(patched({ odd: 1 }, { odd: { b: 1 } })).toEqual({ odd: { b: 1 } })
  })
})

describe('$deleteFromPrimitiveList', () => {
  it('removes scalars that exist', () => {
    const target = { metadata: { finalizers: ['a', 'b'] } }
    const patch = { metadata: { '$deleteFromPrimitiveList/finalizers': ['a', 'x'] } }
    expect(patched(target, patch)).toEqual({ metadata: { finalizers: ['b'] } })
    expect(patched({ metadata: {} }, patch)).toEqual({ metadata: {} })
  })

  it('merges objects, which require a key', () => {
    const other = { name: 'a', image: 'a:2' }
    expect(
      specAfter({ containers: [a] }, { '$deleteFromPrimitiveList/containers': [other] }),
    ).toEqual({ containers: [other] })
    const keyless = { '$deleteFromPrimitiveList/tolerations': [] }
    expect(() => specAfter({ tolerations: [{ key: 'x' }] }, keyless)).toThrow(
      'cannot merge lists without merge key for struct',
    )
  })

  it('sets or merges a member that is not a list if its type matches', () => {
    const live = { ...a, imagePullPolicy: 'Always' }
    const patch = {
      name: 'a',
      '$deleteFromPrimitiveList/image': 'a:2',
      '$deleteFromPrimitiveList/imagePullPolicy': 3,
    }
    expect(specAfter({ containers: [live] }, { containers: [patch] })).toEqual({
      containers: [{ ...live, image: 'a:2' }],
    })
    const added = { '$deleteFromPrimitiveList/nodeSelector': { y: '2' } }
    expect(specAfter({ nodeSelector: { x: '1' } }, added)).toEqual({
      nodeSelector: { x: '1', y: '2' },
    })
  })

  it.each<[string, JsonObject]>([
    ['to take items out', { '$deleteFromPrimitiveList/hostname': ['x'] }],
    ['to merge', { hostname: ['x'] }],
    ['to arrange', { '$setElementOrder/hostname': [] }],
  ])('and others demand that the type has a list where there is one: %s', (_what, patch) => {
    expect(() => specAfter({ hostname: ['x'] }, patch)).toThrow(
      /^expected slice or array type, but got: struct$/,
    )
  })
})

/**
 * Recorded: `reports-d04/replaced-item-among-others`,
 * `reports-d04/replaced-item-of-env-and-containers`.
 */
describe('a patch that deletes one item and adds another', () => {
  const named = (...names: string[]) => names.map((name) => ({ name, image: `${name}:1` }))
  const gone = (name: string) => ({ name, $patch: 'delete' })
  const orderAfter = (live: string, patch: JsonObject) =>
    (
      specAfter({ containers: named(...live) }, patch) as { containers: { name: string }[] }
    ).containers
      .map(({ name }) => name)
      .join('')

  it.each([
    ['abd', 'a', 'bdc'],
    ['abd', 'b', 'adc'],
    ['abd', 'd', 'abc'],
  ])('of %s without %s, with an order for c alone: %s', (live, deleted, expected) => {
    const order = { '$setElementOrder/containers': [{ name: 'c' }] }
    expect(orderAfter(live, { ...order, containers: [...named('c'), gone(deleted)] })).toBe(
      expected,
    )
    expect(orderAfter(live, { ...order, containers: [gone(deleted), ...named('c')] })).toBe(
      expected,
    )
  })

  it('puts the new item first without an order', () => {
    expect(orderAfter('abd', { containers: [...named('c'), gone('a')] })).toBe('cbd')
  })

  it('puts the new item first if it has the key of the deleted one', () => {
    expect(orderAfter('abd', { containers: [gone('b'), ...named('b')] })).toBe('bad')
  })

  it('groups items by key if the list is replaced', () => {
    expect(orderAfter('x', { containers: [...named('a', 'b', 'a'), { $patch: 'replace' }] })).toBe(
      'aab',
    )
  })
})

describe('$setElementOrder', () => {
  const order = (...names: string[]) => ({
    '$setElementOrder/containers': names.map((name) => ({ name })),
  })
  const namesAfter = (live: JsonObject[], patch: JsonObject) =>
    ((specAfter({ containers: live }, patch) as JsonObject).containers as JsonObject[]).map(
      ({ name }) => name,
    )

  it('orders a list without other changes', () => {
    expect(namesAfter([a, b, c], order('c', 'a', 'b'))).toEqual(['c', 'a', 'b'])
  })

  it('keeps an item that it does not name in place', () => {
    expect(namesAfter([a, b, c], order('c', 'a'))).toEqual(['b', 'c', 'a'])
  })

  it('orders items that the patch adds', () => {
    expect(namesAfter([a, b], { ...order('c', 'b', 'a'), containers: [c] })).toEqual([
      'c',
      'b',
      'a',
    ])
  })

  it('is an ordinary member in a new object', () => {
    const securityContext = { ...order('a'), '$deleteFromPrimitiveList/x': ['y'], fsGroup: 2 }
    expect(specAfter({}, { securityContext })).toEqual({ securityContext })
  })

  it('must match the order of the patch', () => {
    expect(() => namesAfter([a], { ...order('b', 'c'), containers: [c, b] })).toThrow(
      "doesn't match $setElementOrder list",
    )
  })

  it('need not list deleted items, nor others after a directive', () => {
    expect(
      namesAfter([a], { ...order('b'), containers: [b, { $patch: 'delete', name: 'a' }] }),
    ).toEqual(['b'])
    expect(namesAfter([a], { ...order('b'), containers: [{ $patch: 'replace' }, b] })).toEqual([
      'b',
    ])
    expect(() =>
      namesAfter([a], { ...order('b'), containers: [b, { $patch: 'replace' }] }),
    ).toThrow("doesn't match $setElementOrder list")
  })

  it('requires items with keys, and at least one item', () => {
    const keyless = 'map: map[image:x] does not contain declared merge key: name'
    expect(() => specAfter({}, { ...order(), containers: [{ image: 'x' }] })).toThrow(keyless)
    expect(() => specAfter({ containers: [{ image: 'x' }] }, order('a'))).toThrow(keyless)
    expect(() => specAfter({}, { ...order(), containers: [] })).toThrow(
      'no elements in any of the given slices',
    )
    expect(specAfter({ hostname: 'h' }, order())).toEqual({ hostname: 'h' })
    const unkeyed = { tolerations: [], '$setElementOrder/tolerations': [] }
    expect(() => specAfter({ tolerations: [{ key: 'x' }] }, unkeyed)).toThrow(
      'map: map[key:x] does not contain declared merge key: ',
    )
  })

  it('is checked before the types of its items', () => {
    const unkeyed = (tolerations: Json[], order: Json[]) => ({
      tolerations,
      '$setElementOrder/tolerations': order,
    })
    const differ = 'list element types are not identical: [[map[key:x]] [3]]'
    expect(() => specAfter({ tolerations: [{ key: 'x' }] }, unkeyed([3], [3, 'y']))).toThrow(differ)
    expect(() => specAfter({ tolerations: [{ key: 'x' }] }, unkeyed([3], ['y']))).toThrow(
      "doesn't match $setElementOrder list",
    )
    expect(() =>
      specAfter({ containers: [a] }, { containers: [{}], '$setElementOrder/containers': ['a'] }),
    ).toThrow('received a string')
  })

  it('reports the type of a value that is not a list', () => {
    const reported = 'expected a []interface {}, but received a %!s(<nil>)'
    expect(() => specAfter({ containers: [a] }, { ...order('a'), containers: null })).toThrow(
      reported,
    )
  })
})
