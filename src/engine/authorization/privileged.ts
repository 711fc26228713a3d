/** Members of system:masters may do everything, whatever the configured modes say (document 2, "Role-based access objects", rule 8). */
import type { Authorizer } from './authorizer'

export const SUPERUSERS = 'system:masters'

export const superusers: Authorizer = {
  authorize: ({ user }) => ({ decision: user.groups.includes(SUPERUSERS) ? 'allow' : 'noOpinion', reason: '' }),
}
