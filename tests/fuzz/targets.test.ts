import fc from 'fast-check'
import { describe, it } from 'vitest'
import { TARGETS } from './targets'

const SEED = 12

describe(`whatever they are given (seed ${SEED})`, () => {
  it.each(TARGETS.map((target) => [target.what, target] as const))(
    '%s: read or rejected',
    async (_what, { property, short }) => {
      await fc.assert(property as fc.IAsyncProperty<unknown>, { numRuns: short, seed: SEED })
    },
  )
})
