/**
 * kubernetes.io, "Putting a bearer token in a request"; RFC 6750, section 2.1. Accepted forms
 * recorded from kube-apiserver 1.31.
 */

import { append } from '../core/lists'
import { chain, findInOrder, type MaybePromise } from '../core/maybe-promise'
import type { ApiRequest } from '../http/messages'
import type {
  Authentication,
  AuthenticationContext,
  Authenticator,
  UserInfo,
} from './authenticator'

/** undefined: an unknown token. */
export interface TokenAuthenticator {
  authenticate(
    token: string,
    circumstances: AuthenticationContext,
  ): Promise<Authentication> | Authentication
}

const INVALID_TOKEN = 'invalid bearer token'
const SCHEME = 'bearer'
const EXTRA_SPACE =
  'the provided Authorization header contains extra space before the bearer token, and is ignored'

export function bearerTokens(methods: readonly TokenAuthenticator[]): Authenticator {
  return {
    authenticate(request, circumstances) {
      const token = bearerToken(request, circumstances)
      return token === undefined ? undefined : authenticateToken(methods, token, circumstances)
    },
  }
}

/** @returns the errors of all methods if none accepts the token */
export function authenticateToken(
  methods: readonly TokenAuthenticator[],
  token: string,
  circumstances: AuthenticationContext,
): MaybePromise<Authentication> {
  const errors = [INVALID_TOKEN]
  const found = findInOrder(methods, (method) =>
    chain(method.authenticate(token, circumstances), (outcome) => {
      if (outcome === undefined || 'user' in outcome) return outcome
      append(errors, outcome.errors)
      return undefined
    }),
  )
  return chain(found, (user) => user ?? { errors })
}

/** An empty token counts as absent. */
function bearerToken(request: ApiRequest, { warnings }: AuthenticationContext): string | undefined {
  const header = request.header('authorization')
  if (header === undefined) return undefined
  const text = header.trim()
  const start = SCHEME.length + 1
  if (text.indexOf(' ') !== SCHEME.length || text.slice(0, SCHEME.length).toLowerCase() !== SCHEME)
    return undefined
  const end = text.indexOf(' ', start)
  if (end !== start) return text.slice(start, end < 0 ? undefined : end)
  warnings.push(EXTRA_SPACE)
  return undefined
}

type Found = UserInfo | { errors: readonly string[] } | undefined

/** Tokens without an audience are for the server. */
export function tokensForServer(
  server: readonly string[],
  userOf: (token: string) => Promise<Found> | Found,
): TokenAuthenticator {
  const accepted = (found: Found, audiences: readonly string[]) =>
    found && ('errors' in found ? found : { user: found, audiences })
  return {
    authenticate(token, circumstances) {
      const audiences =
        circumstances.audiences === server
          ? server
          : server.filter((audience) => circumstances.audiences.includes(audience))
      if (audiences.length === 0) return undefined
      return chain(userOf(token), (found) => accepted(found, audiences))
    },
  }
}
