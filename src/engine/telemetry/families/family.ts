/** The description of a metric family, with the options that kube-apiserver registers. */

/** How long clients may rely on a family; the help text begins with it. */
export type Stability = 'ALPHA' | 'BETA' | 'STABLE'

/** When a family is printed, where that depends on the release. */
export interface Lifecycle {
  /** The first release that has it. */
  since?: string
  /** The release that deprecated it, as the help text names it. */
  deprecated?: string
  /** It is hidden this many releases after its deprecation; 1 if absent, as in release 1.31. */
  hiddenAfter?: number
}

export interface Family extends Lifecycle {
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary'
  /** Absent: the family is not of Kubernetes. */
  readonly stability?: Stability
  readonly help: string
  /** Names of its labels. A family without labels has one series from the start. */
  readonly labels: readonly string[]
  /** Labels that every series has. */
  readonly constant?: Readonly<Record<string, string>>
  /** A histogram of a value over time; its help text begins with EXPERIMENTAL. */
  readonly experimental?: boolean
  /** Series are printed before the first observation too. */
  readonly startsEmpty?: boolean
  /** Upper bounds of a histogram's buckets, ascending. */
  readonly buckets?: readonly number[]
  /** A summary's quantiles, ascending. */
  readonly quantiles?: readonly number[]
}

export interface NumberFamily extends Family {
  readonly type: 'counter' | 'gauge'
}

export interface HistogramFamily extends Family {
  readonly type: 'histogram'
  readonly buckets: readonly number[]
}

export interface SummaryFamily extends Family {
  readonly type: 'summary'
  readonly quantiles: readonly number[]
}

export const counter = (
  stability: Stability,
  help: string,
  labels: readonly string[] = [],
  lifecycle: Lifecycle = {},
): NumberFamily => ({
  type: 'counter',
  stability,
  help,
  labels,
  ...lifecycle,
})

export const gauge = (
  stability: Stability,
  help: string,
  labels: readonly string[] = [],
  lifecycle: Lifecycle = {},
): NumberFamily => ({
  type: 'gauge',
  stability,
  help,
  labels,
  ...lifecycle,
})

export const histogram = (
  stability: Stability,
  help: string,
  labels: readonly string[],
  buckets: readonly number[],
  more: Lifecycle & Pick<Family, 'constant' | 'experimental' | 'startsEmpty'> = {},
): HistogramFamily => ({ type: 'histogram', stability, help, labels, buckets, ...more })

export const summary = (
  stability: Stability,
  help: string,
  labels: readonly string[],
  quantiles: readonly number[],
): SummaryFamily => ({
  type: 'summary',
  stability,
  help,
  labels,
  quantiles,
})

/** The buckets of a histogram that names none. */
export const DEFAULT_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const

/** The buckets of everything that takes as long as a request. */
export const REQUEST_SECONDS = [
  0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45,
  60,
]

/** `count` bounds from `start` on, each `factor` times the one before, multiplied as Go does it. */
export function exponential(start: number, factor: number, count: number): number[] {
  const bounds: number[] = []
  for (let bound = start; bounds.length < count; bound *= factor) bounds.push(bound)
  return bounds
}

/** `count` bounds from `start` on, `width` apart. */
export const linear = (start: number, width: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => start + width * index)
