/** The authorizers of a server one after the other, as who asks about rights sees them: what each says, where a union only tells the end. */
import type { Attributes, Authorizer, Decider, Verdict } from '../authorizer'
import { aggregated } from '../errors'
import { rbacAuthorizer } from '../rbac/authorizer'
import type { RoleIndex } from '../rbac/role-index'
import type { Caveat, Step } from './questions'

/** An authorizer as it stands in the configuration, without anything that counts its decisions. */
export interface Configured {
  by: Decider
  authorizer: Authorizer
}

/** The same row over other roles: those of another time. */
export function overRoles(row: readonly Configured[], roles: RoleIndex): Configured[] {
  return row.map((one) =>
    one.by.type === 'RBAC' ? { by: one.by, authorizer: rbacAuthorizer(roles) } : one,
  )
}

export interface Told {
  decision: Verdict['decision']
  reason: string
  error?: string
  by?: Decider
  steps: Step[]
}

/** Asks one after the other until one decides. */
export async function askRow(row: readonly Configured[], attributes: Attributes): Promise<Told> {
  const steps: Step[] = []
  const reasons: string[] = []
  const errors: string[] = []
  let told: Omit<Told, 'steps'> | undefined
  for (const { by, authorizer } of row) {
    if (told !== undefined) {
      steps.push({ by })
      continue
    }
    const answer = authorizer.authorize(attributes)
    const { decision, reason, error } = answer instanceof Promise ? await answer : answer
    steps.push({ by, verdict: { decision, reason, ...(error === undefined ? {} : { error }) } })
    if (decision !== 'noOpinion')
      told = { decision, reason, by, ...(error === undefined ? {} : { error }) }
    else {
      if (reason !== '') reasons.push(reason)
      if (error !== undefined) errors.push(error)
    }
  }
  const nobody = {
    decision: 'noOpinion' as const,
    reason: reasons.join('\n'),
    ...(errors.length > 0 ? { error: aggregated(errors) } : {}),
  }
  return { ...(told ?? nobody), steps }
}

/** Webhooks are called for a question that somebody asks, not for a table of them. */
export function withoutWebhooks(row: readonly Configured[]): {
  row: Configured[]
  caveats: Caveat[]
} {
  const isWebhook = ({ by }: Configured) => by.type === 'Webhook'
  return {
    row: row.filter((one) => !isWebhook(one)),
    caveats: row.filter(isWebhook).map(({ by }) => ({
      kind: 'unasked',
      by,
      text: `The webhook ${by.name} was not called: it may allow more, and deny what authorizers behind it allow.`,
    })),
  }
}

const WITHOUT_PAST = ['Node', 'ABAC']

/** Which modes show how things stand now in an answer about another time. */
export function presentCaveats(row: readonly Configured[]): Caveat[] {
  return row
    .filter(({ by }) => WITHOUT_PAST.includes(by.type))
    .map(({ by }) => ({
      kind: 'present',
      by,
      text: `The mode ${by.type} goes by what there is now, not by what there was.`,
    }))
}
