/** Which toleration matches a taint. */
import fc from 'fast-check'
import type { Taint, Toleration } from 'kubernetes-types/core/v1'
import { describe, expect, it } from 'vitest'
import { tolerationOf } from '../../src/engine/controllers/shared/taints'

const key = fc.constantFrom('a', 'b', 'toString')
const effect = fc.constantFrom('NoSchedule', 'PreferNoSchedule', 'NoExecute')
const value = fc.option(fc.constantFrom('', 'x', 'y'), { nil: undefined })
const taint: fc.Arbitrary<Taint> = fc.record(
  { key, effect, value },
  { requiredKeys: ['key', 'effect'] },
)
const toleration: fc.Arbitrary<Toleration> = fc.record(
  {
    key: fc.oneof(key, fc.constant('')),
    effect: fc.oneof(effect, fc.constant('')),
    operator: fc.constantFrom('Exists', 'Equal', ''),
    value,
  },
  { requiredKeys: [] },
)

/** https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/ */
const matches = (one: Toleration, of: Taint): boolean =>
  (!one.effect || one.effect === of.effect) &&
  (!one.key || one.key === of.key) &&
  (one.operator === 'Exists' || (one.value ?? '') === (of.value ?? ''))

describe('the toleration of a taint', () => {
  // Equal tolerations come first, so that the first match is not the first of all.
  it.each([
    ['few', 0],
    ['many', 40],
  ])('is the first that matches, of %s', (_number, equal) => {
    const tolerations = fc
      .tuple(toleration, fc.array(toleration, { maxLength: 6 }))
      .map(([one, others]) => [...Array<Toleration>(equal).fill(one), ...others])
    fc.assert(
      fc.property(tolerations, taint, (given, of) => {
        expect(tolerationOf(given, of)).toBe(given.find((one) => matches(one, of)))
      }),
      { numRuns: 2000 },
    )
  })
})
