/** system:masters may do everything (kubernetes.io, "Role Based Access Control Good Practices"). */
import type { Authorizer, Decider, Verdict } from './authorizer'

export const SUPERUSERS = 'system:masters'

export const SUPERUSER_MODE: Decider = { type: 'Superusers', name: SUPERUSERS }

const PASSES: Verdict = { decision: 'allow', reason: '', by: SUPERUSER_MODE }
const OTHERS: Verdict = { decision: 'noOpinion', reason: '' }

export const superusers: Authorizer = {
  authorize: ({ user }) => (user.groups.includes(SUPERUSERS) ? PASSES : OTHERS),
  holders: () => [{ subject: { kind: 'Group', name: SUPERUSERS } }],
}
