import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  difference,
  EMPTY,
  equalSets,
  type FieldSet,
  hasPath,
  intersection,
  isEmpty,
  isSubset,
  pathsOf,
  recursiveDifference,
  setOf,
  union,
} from '../../src/engine/apply/field-set'
import { decodeFields, encodeFields } from '../../src/engine/apply/fields-v1'
import { type Path, PathElementError } from '../../src/engine/apply/path-elements'
import type { JsonObject } from '../../src/engine/core/object'

describe('FieldsV1', () => {
  it.each<[string, Path[], JsonObject]>([
    ['nothing', [], {}],
    ['a field', [['f:spec', 'f:replicas']], { 'f:spec': { 'f:replicas': {} } }],
    [
      'a map and one of its keys',
      [['f:data'], ['f:data', 'f:a']],
      { 'f:data': { '.': {}, 'f:a': {} } },
    ],
    [
      'an item and its fields',
      [
        ['f:ports', 'k:{"port":80}'],
        ['f:ports', 'k:{"port":80}', 'f:port'],
      ],
      { 'f:ports': { 'k:{"port":80}': { '.': {}, 'f:port': {} } } },
    ],
    ['an item of a set', [['f:finalizers', 'v:"x"']], { 'f:finalizers': { 'v:"x"': {} } }],
  ])('writes %s, and reads it back', (_what, paths, written) => {
    const set = setOf(...paths)
    expect(JSON.stringify(encodeFields(set))).toBe(JSON.stringify(written))
    expect(equalSets(decodeFields(written), set)).toBe(true)
  })

  it('skips elements of unknown kinds: a path of only those is the set itself', () => {
    expect(pathsOf(decodeFields({ 'f:a': { 'x:y': {} } }))).toEqual([['f:a']])
  })

  it('reads null as no fields below a path', () => {
    expect(pathsOf(decodeFields({ 'f:a': null, 'f:b': { 'f:c': null } }))).toEqual([
      ['f:a'],
      ['f:b', 'f:c'],
    ])
  })

  it.each<[string, JsonObject]>([
    ['a malformed element', { spec: {} }],
    ['a value that is not an object', { 'f:spec': true }],
  ])('rejects %s', (_what, fields) => {
    expect(() => decodeFields(fields)).toThrow(PathElementError)
  })

  it('round-trips any set', () => {
    fc.assert(
      fc.property(paths(), (given) => {
        expect(plain(decodeFields(encodeFields(setOf(...given))))).toEqual(plain(setOf(...given)))
      }),
    )
  })
})

describe('a field set', () => {
  it('lists first the paths that end at each level', () => {
    expect(pathsOf(setOf(['f:a', 'f:b'], ['f:z'], ['f:a']))).toEqual([
      ['f:a'],
      ['f:z'],
      ['f:a', 'f:b'],
    ])
  })

  it('removes a path together with all below it, or alone', () => {
    const set = setOf(['f:spec'], ['f:spec', 'f:a'], ['f:status'])
    expect(pathsOf(recursiveDifference(set, setOf(['f:spec'])))).toEqual([['f:status']])
    expect(pathsOf(difference(set, setOf(['f:spec'])))).toEqual([['f:status'], ['f:spec', 'f:a']])
  })

  it('returns itself if an operation does not change it', () => {
    const set = setOf(['f:a', 'f:b'], ['f:c'])
    expect(union(set, setOf(['f:c']))).toBe(set)
    expect(difference(set, setOf(['f:x']))).toBe(set)
    expect(union(EMPTY, set)).toBe(set)
  })

  it('behaves as a plain set of paths', () => {
    fc.assert(
      fc.property(paths(), paths(), (left, right) => {
        const [a, b] = [setOf(...left), setOf(...right)]
        const [plainA, plainB] = [new Set(left.map(spelled)), new Set(right.map(spelled))]
        expect(plain(a)).toEqual(plainA)
        expect(plain(union(a, b))).toEqual(new Set([...plainA, ...plainB]))
        expect(plain(intersection(a, b))).toEqual(
          new Set([...plainA].filter((path) => plainB.has(path))),
        )
        expect(plain(difference(a, b))).toEqual(
          new Set([...plainA].filter((path) => !plainB.has(path))),
        )
        const within = [...plainA].every((path) => plainB.has(path))
        expect(isSubset(a, b)).toBe(within)
        expect(equalSets(a, b)).toBe(within && plainA.size === plainB.size)
        expect(isEmpty(a)).toBe(plainA.size === 0)
        for (const path of [...left, ...right])
          expect(hasPath(a, path)).toBe(plainA.has(spelled(path)))
      }),
    )
  })

  it('removes with a path all paths that it begins', () => {
    fc.assert(
      fc.property(paths(), paths(), (left, right) => {
        const begins = (path: Path) =>
          right.some((start) => start.every((element, index) => path[index] === element))
        expect(plain(recursiveDifference(setOf(...left), setOf(...right)))).toEqual(
          new Set(left.filter((path) => !begins(path)).map(spelled)),
        )
      }),
    )
  })

  it('has no empty branches after operations', () => {
    fc.assert(
      fc.property(paths(), paths(), (left, right) => {
        const [a, b] = [setOf(...left), setOf(...right)]
        for (const set of [
          union(a, b),
          intersection(a, b),
          difference(a, b),
          recursiveDifference(a, b),
        ]) {
          expect(hasEmptyBranch(set)).toBe(false)
        }
      }),
    )
  })
})

/** Few elements, so that paths meet. */
const paths = () =>
  fc.array(
    fc.array(fc.constantFrom('f:a', 'f:b', 'k:{"name":"a"}', 'v:"a"', 'v:1', 'i:0'), {
      minLength: 1,
      maxLength: 4,
    }),
    {
      maxLength: 12,
    },
  )

const spelled = (path: Path): string => path.join(' ')
const plain = (set: FieldSet): Set<string> => new Set(pathsOf(set).map(spelled))
const hasEmptyBranch = (set: FieldSet): boolean =>
  [...set.children.values()].some((child) => isEmpty(child) || hasEmptyBranch(child))
