/** Concurrency limits of priority levels (public documentation, "API Priority and Fairness"; numbers of a release 1.31 server). */
import { describe, expect, it } from 'vitest'
import {
  allocate,
  fairFraction,
  limitsOf,
  type PriorityLevel,
} from '../../src/engine/flow-control/limits'

const IDLE = { highWatermark: 0, average: 0, deviation: 0, smoothed: 0 }

function limited(
  name: string,
  nominalConcurrencyShares: number,
  lendablePercent?: number,
  borrowingLimitPercent?: number,
): PriorityLevel {
  const shares = {
    nominalConcurrencyShares,
    ...(lendablePercent === undefined ? {} : { lendablePercent }),
  }
  const borrowing = borrowingLimitPercent === undefined ? {} : { borrowingLimitPercent }
  const queuing = { queues: 64, queueLengthLimit: 50 }
  const spec = { limited: { ...shares, ...borrowing, limitResponse: { type: 'Queue', queuing } } }
  return {
    apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
    kind: 'PriorityLevelConfiguration',
    metadata: { name },
    spec,
  }
}

const exempt: PriorityLevel = {
  ...limited('exempt', 0),
  spec: { exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } },
}

/** The levels of a fresh server, and a small one. */
const LEVELS = [
  limited('catch-all', 5, 0),
  exempt,
  limited('global-default', 20, 50),
  limited('leader-election', 10, 0),
  limited('node-high', 40, 25),
  limited('system', 30, 33),
  limited('tiny', 1),
  limited('workload-high', 40, 50),
  limited('workload-low', 100, 90),
]

describe('the limits of a level', () => {
  it.each([
    ['catch-all', 13, 13, 613],
    ['exempt', 0, 0, 600],
    ['global-default', 49, 24, 649],
    ['leader-election', 25, 25, 625],
    ['node-high', 98, 73, 698],
    ['system', 74, 50, 674],
    ['tiny', 3, 3, 603],
    ['workload-high', 98, 49, 698],
    ['workload-low', 244, 24, 844],
  ])(
    'of %s are nominally %d, %d when it lends, %d when it borrows',
    (level, nominal, lower, upper) => {
      expect(limitsOf(LEVELS).find((limits) => limits.level === level)).toMatchObject({
        nominal,
        lower,
        upper,
      })
    },
  )

  it('end where it may not borrow more', () => {
    const [own] = limitsOf([limited('own', 1, 0, 20)])
    expect(own).toMatchObject({ nominal: 600, upper: 720, queueRoom: 3200 })
  })
})

describe('seats are lent', () => {
  it('in proportion to the seats that each level keeps, while no level needs any', () => {
    const { allocations, fraction } = allocate(limitsOf(LEVELS), (level) =>
      level === 'exempt'
        ? { highWatermark: 2, average: 0.0058, deviation: 0.085, smoothed: 8.8 }
        : IDLE,
    )
    expect(fraction).toBeCloseTo(2.314176245210728, 12)
    const current = Object.fromEntries(
      allocations.map((allocation) => [allocation.level, allocation.current]),
    )
    expect(current).toEqual({
      'catch-all': 30,
      exempt: 2,
      'global-default': 56,
      'leader-election': 58,
      'node-high': 169,
      system: 116,
      tiny: 7,
      'workload-high': 113,
      'workload-low': 56,
    })
    expect(allocations.find(({ level }) => level === 'system')?.target).toBe(50)
  })

  it('to whom needs them, between the bounds of each', () => {
    const busy = { highWatermark: 300, average: 250, deviation: 10, smoothed: 260 }
    const { allocations } = allocate(limitsOf(LEVELS), (level) =>
      level === 'workload-high' ? busy : IDLE,
    )
    const sum = allocations.reduce((all, { current }) => all + current, 0)
    expect(allocations.find(({ level }) => level === 'workload-high')?.current).toBeGreaterThan(98)
    expect(Math.abs(sum - 604)).toBeLessThanOrEqual(allocations.length)
    for (const { current, lower, upper } of allocations)
      expect(current >= lower && current <= upper).toBe(true)
  })

  it('by equal parts of what is missing, when exempt requests need most', () => {
    const { allocations, fraction } = allocate(limitsOf(LEVELS), (level) => ({
      ...IDLE,
      highWatermark: level === 'exempt' ? 343 : 600,
    }))
    expect(fraction).toBe(0)
    expect(allocations.map(({ level, current }) => `${level} ${current}`)).toEqual(
      limitsOf(LEVELS).map(({ level, lower }) => `${level} ${level === 'exempt' ? 343 : lower}`),
    )
  })
})

it.each([
  [
    'no bound counts',
    10,
    [
      [0, 10, 1],
      [0, 10, 1],
    ],
    5,
  ],
  [
    'one is full',
    10,
    [
      [0, 2, 1],
      [0, 100, 1],
    ],
    8,
  ],
  [
    'one has enough already',
    10,
    [
      [8, 100, 1],
      [0, 100, 1],
    ],
    2,
  ],
  ['the bounds are the sum', 10, [[10, 10, 1]], 10],
] as const)('parts are fair where %s', (_, sum, claims, fraction) => {
  expect(
    fairFraction(
      sum,
      claims.map(([lower, upper, target]) => ({ lower, upper, target })),
    ),
  ).toBeCloseTo(fraction, 9)
})

it.each([
  ['too little', 1, 2, 5],
  ['too much', 9, 0, 5],
])('bounds may leave %s to divide', (_, sum, lower, upper) => {
  expect(fairFraction(sum, [{ lower, upper, target: 1 }])).toBeUndefined()
})
