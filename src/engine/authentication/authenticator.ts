/** Who asks. One file per method; the first that answers decides (document 2, "Authentication"). */

import type { ApiRequest } from '../http/messages'
import { append } from '../lists'

export interface UserInfo {
  name: string
  uid?: string
  groups: string[]
  extra?: Record<string, string[]>
}

/** Under what a credential is looked at, and what there is to say of it besides. */
export interface Circumstances {
  /** Who is asking for the credential: it must have been made for one of them. */
  audiences: readonly string[]
  /** Gets annotations of the audit event. */
  annotations: Record<string, string>
  /** Gets texts for the response's Warning header. */
  warnings: string[]
}

/**
 * What a credential turned out to be. `audiences`: those of the circumstances that it was made for. `refused`: a credential is
 * there and is wrong, and why. undefined: no opinion (no credential of this kind).
 */
export type Authentication =
  | { user: UserInfo; audiences: readonly string[] }
  | { refused: readonly string[] }
  | undefined

export interface Authenticator {
  authenticate(
    request: ApiRequest,
    circumstances: Circumstances,
  ): Promise<Authentication> | Authentication
}

export const ANONYMOUS: UserInfo = { name: 'system:anonymous', groups: ['system:unauthenticated'] }

/** Whether requests without a credential are let in; where there are paths, those for one of them alone. */
export interface Anonymous {
  enabled: boolean
  paths?: readonly string[]
}

/** Asks each authenticator in turn. Success joins `system:authenticated`; a wrong credential that nobody takes is refused. */
export function authenticatorChain(
  authenticators: readonly Authenticator[],
  { enabled, paths = [] }: Anonymous,
): Authenticator {
  return {
    authenticate(request, circumstances) {
      const isWelcome = enabled && (paths.length === 0 || paths.includes(pathOf(request)))
      const nobody = isWelcome ? { user: ANONYMOUS, audiences: circumstances.audiences } : undefined
      return ask(authenticators, request, circumstances, 0, [], nobody)
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

/**
 * Stays synchronous as long as the methods do: this is asked on every request.
 * @param refused why credentials were refused so far
 * @param nobody the answer if no method has anything to say
 */
function ask(
  authenticators: readonly Authenticator[],
  request: ApiRequest,
  circumstances: Circumstances,
  next: number,
  refused: string[],
  nobody: Authentication,
): Promise<Authentication> | Authentication {
  for (let i = next; i < authenticators.length; i++) {
    const outcome = (authenticators[i] as Authenticator).authenticate(request, circumstances)
    if (outcome instanceof Promise)
      return outcome.then(
        (late) =>
          accepted(late, refused) ??
          ask(authenticators, request, circumstances, i + 1, refused, nobody),
      )
    const found = accepted(outcome, refused)
    if (found !== undefined) return found
  }
  return refused.length > 0 ? { refused } : nobody
}

/** @returns undefined: somebody else may know; why a credential was refused is noted */
function accepted(outcome: Authentication, refused: string[]): Authentication {
  if (outcome === undefined) return undefined
  if ('user' in outcome)
    return { user: withAuthenticatedGroup(outcome.user), audiences: outcome.audiences }
  append(refused, outcome.refused)
  return undefined
}

const known = new WeakMap<UserInfo, UserInfo>()

function withAuthenticatedGroup(user: UserInfo): UserInfo {
  if (
    user.groups.includes('system:authenticated') ||
    user.groups.includes('system:unauthenticated')
  )
    return user
  const cached = known.get(user)
  if (cached) return cached
  const joined = { ...user, groups: [...user.groups, 'system:authenticated'] }
  known.set(user, joined)
  return joined
}
