/** Clusters that were stored under the earlier spelling keep their behaviors. */
import { expect, it } from 'vitest'
import { annotatedBehavior } from '../../src/engine/simulation/behavior'

it('reads the annotation under both spellings, the current one first', () => {
  const current = 'simulation.kubetab/behavior'
  // cspell:ignore behaviour
  const earlier = 'simulation.kubetab/behaviour'
  expect(annotatedBehavior({ [earlier]: 'a' })).toBe('a')
  expect(annotatedBehavior({ [earlier]: 'a', [current]: 'b' })).toBe('b')
  expect(annotatedBehavior(undefined)).toBeUndefined()
})
