/** Paths of FieldsV1 lead to the parts of an object that they name. */
import {
  array,
  assert,
  constantFrom,
  dictionary,
  integer,
  letrec,
  oneof,
  property,
  string,
  uniqueArray,
} from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  pathsOf,
  pathText,
  placeOf,
  valueOn,
} from '../../../src/app/features/ownership/field-paths'
import { isJsonObject, type Json, type JsonObject } from '../../../src/engine/core/object'

describe('the paths of an entry', () => {
  it('are its leaves, and the parts that are there themselves', () => {
    const fields = {
      'f:a': {},
      'f:list': { '.': {}, 'k:{"name":"x"}': { '.': {}, 'f:name': {} }, 'v:"y"': {}, 'i:0': {} },
    }
    expect(
      pathsOf(fields).map(({ path, itself }) => `${path.join(' ')}${itself ? ' .' : ''}`),
    ).toEqual([
      'f:a',
      'f:list .',
      'f:list k:{"name":"x"} .',
      'f:list k:{"name":"x"} f:name',
      'f:list v:"y"',
      'f:list i:0',
    ])
  })

  it('are none where nothing is owned', () => {
    expect(pathsOf(undefined)).toEqual([])
    expect(pathsOf({})).toEqual([])
  })
})

describe('where a path leads', () => {
  const object = {
    map: { 'a.b/c': 1, empty: {} },
    items: [
      { name: 'x', image: 'one' },
      { name: 'y', image: 'two' },
    ],
    ports: [
      { containerPort: 53, protocol: 'TCP' },
      { containerPort: 53, protocol: 'UDP' },
    ],
    set: ['p', 'q'],
    plain: [7, 8],
  }

  it.each([
    [['f:map', 'f:a.b/c'], ['map', 'a.b/c'], 1],
    [['f:map', 'f:empty'], ['map', 'empty'], {}],
    [['f:items', 'k:{"name":"y"}', 'f:image'], ['items', 1, 'image'], 'two'],
    [
      ['f:ports', 'k:{"containerPort":53,"protocol":"UDP"}'],
      ['ports', 1],
      { containerPort: 53, protocol: 'UDP' },
    ],
    [['f:set', 'v:"q"'], ['set', 1], 'q'],
    [['f:plain', 'i:1'], ['plain', 1], 8],
  ])('%j', (path, place, value) => {
    expect(placeOf(object, path)).toEqual(place)
    expect(valueOn(object, path)).toEqual(value)
  })

  it.each([
    [['f:none']],
    [['f:items', 'k:{"name":"z"}']],
    [['f:set', 'v:"z"']],
    [['f:plain', 'i:9']],
    [['f:map', 'k:{"a":1}']],
    [['f:items', 'k:broken']],
  ])('nowhere: %j', (path) => expect(placeOf(object, path)).toBeUndefined())

  it('finds the item of a manifest that leaves out a member of the key that has a default', () => {
    expect(
      placeOf({ ports: [{ containerPort: 80 }] }, [
        'f:ports',
        'k:{"containerPort":80,"protocol":"TCP"}',
      ]),
    ).toEqual(['ports', 0])
  })
})

it('writes paths as the server names a conflict’s field', () => {
  expect(pathText(['f:spec', 'f:containers', 'k:{"name":"web"}', 'f:image'])).toBe(
    '.spec.containers[name="web"].image',
  )
  expect(pathText(['f:ports', 'k:{"containerPort":80,"protocol":"TCP"}'])).toBe(
    '.ports[containerPort=80,protocol="TCP"]',
  )
  expect(pathText(['f:finalizers', 'v:"a/b"'])).toBe('.finalizers[="a/b"]')
  expect(pathText(['f:list', 'i:3'])).toBe('.list[3]')
})

/** Values whose lists are all keyed by name, or sets of texts. */
const { value } = letrec((tie) => ({
  value: oneof(
    { depthSize: 'small' },
    integer(),
    string(),
    constantFrom({}, []),
    tie('object'),
    tie('keyed'),
    tie('set'),
  ),
  object: dictionary(string({ minLength: 1, maxLength: 4 }), tie('value'), {
    minKeys: 1,
    maxKeys: 4,
  }),
  keyed: uniqueArray(dictionary(constantFrom('a', 'b'), tie('value'), { maxKeys: 2 }), {
    minLength: 1,
    maxLength: 3,
  }).map((items) => items.map((item, index) => ({ ...(item as JsonObject), name: `n${index}` }))),
  set: uniqueArray(string(), { minLength: 1, maxLength: 4 }),
}))

/** The plain model: writes down every leaf with the path that leads to it. */
function leavesOf(at: Json, path: string[]): [string[], Json][] {
  if (Array.isArray(at) && at.length > 0)
    return at.flatMap((item): [string[], Json][] =>
      isJsonObject(item)
        ? leavesOf(item, [...path, `k:${JSON.stringify({ name: item.name })}`])
        : [[[...path, `v:${JSON.stringify(item)}`], item]],
    )
  if (isJsonObject(at) && Object.keys(at).length > 0)
    return Object.entries(at).flatMap(([name, below]) => leavesOf(below, [...path, `f:${name}`]))
  return [[path, at]]
}

it('leads from the path of every leaf back to the leaf', () => {
  assert(
    property(
      array(value as ReturnType<typeof integer>, { minLength: 1, maxLength: 1 }),
      ([root]) => {
        for (const [path, leaf] of leavesOf(root as Json, []))
          expect(valueOn(root as Json, path)).toEqual(leaf)
      },
    ),
  )
})
