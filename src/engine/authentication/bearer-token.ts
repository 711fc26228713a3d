/** `Authorization: Bearer …` (document 2, "Bearer token"; RFC 6750, section 2.1; forms recorded). */
import type { ApiRequest } from '../http/messages'
import type { Authentication, Authenticator, Circumstances, UserInfo } from './authenticator'

/** One kind of token. undefined: the token is of another kind, or not known. */
export interface TokenAuthenticator {
  authenticate(
    token: string,
    circumstances: Circumstances,
  ): Promise<Authentication> | Authentication
}

const REFUSED: readonly string[] = ['invalid bearer token']
const SCHEME = 'bearer'
const EXTRA_SPACE =
  'the provided Authorization header contains extra space before the bearer token, and is ignored'

/** The first method that knows the token decides; a token that none knows is refused with what they said of it. */
export function bearerTokens(methods: readonly TokenAuthenticator[]): Authenticator {
  return {
    authenticate(request, circumstances) {
      const token = bearerToken(request, circumstances)
      return token === undefined ? undefined : firstThatKnows(methods, token, circumstances)
    },
  }
}

/** Stays synchronous as long as the methods do: this is asked on every request. @param refused what was said of the token so far */
export function firstThatKnows(
  methods: readonly TokenAuthenticator[],
  token: string,
  circumstances: Circumstances,
  next = 0,
  refused: readonly string[] = REFUSED,
): Authentication | Promise<Authentication> {
  let heard = refused
  for (let i = next; i < methods.length; i++) {
    const outcome = (methods[i] as TokenAuthenticator).authenticate(token, circumstances)
    if (outcome instanceof Promise) {
      return outcome.then((late) => {
        if (late !== undefined && 'user' in late) return late
        return firstThatKnows(
          methods,
          token,
          circumstances,
          i + 1,
          late === undefined ? heard : [...heard, ...late.refused],
        )
      })
    }
    if (outcome === undefined) continue
    if ('user' in outcome) return outcome
    heard = [...heard, ...outcome.refused]
  }
  return { refused: heard }
}

/** The scheme's case does not matter, what follows the token is ignored, an empty token is none. */
function bearerToken(request: ApiRequest, { warnings }: Circumstances): string | undefined {
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

/** Whose a token is, or what is wrong with it. */
type Found = UserInfo | { refused: readonly string[] } | undefined

/**
 * Tokens that name no audience are for the server itself, by whatever name it is asked for.
 * @param server the server's own audiences
 */
export function tokensForServer(
  server: readonly string[],
  userOf: (token: string) => Promise<Found> | Found,
): TokenAuthenticator {
  const accepted = (found: Found, audiences: readonly string[]) =>
    found && ('refused' in found ? found : { user: found, audiences })
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
