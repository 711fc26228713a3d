/**
 * How fast an autoscaler goes to the size that metrics propose: what it proposed lately, how much it changed lately, and its limits
 * (public documentation, "Horizontal Pod Autoscaling", "Configurable scaling behavior").
 */
import type { HorizontalPodAutoscalerBehavior, HPAScalingRules } from 'kubernetes-types/autoscaling/v2'

/** What is remembered of an autoscaler. */
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

export interface Paced {
  replicas: number
  able: [reason: string, message: string]
  limited: [status: 'True' | 'False', reason: string, message: string]
}

const UP: Required<Pick<HPAScalingRules, 'stabilizationWindowSeconds' | 'selectPolicy' | 'policies'>> = {
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
/** As long as any period or window may be. */
const MEMORY_MILLISECONDS = 3_600_000

const WITHIN: Paced['limited'] = ['False', 'DesiredWithinRange', 'the desired count is within the acceptable range']

/** @param past is added to, and freed of what is too old */
export function paced(proposed: number, past: Past, { current, min, max, behavior, now }: Bounds): Paced {
  past.proposals = past.proposals.filter(({ at }) => now - at < MEMORY_MILLISECONDS)
  past.changes = past.changes.filter(({ at }) => now - at < MEMORY_MILLISECONDS)
  const [up, down] = [
    { ...UP, ...given(behavior?.scaleUp) },
    { ...DOWN, ...given(behavior?.scaleDown) },
  ]
  const { replicas: steady, able } = stabilized(proposed, past, { current, up, down, now })
  past.proposals.push({ at: now, replicas: proposed })
  const [least, most] = [lowest(current, down, past, now), highest(current, up, past, now)]
  if (steady > current && steady > Math.min(most, max)) {
    return most < max
      ? {
          replicas: most,
          able,
          limited: ['True', 'ScaleUpLimit', 'the desired replica count is increasing faster than the maximum scale rate'],
        }
      : { replicas: max, able, limited: ['True', 'TooManyReplicas', 'the desired replica count is more than the maximum replica count'] }
  }
  if (steady < current && steady < Math.max(least, min)) {
    return least > min
      ? {
          replicas: least,
          able,
          limited: ['True', 'ScaleDownLimit', 'the desired replica count is decreasing faster than the maximum scale rate'],
        }
      : { replicas: min, able, limited: ['True', 'TooFewReplicas', 'the desired replica count is less than the minimum replica count'] }
  }
  if (steady > max)
    return { replicas: max, able, limited: ['True', 'TooManyReplicas', 'the desired replica count is more than the maximum replica count'] }
  if (steady < min)
    return { replicas: min, able, limited: ['True', 'TooFewReplicas', 'the desired replica count is less than the minimum replica count'] }
  return { replicas: steady, able, limited: WITHIN }
}

const given = (rules: HPAScalingRules | undefined): Partial<typeof UP> =>
  Object.fromEntries(Object.entries(rules ?? {}).filter(([, value]) => value !== undefined && value !== null))

/** Down only to the highest, up only to the lowest of what was proposed in the window. */
function stabilized(
  proposed: number,
  { proposals }: Past,
  { current, up, down, now }: { current: number; up: typeof UP; down: typeof UP; now: number },
): Pick<Paced, 'replicas' | 'able'> {
  const since = ({ stabilizationWindowSeconds }: typeof UP) => [
    ...proposals.filter(({ at }) => now - at < stabilizationWindowSeconds * 1000).map(({ replicas }) => replicas),
    proposed,
  ]
  const [floor, ceiling] = [Math.min(...since(up)), Math.max(...since(down))]
  const replicas = current < floor ? floor : current > ceiling ? ceiling : current
  if (replicas === proposed) return { replicas, able: ['ReadyForNewScale', 'recommended size matches current size'] }
  return replicas > proposed
    ? {
        replicas,
        able: ['ScaleDownStabilized', 'recent recommendations were higher than current one, applying the highest recent recommendation'],
      }
    : {
        replicas,
        able: ['ScaleUpStabilized', 'recent recommendations were lower than current one, applying the lowest recent recommendation'],
      }
}

/** What the size was at the beginning of a period. */
function sizeAt(current: number, { changes }: Past, now: number, periodSeconds: number, sign: 1 | -1): number {
  const lately = changes.filter(({ at, by }) => now - at < periodSeconds * 1000 && Math.sign(by) === sign)
  return current - lately.reduce((sum, { by }) => sum + by, 0)
}

function highest(current: number, { selectPolicy, policies }: typeof UP, past: Past, now: number): number {
  if (selectPolicy === 'Disabled') return current
  const sizes = policies.map(({ type, value, periodSeconds }) => {
    const before = sizeAt(current, past, now, periodSeconds, 1)
    return type === 'Pods' ? before + value : Math.ceil(before * (1 + value / 100))
  })
  return selectPolicy === 'Min' ? Math.min(...sizes) : Math.max(...sizes)
}

function lowest(current: number, { selectPolicy, policies }: typeof UP, past: Past, now: number): number {
  if (selectPolicy === 'Disabled') return current
  const sizes = policies.map(({ type, value, periodSeconds }) => {
    const before = sizeAt(current, past, now, periodSeconds, -1)
    return type === 'Pods' ? before - value : Math.floor(before * (1 - value / 100))
  })
  return selectPolicy === 'Min' ? Math.max(...sizes) : Math.min(...sizes)
}
