/**
 * system:masters has all permissions in all modes (kubernetes.io, "Role Based Access Control Good
 * Practices", "Least privilege").
 */
import type { Authorizer, Decider, Verdict } from './authorizer'

export const SUPERUSERS = 'system:masters'

/** Comes before every configured mode. */
export const SUPERUSER_MODE: Decider = { type: 'Superusers', name: SUPERUSERS }

const PASSES: Verdict = { decision: 'allow', reason: '', by: SUPERUSER_MODE }
const OTHERS: Verdict = { decision: 'noOpinion', reason: '' }

export const superusers: Authorizer = {
  authorize: ({ user }) => (user.groups.includes(SUPERUSERS) ? PASSES : OTHERS),
  holders: () => [{ subject: { kind: 'Group', name: SUPERUSERS } }],
}
