/**
 * `Authorization: Bearer` (kubernetes.io, "Authenticating", "Putting a bearer token in a request";
 * RFC 6750, section 2.1). Accepted forms recorded from kube-apiserver 1.31.
 */
import type { ApiRequest } from '../http/messages'
import type {
  Authentication,
  AuthenticationContext,
  Authenticator,
  UserInfo,
} from './authenticator'

/** One kind of token. undefined: the token is of another kind, or not known. */
export interface TokenAuthenticator {
  authenticate(
    token: string,
    circumstances: AuthenticationContext,
  ): Promise<Authentication> | Authentication
}

const INVALID_TOKEN: readonly string[] = ['invalid bearer token']
const SCHEME = 'bearer'
const EXTRA_SPACE =
  'the provided Authorization header contains extra space before the bearer token, and is ignored'

/**
 * The first method that accepts the token decides. A token that none accepts is rejected with all
 * errors.
 */
export function bearerTokens(methods: readonly TokenAuthenticator[]): Authenticator {
  return {
    authenticate(request, circumstances) {
      const token = bearerToken(request, circumstances)
      return token === undefined ? undefined : authenticateToken(methods, token, circumstances)
    },
  }
}

/**
 * Stays synchronous as long as the methods do, because every request passes here. @param errors of
 * the token so far
 */
export function authenticateToken(
  methods: readonly TokenAuthenticator[],
  token: string,
  circumstances: AuthenticationContext,
  next = 0,
  errors: readonly string[] = INVALID_TOKEN,
): Authentication | Promise<Authentication> {
  let collected = errors
  for (let i = next; i < methods.length; i++) {
    const outcome = (methods[i] as TokenAuthenticator).authenticate(token, circumstances)
    if (outcome instanceof Promise) {
      return outcome.then((late) => {
        if (late !== undefined && 'user' in late) return late
        return authenticateToken(
          methods,
          token,
          circumstances,
          i + 1,
          late === undefined ? collected : [...collected, ...late.errors],
        )
      })
    }
    if (outcome === undefined) continue
    if ('user' in outcome) return outcome
    collected = [...collected, ...outcome.errors]
  }
  return { errors: collected }
}

/** The scheme's case does not matter, what follows the token is ignored, an empty token is none. */
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

/** The user of a token, or the errors of an invalid one. */
type Found = UserInfo | { errors: readonly string[] } | undefined

/**
 * Tokens without an audience are for the server itself, so they get the server's audiences.
 * @param server the server's own audiences
 */
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
      const user = userOf(token)
      return user instanceof Promise
        ? user.then((found) => accepted(found, audiences))
        : accepted(user, audiences)
    },
  }
}
