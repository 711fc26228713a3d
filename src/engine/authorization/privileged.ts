/** Members of system:masters may do everything, whatever the configured modes say (document 2, "Role-based access objects", rule 8). */
import type { Authorizer, Decider, Verdict } from './authorizer'

export const SUPERUSERS = 'system:masters'

/** What stands above every configuration, as a decider. */
export const SUPERUSER_MODE: Decider = { type: 'Superusers', name: SUPERUSERS }

const PASSES: Verdict = { decision: 'allow', reason: '', by: SUPERUSER_MODE }
const OTHERS: Verdict = { decision: 'noOpinion', reason: '' }

export const superusers: Authorizer = {
  authorize: ({ user }) => (user.groups.includes(SUPERUSERS) ? PASSES : OTHERS),
  holders: () => [{ subject: { kind: 'Group', name: SUPERUSERS } }],
}
