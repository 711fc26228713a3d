import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dropGatedPaths, gatedPaths } from '../../src/engine/registry/gated-paths'

const PATHS = {
  One: ['a', 'b.c', 'list[].c'],
  Two: ['list[].b.c', 'map{}.a', 'b.a'],
  Three: ['map{}.list[].a', 'b.c'],
}

type Value = unknown
const isObject = (value: Value): value is Record<string, Value> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Follows one path from the start, as its text reads. */
function holdersOf(object: Value, path: string): { holder: Record<string, Value>; last: string }[] {
  const segments = path.split('.')
  const last = segments.pop() as string
  let found: Value[] = [object]
  for (const segment of segments) {
    const name = segment.replace(/(\[\]|\{\})$/, '')
    found = found.filter(isObject).flatMap((one) => {
      const value = one[name]
      if (value === undefined || value === null) return []
      return name === segment ? [value] : Object.values(value)
    })
  }
  return found.filter(isObject).flatMap((holder) => (last in holder ? [{ holder, last }] : []))
}

function dropNaively(gates: Record<string, boolean>, object: Value, old?: Value): void {
  const disabled = Object.entries(PATHS).filter(([gate]) => gates[gate] === false)
  const unused = disabled.filter(
    ([, paths]) => old === undefined || paths.every((path) => holdersOf(old, path).length === 0),
  )
  const dropped = unused.flatMap(([, paths]) => paths.flatMap((path) => holdersOf(object, path)))
  for (const { holder, last } of dropped) delete holder[last]
}

const { object } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constant(1),
    fc.constant(null),
    tie('object'),
    fc.array(tie('value'), { maxLength: 2 }),
  ),
  object: fc.record(
    Object.fromEntries(['a', 'b', 'c', 'list', 'map'].map((name) => [name, tie('value')])),
    { requiredKeys: [] },
  ),
}))
const gates = fc.record(
  { One: fc.boolean(), Two: fc.boolean(), Three: fc.boolean() },
  { requiredKeys: [] },
)

describe('members of disabled feature gates', () => {
  it('are dropped as by following each path on its own', () => {
    fc.assert(
      fc.property(gates, object, fc.option(object, { nil: undefined }), (states, given, old) => {
        const expected = structuredClone(given)
        dropNaively(states, expected, old)
        dropGatedPaths(states, gatedPaths(PATHS), given as object, old as object | undefined)
        expect(given).toEqual(expected)
      }),
    )
  })

  it('stay if the stored object uses the gate at another path', () => {
    const now = { a: 1, list: [{ c: 2 }] }
    dropGatedPaths({ One: false }, gatedPaths(PATHS), now, { b: { c: 3 } })
    expect(now).toEqual({ a: 1, list: [{ c: 2 }] })
  })
})
