import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { covers, mergeTolerations } from '../../src/engine/admission/tolerations'
import type { Toleration } from '../../src/engine/validation/pods'

interface Taint {
  key: string
  value: string
  effect: string
}

/** The definition: whether a toleration tolerates a taint, and for how long at least. */
const tolerates = ({ key, operator, value, effect }: Toleration, taint: Taint): boolean =>
  (!effect || effect === taint.effect) &&
  (key ? key === taint.key : operator === 'Exists') &&
  (operator === 'Exists' || (value ?? '') === taint.value)

const KEYS = ['a', 'b']
const VALUES = ['', 'v']
const EFFECTS = ['NoSchedule', 'NoExecute']
const TAINTS = KEYS.flatMap((key) =>
  VALUES.flatMap((value) => EFFECTS.map((effect) => ({ key, value, effect }))),
)

/** `operator: Equal` with a key and maybe a value, or `Exists` without a value. */
const toleration: fc.Arbitrary<Toleration> = fc.oneof(
  fc.record({
    key: fc.constantFrom(...KEYS),
    operator: fc.constant('Equal'),
    value: fc.constantFrom(...VALUES),
    effect: fc.constantFrom(...EFFECTS),
  }),
  fc.record({ operator: fc.constant('Exists'), effect: fc.constantFrom(...EFFECTS) }),
  fc.record({ key: fc.constantFrom(...KEYS), operator: fc.constant('Exists') }),
  fc.constant({ operator: 'Exists' }),
)

describe('tolerations', () => {
  it('cover another one only if they tolerate everything that it does', () => {
    fc.assert(
      fc.property(toleration, toleration, (wide, narrow) => {
        if (!covers(wide, narrow)) return
        for (const taint of TAINTS)
          if (tolerates(narrow, taint)) expect(tolerates(wide, taint)).toBe(true)
      }),
    )
  })

  it('tolerate the same before and after merging', () => {
    fc.assert(
      fc.property(
        fc.array(toleration, { maxLength: 4 }),
        fc.array(toleration, { maxLength: 4 }),
        (first, second) => {
          const merged = mergeTolerations(first, second)
          for (const taint of TAINTS) {
            expect(merged.some((one) => tolerates(one, taint))).toBe(
              [...first, ...second].some((one) => tolerates(one, taint)),
            )
          }
        },
      ),
    )
  })

  it('keep the first of equal ones', () => {
    expect(
      mergeTolerations([{ key: 'a', operator: 'Exists' }], [{ key: 'a', operator: 'Exists' }]),
    ).toHaveLength(1)
  })

  it('without seconds cover those with seconds', () => {
    const forever = { key: 'a', operator: 'Exists', effect: 'NoExecute' }
    expect(covers(forever, { ...forever, tolerationSeconds: 5 })).toBe(true)
    expect(covers({ ...forever, tolerationSeconds: 5 }, forever)).toBe(false)
  })
})
