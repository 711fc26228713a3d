/** What is counted of authorization; how it is written is observation's business. */
import type { Attributes, Authorizer, Verdict } from './authorizer'

/** A number that counts up. */
export interface Counter {
  value: number
}

export type CallResult = 'success' | 'timeout' | 'error'

export interface AuthorizationMetrics {
  /** Final decisions of one authorizer. */
  decisions(type: string, name: string, decision: 'allowed' | 'denied'): Counter
  /** A webhook was called. @param failedOpen it has no opinion because the call failed */
  webhookCalled(name: string, result: CallResult, seconds: number, failedOpen: boolean): void
  conditionsEvaluated(name: string, seconds: number): void
  conditionsFailed(name: string): void
  conditionsExcluded(name: string): void
  /** The configuration file was read again. @param time milliseconds since the epoch */
  reloaded(status: 'success' | 'failure', time: number): void
}

/** Counts an authorizer's decisions. @param type of the mode @param name of the authorizer in the configuration */
export function counted(type: string, name: string, authorizer: Authorizer, metrics: AuthorizationMetrics): Authorizer {
  let allowed: Counter | undefined
  let denied: Counter | undefined
  const count = (verdict: Verdict): Verdict => {
    if (verdict.decision === 'allow') (allowed ??= metrics.decisions(type, name, 'allowed')).value++
    else if (verdict.decision === 'deny') (denied ??= metrics.decisions(type, name, 'denied')).value++
    return verdict
  }
  return {
    authorize(attributes: Attributes) {
      const answer = authorizer.authorize(attributes)
      return answer instanceof Promise ? answer.then(count) : count(answer)
    },
    ...(authorizer.rules === undefined ? {} : { rules: (user, namespace) => authorizer.rules?.(user, namespace) ?? noRules() }),
  }
}

const noRules = async () => ({ resourceRules: [], nonResourceRules: [], incomplete: false })
