/** Computes concurrency limits in seats (kubernetes.io, "Seats Occupied by a Request"). */
import type { KubeObject } from '../core/object'
import type { Demand } from './load'

interface Shares {
  nominalConcurrencyShares?: number | null
  lendablePercent?: number | null
  borrowingLimitPercent?: number | null
}

export interface PriorityLevel extends KubeObject {
  spec?: {
    limited?:
      | (Shares & {
          limitResponse?: {
            type?: string
            queuing?: { queues?: number; queueLengthLimit?: number } | null
          }
        })
      | null
    exempt?: Shares | null
  }
}

export interface Limits {
  level: string
  exempt: boolean
  nominal: number
  /** The nominal limit minus lendable seats. */
  lower: number
  /** The nominal limit plus borrowable seats. */
  upper: number
  /** The total length of its queues. */
  queueRoom: number
}

export interface Allocation extends Limits {
  current: number
  target: number
}

/** `--max-requests-inflight` and `--max-mutating-requests-inflight`. */
export const IN_FLIGHT_LIMITS = { readOnly: 400, mutating: 200 } as const
export const SERVER_LIMIT = IN_FLIGHT_LIMITS.readOnly + IN_FLIGHT_LIMITS.mutating

const sharesOf = ({ spec }: PriorityLevel): Shares => spec?.limited ?? spec?.exempt ?? {}
const percentOf = (whole: number, percent: number | null | undefined): number =>
  Math.round((whole * (percent ?? 0)) / 100)

/** Rounding up may add seats. */
export function limitsOf(levels: readonly PriorityLevel[]): Limits[] {
  const all = levels
    .map((level) => sharesOf(level).nominalConcurrencyShares ?? 0)
    .reduce((sum, shares) => sum + shares, 0)
  return levels.map((level) => {
    const { nominalConcurrencyShares, lendablePercent, borrowingLimitPercent } = sharesOf(level)
    const nominal =
      all === 0 ? 0 : Math.ceil((SERVER_LIMIT * (nominalConcurrencyShares ?? 0)) / all)
    const isExempt = level.spec?.limited == null
    const borrows =
      isExempt || borrowingLimitPercent == null
        ? SERVER_LIMIT
        : percentOf(nominal, borrowingLimitPercent)
    const { queues = 0, queueLengthLimit = 0 } = level.spec?.limited?.limitResponse?.queuing ?? {}
    return {
      level: level.metadata.name ?? '',
      exempt: isExempt,
      nominal,
      lower: nominal - percentOf(nominal, lendablePercent),
      upper: nominal + borrows,
      queueRoom: queues * queueLengthLimit,
    }
  })
}

/** In proportion to the target, within bounds. */
interface Claim {
  lower: number
  upper: number
  target: number
}

/** Zero would make every proportion zero. */
const SMALLEST_TARGET = 0.001

/** With this factor the bounded parts add up to `sum`; undefined if impossible. */
export function fairFraction(sum: number, claims: readonly Claim[]): number | undefined {
  const items = claims.map(({ lower, upper, target }) => ({
    lower,
    upper,
    target: Math.max(target, SMALLEST_TARGET),
  }))
  const partsAt = (fraction: number): number =>
    items.reduce((all, item) => all + partOf(item, fraction), 0)
  const total = (of: (item: Claim) => number): number =>
    items.reduce((all, item) => all + of(item), 0)
  if (total(({ lower }) => lower) > sum || total(({ upper }) => upper) < sum) return undefined
  const unbound = sum / total(({ target }) => target)
  if (
    items.every(
      ({ lower, upper, target }) => lower <= unbound * target && unbound * target <= upper,
    )
  )
    return unbound
  // The sum is piecewise linear; it bends where a part reaches a bound.
  const corners = items
    .flatMap(({ lower, upper, target }) => [lower / target, upper / target])
    .sort((a, b) => a - b)
  const above = corners.findIndex((corner) => partsAt(corner) >= sum)
  const [from, to] = [corners[above - 1] ?? 0, corners[above] ?? 0]
  const [low, high] = [partsAt(from), partsAt(to)]
  return high === low ? to : from + ((to - from) * (sum - low)) / (high - low)
}

const partOf = ({ lower, upper, target }: Claim, fraction: number): number =>
  Math.max(lower, Math.min(upper, fraction * target))

/** Levels with low demand lend seats. */
export function allocate(
  limits: readonly Limits[],
  demandOf: (level: string) => Demand,
): { allocations: Allocation[]; fraction: number } {
  const sum = limits.reduce((all, { nominal }) => all + nominal, 0)
  const claims = limits.map((own) => {
    const { highWatermark, smoothed } = demandOf(own.level)
    const needed = Math.max(
      own.lower,
      own.exempt ? highWatermark : Math.min(own.nominal, highWatermark),
    )
    return {
      own,
      needed,
      claim: { lower: needed, upper: own.upper, target: Math.max(needed, smoothed) },
    }
  })
  const limited = claims.filter(({ own }) => !own.exempt)
  const free = claims
    .filter(({ own }) => own.exempt)
    .reduce((rest, { needed }) => rest - needed, sum)
  const lowest = limited.reduce((all, { own }) => all + own.lower, 0)
  const least = limited.reduce((all, { needed }) => all + needed, 0)
  const fraction =
    free <= least
      ? undefined
      : fairFraction(
          sum,
          limited.map(({ claim }) => claim),
        )
  // If seats are scarce, all get the same fraction above their lower limits.
  const share =
    free <= lowest || least === lowest ? 0 : Math.min(1, (free - lowest) / (least - lowest))
  const allocations = claims.map(({ own, needed, claim }) => {
    const scarce = own.lower + Math.round((needed - own.lower) * share)
    const current = own.exempt
      ? needed
      : fraction === undefined
        ? scarce
        : Math.round(partOf(claim, fraction))
    return { ...own, current, target: claim.target }
  })
  return { allocations, fraction: fraction ?? 0 }
}
