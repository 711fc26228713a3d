/** Who asks. One file per method; the first that answers decides (document 2, "Authentication"). */
import type { ApiRequest } from '../http/messages'

export interface UserInfo {
  name: string
  uid?: string
  groups: string[]
  extra?: Record<string, string[]>
}

/** undefined: no opinion (no credential of this kind). `refused`: a credential is there and is wrong. */
export type Authentication = { user: UserInfo } | 'refused' | undefined

export interface Authenticator {
  authenticate(request: ApiRequest): Promise<Authentication> | Authentication
}

export const ANONYMOUS: UserInfo = { name: 'system:anonymous', groups: ['system:unauthenticated'] }

/** Asks each authenticator in turn. Success joins `system:authenticated`; a wrong credential that nobody takes is refused. */
export function authenticatorChain(authenticators: Authenticator[], options: { anonymous: boolean }): Authenticator {
  return {
    async authenticate(request) {
      let refused = false
      for (const authenticator of authenticators) {
        const answer = authenticator.authenticate(request)
        const outcome = answer instanceof Promise ? await answer : answer
        if (outcome === 'refused') refused = true
        else if (outcome !== undefined) return { user: withAuthenticatedGroup(outcome.user) }
      }
      return refused || !options.anonymous ? 'refused' : { user: ANONYMOUS }
    },
  }
}

const known = new WeakMap<UserInfo, UserInfo>()

function withAuthenticatedGroup(user: UserInfo): UserInfo {
  if (user.groups.includes('system:authenticated') || user.groups.includes('system:unauthenticated')) return user
  const cached = known.get(user)
  if (cached) return cached
  const joined = { ...user, groups: [...user.groups, 'system:authenticated'] }
  known.set(user, joined)
  return joined
}

/** The credential of `Authorization: Bearer …`; the scheme's case does not matter, an empty token is none. */
export function bearerToken(request: ApiRequest): string | undefined {
  const header = request.header('authorization')
  if (header === undefined) return undefined
  const parts = header.trim().split(' ')
  if (parts.length < 2 || parts[0]?.toLowerCase() !== 'bearer') return undefined
  return parts[1] === '' ? undefined : parts[1]
}
