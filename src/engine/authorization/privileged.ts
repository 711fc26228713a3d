/** Members of system:masters may do everything, whatever the configured modes say (document 2, "Role-based access objects", rule 8). */
import type { Authorizer, Verdict } from './authorizer'

export const SUPERUSERS = 'system:masters'

const PASSES: Verdict = { decision: 'allow', reason: '', by: { type: 'Superusers', name: SUPERUSERS } }
const OTHERS: Verdict = { decision: 'noOpinion', reason: '' }

export const superusers: Authorizer = { authorize: ({ user }) => (user.groups.includes(SUPERUSERS) ? PASSES : OTHERS) }
