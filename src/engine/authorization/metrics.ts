import { chain } from '../core/maybe-promise'
import type { Attributes, Authorizer, Decider, Verdict } from './authorizer'

export interface Counter {
  value: number
}

export type CallResult = 'success' | 'timeout' | 'error'

export interface AuthorizationMetrics {
  decisions(by: Decider, decision: 'allowed' | 'denied'): Counter
  /** @param failedOpen the call failed, so the webhook has no opinion */
  webhookCalled(name: string, result: CallResult, seconds: number, failedOpen: boolean): void
  conditionsEvaluated(name: string, seconds: number): void
  conditionsFailed(name: string): void
  conditionsExcluded(name: string): void
  /** @param time milliseconds since the epoch */
  reloaded(status: 'success' | 'failure', time: number): void
}

/** Also adds the authorizer's name to decisions. */
export function counted(
  by: Decider,
  authorizer: Authorizer,
  metrics: AuthorizationMetrics,
): Authorizer {
  let allowed: Counter | undefined
  let denied: Counter | undefined
  const count = (verdict: Verdict): Verdict => {
    if (verdict.decision === 'noOpinion') return verdict
    if (verdict.decision === 'allow') (allowed ??= metrics.decisions(by, 'allowed')).value++
    else (denied ??= metrics.decisions(by, 'denied')).value++
    return { ...verdict, by }
  }
  const { rules, nearMisses } = authorizer
  return {
    authorize(attributes: Attributes) {
      return chain(authorizer.authorize(attributes), count)
    },
    ...(rules && { rules }),
    ...(nearMisses && { nearMisses }),
  }
}
