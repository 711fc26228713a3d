/**
 * Applies each JSON Patch operation to a null of the document and to a null that the patch wrote.
 * The results are those of gopkg.in/evanphx/json-patch.v4 v4.12.0, where it does not panic.
 */
import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../src/engine/core/object'
import {
  applyJsonPatch,
  applyOperations,
  JsonPatchFailure,
} from '../../src/engine/patch/json-patch'

/** The member `a` of the document by how it came about. */
const MEMBERS = {
  absent: [{}],
  stored: [{ a: null }],
  added: [{}, { op: 'add', path: '/a', value: null }],
  replaced: [{ a: 1 }, { op: 'replace', path: '/a', value: null }],
  moved: [{}, { op: 'add', path: '/b', value: null }, { op: 'move', from: '/b', path: '/a' }],
  copied: [
    {},
    { op: 'add', path: '/b', value: null },
    { op: 'copy', from: '/b', path: '/a' },
    { op: 'remove', path: '/b' },
  ],
  'added without a value': [{}, { op: 'add', path: '/a' }],
  'replaced without a value': [{ a: 1 }, { op: 'replace', path: '/a' }],
  'copied from a stored null': [{ b: null }, { op: 'copy', from: '/b', path: '/a' }],
} satisfies Record<string, [JsonObject, ...JsonObject[]]>

type Member = keyof typeof MEMBERS

const PASSES = 'passes'
const FAILS = 'fails'

function outcome(member: Member, ...operations: JsonObject[]): Json {
  const [document, ...before] = MEMBERS[member] as [JsonObject, ...JsonObject[]]
  try {
    return applyOperations(document, [...before, ...operations])
  } catch (error) {
    if (error instanceof JsonPatchFailure) return FAILS
    throw error
  }
}

describe('a test of a null', () => {
  const test = { op: 'test', path: '/a' }
  const outcomeOf = (member: Member, operation: JsonObject) =>
    outcome(member, operation) === FAILS ? FAILS : PASSES

  it.each<[Member, without: string, ofNull: string, ofEmpty: string]>([
    ['added', FAILS, PASSES, FAILS],
    ['replaced', FAILS, PASSES, FAILS],
    ['moved', FAILS, PASSES, FAILS],
    ['copied', FAILS, FAILS, PASSES],
  ])('that is %s, without a value %s, with null %s, with {} %s', (member, ...outcomes) => {
    expect([
      outcomeOf(member, test),
      outcomeOf(member, { ...test, value: null }),
      outcomeOf(member, { ...test, value: {} }),
    ]).toEqual(outcomes)
  })

  // Without a value the real server closes the connection.
  it.each<Member>([
    'absent',
    'stored',
    'added without a value',
    'replaced without a value',
    'copied from a stored null',
  ])('that is %s passes with null alone', (member) => {
    const values = [null, {}, [], 1, '', false]
    expect(values.map((value) => outcomeOf(member, { ...test, value }))).toEqual([
      PASSES,
      ...values.slice(1).map(() => FAILS),
    ])
  })

  it.each<[Json, JsonObject, string]>([
    [{ a: {} }, { op: 'add', path: '/a/b', value: null }, FAILS],
    [{ a: {} }, { op: 'add', path: '/a/b' }, PASSES],
    [{ a: {} }, { op: 'add', path: '/a', value: { b: null } }, PASSES],
    [{ a: { b: null } }, { op: 'test', path: '/a/b', value: null }, PASSES],
  ])('inside %j after %j, %s', (document, before, expected) => {
    const whole = { op: 'test', path: '/a', value: { b: null } }
    const run = () => applyOperations(document as JsonObject, [before, whole])
    if (expected === PASSES) expect(run()).toEqual({ a: { b: null } })
    else expect(run).toThrow('testing value /a failed: test failed')
  })

  it('inside a container that a copy writes again passes', () => {
    const operations: JsonObject[] = [
      { op: 'add', path: '/a/b', value: null },
      { op: 'copy', from: '/a', path: '/c' },
      { op: 'test', path: '/c', value: { b: null } },
    ]
    expect(applyOperations({ a: {} }, operations)).toEqual({ a: { b: null }, c: { b: null } })
  })
})

describe('other operations', () => {
  it.each(Object.keys(MEMBERS) as Member[])('add, replace and remove a null %s', (member) => {
    for (const op of ['add', 'replace'])
      expect(outcome(member, { op, path: '/a', value: 1 })).toMatchObject({ a: 1 })
    const removed = outcome(member, { op: 'remove', path: '/a' })
    if (member === 'absent') expect(removed).toBe(FAILS)
    else expect(removed).not.toHaveProperty('a')
  })

  it.each(Object.keys(MEMBERS) as Member[])('leave a plain null of one %s', (member) => {
    const [document, ...before] = MEMBERS[member] as [JsonObject, ...JsonObject[]]
    const operations = [...before, { op: 'copy', from: '/a', path: '/c' }]
    for (const apply of [applyJsonPatch, applyOperations])
      expect(apply(document, operations)).toMatchObject({ c: null })
  })

  it.each(Object.keys(MEMBERS) as Member[])('do not reach below a null %s', (member) => {
    expect(outcome(member, { op: 'add', path: '/a/x', value: 1 })).toBe(FAILS)
    expect(outcome(member, { op: 'replace', path: '/a/x', value: 1 })).toBe(FAILS)
  })
})
