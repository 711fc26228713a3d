/**
 * Limits how fast a HorizontalPodAutoscaler scales.
 * https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/
 */

import type {
  HorizontalPodAutoscalerBehavior,
  HPAScalingRules,
} from 'kubernetes-types/autoscaling/v2'
import { largest, smallest } from '../../core/lists'

export interface Past {
  proposals: { at: number; replicas: number }[]
  changes: { at: number; by: number }[]
}

export interface Bounds {
  current: number
  min: number
  max: number
  behavior: HorizontalPodAutoscalerBehavior | undefined
  now: number
}

export interface NormalizedReplicas {
  replicas: number
  able: [reason: string, message: string]
  limited: [status: 'True' | 'False', reason: string, message: string]
}

const UP: Required<
  Pick<HPAScalingRules, 'stabilizationWindowSeconds' | 'selectPolicy' | 'policies'>
> = {
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies: [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ],
}
const DOWN: typeof UP = {
  stabilizationWindowSeconds: 300,
  selectPolicy: 'Max',
  policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
}
/** Longest period or window. */
const MEMORY_MILLISECONDS = 3_600_000

/** Default scale-up limit: `factor` times the size, at least `least`. Scale-down is unlimited. */
const GROWTH = { factor: 2, least: 4 }

const WITHIN: NormalizedReplicas['limited'] = [
  'False',
  'DesiredWithinRange',
  'the desired count is within the acceptable range',
]
const LIMITS = {
  tooMany: [
    'True',
    'TooManyReplicas',
    'the desired replica count is more than the maximum replica count',
  ],
  tooFew: [
    'True',
    'TooFewReplicas',
    'the desired replica count is less than the minimum replica count',
  ],
  tooFastUp: [
    'True',
    'ScaleUpLimit',
    'the desired replica count is increasing faster than the maximum scale rate',
  ],
  tooFastDown: [
    'True',
    'ScaleDownLimit',
    'the desired replica count is decreasing faster than the maximum scale rate',
  ],
} satisfies Record<string, NormalizedReplicas['limited']>
const STEADY: NormalizedReplicas['able'] = [
  'ReadyForNewScale',
  'recommended size matches current size',
]
const STEADY_DOWN: NormalizedReplicas['able'] = [
  'ScaleDownStabilized',
  'recent recommendations were higher than current one, applying the highest recent recommendation',
]
const STEADY_UP: NormalizedReplicas['able'] = [
  'ScaleUpStabilized',
  'recent recommendations were lower than current one, applying the lowest recent recommendation',
]

/** Applies stabilization windows to the initial size. */
export function begun(past: Past, current: number, now: number): void {
  if (past.proposals.length === 0) past.proposals.push({ at: now, replicas: current })
}

/** @param past is updated and pruned */
export function normalizeReplicas(
  proposed: number,
  past: Past,
  bounds: Bounds,
): NormalizedReplicas {
  const { behavior, now } = bounds
  past.proposals = past.proposals.filter(({ at }) => now - at < MEMORY_MILLISECONDS)
  past.changes = past.changes.filter(({ at }) => now - at < MEMORY_MILLISECONDS)
  const result =
    behavior === undefined
      ? withoutRules(proposed, past, bounds)
      : byRules(proposed, past, bounds, behavior)
  past.proposals.push({ at: now, replicas: proposed })
  return result
}

function withoutRules(
  proposed: number,
  { proposals }: Past,
  { current, min, max, now }: Bounds,
): NormalizedReplicas {
  const lately = proposals.filter(({ at }) => now - at <= DOWN.stabilizationWindowSeconds * 1000)
  const steady = largest(
    lately.map(({ replicas }) => replicas),
    proposed,
  )
  const able = steady === proposed ? STEADY : STEADY_DOWN
  const fastest = Math.max(current * GROWTH.factor, GROWTH.least)
  if (steady < min) return { replicas: min, able, limited: LIMITS.tooFew }
  if (steady <= Math.min(max, fastest)) return { replicas: steady, able, limited: WITHIN }
  return max > fastest
    ? { replicas: fastest, able, limited: LIMITS.tooFastUp }
    : { replicas: max, able, limited: LIMITS.tooMany }
}

function byRules(
  proposed: number,
  past: Past,
  { current, min, max, now }: Bounds,
  behavior: HorizontalPodAutoscalerBehavior,
): NormalizedReplicas {
  const [up, down] = [
    { ...UP, ...given(behavior.scaleUp) },
    { ...DOWN, ...given(behavior.scaleDown) },
  ]
  const { replicas: steady, able } = stabilized(proposed, past, { current, up, down, now })
  if (steady > current) {
    // Recent scale events may already exceed the limit.
    const most = Math.max(current, highest(current, up, past, now))
    if (steady > Math.min(most, max))
      return max > most
        ? { replicas: most, able, limited: LIMITS.tooFastUp }
        : { replicas: max, able, limited: LIMITS.tooMany }
  } else if (steady < current) {
    const least = Math.min(current, lowest(current, down, past, now))
    if (steady < Math.max(least, min))
      return min < least
        ? { replicas: least, able, limited: LIMITS.tooFastDown }
        : { replicas: min, able, limited: LIMITS.tooFew }
  }
  return { replicas: steady, able, limited: WITHIN }
}

const given = (rules: HPAScalingRules | undefined): Partial<typeof UP> =>
  Object.fromEntries(
    Object.entries(rules ?? {}).filter(([, value]) => value !== undefined && value !== null),
  )

/** Highest recommendation in the window for scale-down, lowest for scale-up. */
function stabilized(
  proposed: number,
  { proposals }: Past,
  { current, up, down, now }: { current: number; up: typeof UP; down: typeof UP; now: number },
): Pick<NormalizedReplicas, 'replicas' | 'able'> {
  const since = ({ stabilizationWindowSeconds }: typeof UP) => [
    ...proposals
      .filter(({ at }) => now - at < stabilizationWindowSeconds * 1000)
      .map(({ replicas }) => replicas),
    proposed,
  ]
  const [floor, ceiling] = [smallest(since(up)), largest(since(down))]
  const replicas = current < floor ? floor : current > ceiling ? ceiling : current
  if (replicas === proposed) return { replicas, able: STEADY }
  return { replicas, able: replicas > proposed ? STEADY_DOWN : STEADY_UP }
}

function sizeAt(current: number, { changes }: Past, now: number, periodSeconds: number): number {
  const lately = changes.filter(({ at }) => now - at < periodSeconds * 1000)
  return current - lately.reduce((sum, { by }) => sum + by, 0)
}

function highest(
  current: number,
  { selectPolicy, policies }: typeof UP,
  past: Past,
  now: number,
): number {
  if (selectPolicy === 'Disabled') return current
  const sizes = policies.map(({ type, value, periodSeconds }) => {
    const before = sizeAt(current, past, now, periodSeconds)
    return type === 'Pods' ? before + value : Math.ceil(before * (1 + value / 100))
  })
  return selectPolicy === 'Min' ? smallest(sizes) : largest(sizes)
}

function lowest(
  current: number,
  { selectPolicy, policies }: typeof UP,
  past: Past,
  now: number,
): number {
  if (selectPolicy === 'Disabled') return current
  const sizes = policies.map(({ type, value, periodSeconds }) => {
    const before = sizeAt(current, past, now, periodSeconds)
    return type === 'Pods' ? before - value : Math.floor(before * (1 - value / 100))
  })
  return selectPolicy === 'Min' ? largest(sizes) : smallest(sizes)
}
