/** The first method with a result decides (kubernetes.io, "Authenticating"). */

import { memoizeByIdentity } from '../core/identity-memo'
import { append } from '../core/lists'
import { chain, findInOrder } from '../core/maybe-promise'
import type { ApiRequest } from '../http/messages'

export interface UserInfo {
  name: string
  uid?: string
  groups: string[]
  extra?: Record<string, string[]>
}

export interface AuthenticationContext {
  /** Of the server; a credential must be issued for one of them. */
  audiences: readonly string[]
  /** Of the audit event. */
  annotations: Record<string, string>
  warnings: string[]
}

/** undefined: no credential of this kind. */
export type Authentication =
  | { user: UserInfo; audiences: readonly string[] }
  | { errors: readonly string[] }
  | undefined

export interface Authenticator {
  authenticate(
    request: ApiRequest,
    circumstances: AuthenticationContext,
  ): Promise<Authentication> | Authentication
}

export const ANONYMOUS: UserInfo = { name: 'system:anonymous', groups: ['system:unauthenticated'] }

export interface Anonymous {
  enabled: boolean
  paths?: readonly string[]
}

/** Adds `system:authenticated`. Rejects credentials that no authenticator accepts. */
export function authenticatorChain(
  authenticators: readonly Authenticator[],
  { enabled, paths = [] }: Anonymous,
): Authenticator {
  return {
    authenticate(request, circumstances) {
      const allowsAnonymous = enabled && (paths.length === 0 || paths.includes(pathOf(request)))
      const anonymous = allowsAnonymous
        ? { user: ANONYMOUS, audiences: circumstances.audiences }
        : undefined
      const errors: string[] = []
      const found = findInOrder(authenticators, (authenticator) =>
        chain(authenticator.authenticate(request, circumstances), (outcome) =>
          accepted(outcome, errors),
        ),
      )
      return chain(found, (known) => known ?? (errors.length > 0 ? { errors } : anonymous))
    },
  }
}

function pathOf({ target }: ApiRequest): string {
  const [path = ''] = target.split('?')
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** @returns undefined if another method must decide; errors are collected */
function accepted(outcome: Authentication, errors: string[]): Authentication {
  if (outcome === undefined) return undefined
  if ('user' in outcome)
    return { user: withAuthenticatedGroup(outcome.user), audiences: outcome.audiences }
  append(errors, outcome.errors)
  return undefined
}

function withAuthenticatedGroup(user: UserInfo): UserInfo {
  if (
    user.groups.includes('system:authenticated') ||
    user.groups.includes('system:unauthenticated')
  )
    return user
  return joined(user)
}

/** Users of a session or a token recur. */
const joined = memoizeByIdentity(
  (user: UserInfo): UserInfo => ({ ...user, groups: [...user.groups, 'system:authenticated'] }),
)
