/** Families of metrics, as kube-apiserver registers them. */

/** The help text begins with it. */
export type Stability = 'ALPHA' | 'BETA' | 'STABLE'

/** Where printing depends on the release. */
export interface Lifecycle {
  since?: string
  deprecated?: string
  /** Releases from deprecation to hiding; 1 if absent. */
  hiddenAfter?: number
}

export interface Family extends Lifecycle {
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary'
  /** Absent for families that Kubernetes lacks. */
  readonly stability?: Stability
  readonly help: string
  /** Without labels there is one series from the start. */
  readonly labels: readonly string[]
  readonly constant?: Readonly<Record<string, string>>
  /** The help text begins with EXPERIMENTAL. */
  readonly experimental?: boolean
  readonly startsEmpty?: boolean
  /** Ascending. */
  readonly buckets?: readonly number[]
  /** Ascending. */
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

/** If a histogram has none. */
export const DEFAULT_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const

export const REQUEST_SECONDS = [
  0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45,
  60,
]

/** Multiplies as Go does. */
export function exponential(start: number, factor: number, count: number): number[] {
  const bounds: number[] = []
  for (let bound = start; bounds.length < count; bound *= factor) bounds.push(bound)
  return bounds
}

export const linear = (start: number, width: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => start + width * index)
