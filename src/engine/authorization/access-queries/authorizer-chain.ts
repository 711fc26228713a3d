/** Runs the authorizers with the verdict of each. */

import { aggregateMessage } from '../../core/aggregate-message'
import type { Attributes, Authorizer, Decider, Verdict } from '../authorizer'
import { rbacAuthorizer } from '../rbac/authorizer'
import type { RoleIndex } from '../rbac/role-index'
import type { Caveat, Step } from './types'

/** Without metrics. */
export interface ConfiguredAuthorizer {
  by: Decider
  authorizer: Authorizer
}

export function withRoles(
  row: readonly ConfiguredAuthorizer[],
  roles: RoleIndex,
): ConfiguredAuthorizer[] {
  return row.map((one) =>
    one.by.type === 'RBAC' ? { by: one.by, authorizer: rbacAuthorizer(roles) } : one,
  )
}

export interface ChainDecision {
  decision: Verdict['decision']
  reason: string
  error?: string
  by?: Decider
  steps: Step[]
}

export async function authorizeWithSteps(
  row: readonly ConfiguredAuthorizer[],
  attributes: Attributes,
): Promise<ChainDecision> {
  const steps: Step[] = []
  const reasons: string[] = []
  const errors: string[] = []
  let decided: Omit<ChainDecision, 'steps'> | undefined
  for (const { by, authorizer } of row) {
    if (decided !== undefined) {
      steps.push({ by })
      continue
    }
    const verdict = authorizer.authorize(attributes)
    const { decision, reason, error } = verdict instanceof Promise ? await verdict : verdict
    steps.push({ by, verdict: { decision, reason, ...(error === undefined ? {} : { error }) } })
    if (decision !== 'noOpinion')
      decided = { decision, reason, by, ...(error === undefined ? {} : { error }) }
    else {
      if (reason !== '') reasons.push(reason)
      if (error !== undefined) errors.push(error)
    }
  }
  const noOpinion = {
    decision: 'noOpinion' as const,
    reason: reasons.join('\n'),
    ...(errors.length > 0 ? { error: aggregateMessage(errors) } : {}),
  }
  return { ...(decided ?? noOpinion), steps }
}

/** Only single queries call webhooks. */
export function withoutWebhooks(row: readonly ConfiguredAuthorizer[]): {
  row: ConfiguredAuthorizer[]
  caveats: Caveat[]
} {
  const isWebhook = ({ by }: ConfiguredAuthorizer) => by.type === 'Webhook'
  return {
    row: row.filter((one) => !isWebhook(one)),
    caveats: row.filter(isWebhook).map(({ by }) => ({
      kind: 'not-evaluated',
      by,
      text: `The webhook ${by.name} was not called: it may allow more, and deny what authorizers behind it allow.`,
    })),
  }
}

const WITHOUT_PAST = ['Node', 'ABAC']

/** These modes have no history. */
export function currentStateCaveats(row: readonly ConfiguredAuthorizer[]): Caveat[] {
  return row
    .filter(({ by }) => WITHOUT_PAST.includes(by.type))
    .map(({ by }) => ({
      kind: 'current-state',
      by,
      text: `The mode ${by.type} goes by what there is now, not by what there was.`,
    }))
}
