/** `--oidc-*`: ID tokens of an identity provider (document 2, "ID token of an identity provider"; OpenID Connect Core 1.0, section 2; public documentation). */
import { type Clock, fitsAlgorithm, type Jwk, SIGNATURE_ALGORITHMS, type Signatures } from '../environment'
import type { Json, JsonObject } from '../object'
import type { Outbound } from '../outbound'
import { goQuote } from '../schema/go-text'
import type { UserInfo } from './authenticator'
import { ProviderError, ProviderKeys } from './provider-keys'
import { audiencesOf, textAt } from './service-accounts/claims'
import { type Jwt, parseJwt } from './service-accounts/jwt'
import { quotedList } from './service-accounts/validity'

export interface IdentityProvider {
  /** `https://…`: who issues the tokens, and below which its documents are found. */
  issuer: string
  /** Whom its tokens must be made for. */
  clientId: string
  /** Certificates in PEM that vouch for the provider; absent: those that the host trusts. */
  certificates?: string
  algorithms: readonly string[]
  username: { claim: string; prefix: string }
  groups?: { claim: string; prefix: string }
  /** Claims that a token must have, with these values. */
  required: Readonly<Record<string, string>>
}

export interface ProviderEnvironment {
  clock: Clock
  signatures: Signatures
  outbound?: Outbound | undefined
}

/** How ID tokens may be signed. */
export const ALGORITHMS: readonly string[] = SIGNATURE_ALGORITHMS

/** How much earlier than it says a token counts, in seconds. */
const NOT_BEFORE_LEEWAY = 300

/** @returns whose an ID token is. undefined: the token is of somebody else. */
export function providerUsers(provider: IdentityProvider, environment: ProviderEnvironment) {
  const keys = new ProviderKeys(provider, environment)
  return async (token: string): Promise<UserInfo | { refused: string[] } | undefined> => {
    const jwt = parseJwt(token)
    if (jwt === undefined || textAt(jwt.claims, 'iss') !== provider.issuer) return undefined
    try {
      await verify(jwt, provider, keys, environment)
      return userIn(jwt.claims, provider)
    } catch (error) {
      if (error instanceof ProviderError) return { refused: [`oidc: ${error.message}`] }
      throw error
    }
  }
}

/** @throws ProviderError */
async function verify(jwt: Jwt, provider: IdentityProvider, keys: ProviderKeys, environment: ProviderEnvironment): Promise<void> {
  const wrong = (why: string) => new ProviderError(`verify token: ${why}`)
  const { claims, header } = jwt
  const audiences = audiencesOf(claims)
  if (!audiences.includes(provider.clientId))
    throw wrong(`oidc: expected audience ${goQuote(provider.clientId)} got ${quotedList(audiences)}`)
  const now = environment.clock.now() / 1000
  const [expires, notBefore] = [secondsAt(claims, 'exp'), secondsAt(claims, 'nbf')]
  if (expires === undefined || now > expires) throw wrong(`oidc: token is expired (Token Expiry: ${goTime(expires ?? 0)})`)
  if (notBefore !== undefined && now + NOT_BEFORE_LEEWAY < notBefore)
    throw wrong(`oidc: current time ${goTime(now)} before the nbf (not before) time: ${goTime(notBefore)}`)
  const algorithm = textAt(header, 'alg')
  if (!provider.algorithms.includes(algorithm))
    throw wrong(`oidc: id token signed with unsupported algorithm, expected ${quotedList(provider.algorithms)} got ${goQuote(algorithm)}`)
  const signed = async (key: Jwk) =>
    fitsAlgorithm(key, algorithm) && (await environment.signatures.verify(key, jwt.signature, jwt.signed, algorithm))
  if (!(await keys.some(textAt(header, 'kid'), signed))) throw wrong('failed to verify signature: failed to verify id token signature')
}

function secondsAt(claims: JsonObject, name: string): number | undefined {
  const value = claims[name]
  return typeof value === 'number' ? value : undefined
}

/** `2026-01-01 00:00:00 +0000 UTC` */
const goTime = (seconds: number): string => `${new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')} +0000 UTC`

/** @throws ProviderError */
function userIn(claims: JsonObject, { username, groups, required }: IdentityProvider): UserInfo {
  if (username.claim === 'email' && claims.email_verified !== undefined && claims.email_verified !== true)
    throw new ProviderError('email not verified')
  const name = textAt(claims, username.claim)
  if (name === '') throw new ProviderError(`parse username claims ${goQuote(username.claim)}: claim not present`)
  for (const [claim, wanted] of Object.entries(required)) {
    if (claims[claim] === undefined) throw new ProviderError(`required claim ${claim} not present in ID token`)
    const value = textAt(claims, claim)
    if (value !== wanted) throw new ProviderError(`required claim ${claim} value does not match. Got = ${value}, want = ${wanted}`)
  }
  return { name: username.prefix + name, groups: groups ? groupsIn(claims[groups.claim], groups) : [] }
}

/** One group may stand alone. @throws ProviderError */
function groupsIn(value: Json | undefined, { claim, prefix }: { claim: string; prefix: string }): string[] {
  if (value === undefined) return []
  const listed = Array.isArray(value) ? value : [value]
  return listed.map((group) => {
    if (typeof group !== 'string') throw new ProviderError(`parse groups claim ${goQuote(claim)}: a group is no text`)
    return prefix + group
  })
}
