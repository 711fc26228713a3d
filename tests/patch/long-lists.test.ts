import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../src/engine/core/object'
import { applyOperations } from '../../src/engine/patch/json-patch'

/** Long enough that a patch keeps the list in pieces. */
const LENGTH = 300
const start = (): Json[] => Array.from({ length: LENGTH }, (_, i) => i)

type Step = { kind: 'add' | 'remove' | 'replace' | 'append' | 'copy' | 'test'; place: number }

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    kind: fc.constantFrom('add', 'remove', 'replace', 'append', 'copy', 'test'),
    place: fc.nat({ max: LENGTH - 50 }),
  }),
  { maxLength: 50 },
)

/** The operations, and what they make of plain arrays. */
function expectedOf(chosen: readonly Step[]): { operations: JsonObject[]; result: JsonObject } {
  const list = start()
  const result: JsonObject = { list }
  const operations = chosen.map(({ kind, place }, index): JsonObject => {
    const path = `/list/${place}`
    switch (kind) {
      case 'add':
        list.splice(place, 0, `new ${index}`)
        return { op: kind, path, value: `new ${index}` }
      case 'remove':
        list.splice(place, 1)
        return { op: kind, path }
      case 'replace':
        list[place] = { index }
        return { op: kind, path, value: { index } }
      case 'append':
        list.push(index)
        return { op: 'add', path: '/list/-', value: index }
      case 'copy':
        result.copy = structuredClone(list)
        return { op: kind, from: '/list', path: '/copy' }
      default:
        return { op: kind, path: '/list', value: structuredClone(list) }
    }
  })
  return { operations, result }
}

describe('a patch of a long list', () => {
  it('has the result of the same operations on an array', () => {
    fc.assert(
      fc.property(steps, (chosen) => {
        const { operations, result } = expectedOf(chosen)
        expect(applyOperations({ list: start() }, operations)).toEqual(result)
      }),
    )
  })

  it('follows the list when it moves', () => {
    const patched = applyOperations({ list: start(), other: {} }, [
      { op: 'add', path: '/list/0', value: 'first' },
      { op: 'move', from: '/list', path: '/other/list' },
      { op: 'remove', path: '/other/list/1' },
      { op: 'replace', path: '/other/list/-1', value: 'last' },
    ])
    expect(patched).toEqual({ other: { list: ['first', ...start().slice(1, -1), 'last'] } })
  })

  it('rejects places beyond the current end', () => {
    const beyond = (index: number) => () =>
      applyOperations({ list: start() }, [
        { op: 'remove', path: '/list/0' },
        { op: 'replace', path: `/list/${index}`, value: 1 },
      ])
    expect(beyond(LENGTH - 2)).not.toThrow()
    expect(beyond(LENGTH - 1)).toThrow('missing value')
  })
})
