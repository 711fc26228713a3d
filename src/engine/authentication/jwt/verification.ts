/** OpenID Connect Core 1.0, section 3.1.3.7. Messages: github.com/coreos/go-oidc. */
import { type Clock, fitsAlgorithm, type Jwk, type Signatures } from '../../core/environment'
import type { JsonObject } from '../../core/object'
import { goQuote } from '../../schema/go-text'
import { audiencesOf, textAt } from '../service-accounts/claims'
import { isUnderstood, type Jwt, parseJwt } from '../service-accounts/jwt'
import { quotedList } from '../service-accounts/validity'
import { ProviderError, type ProviderKeys } from './provider-keys'

/** In seconds. */
const NOT_BEFORE_LEEWAY = 60

/** Google uses two forms. */
export function issuerOf({ claims }: Jwt): string {
  const issuer = textAt(claims, 'iss')
  return issuer === 'accounts.google.com' ? `https://${issuer}` : issuer
}

export interface Expected {
  /** The token must have one of these. */
  audiences: readonly string[]
  algorithms: readonly string[]
}

/** @throws ProviderError */
export async function verifiedClaims(
  token: string,
  { audiences, algorithms }: Expected,
  keys: ProviderKeys,
  { clock, signatures }: { clock: Clock; signatures: Signatures },
): Promise<JsonObject> {
  const jwt = parseJwt(token)
  if (jwt === undefined) throw new ProviderError('oidc: malformed jwt')
  const { claims, header } = jwt
  const named = audiencesOf(claims)
  const isForUs = audiences.some((one) => named.includes(one))
  const [only] = audiences
  if (!isForUs && audiences.length === 1)
    throw new ProviderError(
      `oidc: expected audience ${goQuote(only ?? '')} got ${quotedList(named)}`,
    )
  checkTimes(claims, clock.now() / 1000)
  const algorithm = textAt(header, 'alg')
  if (!algorithms.includes(algorithm))
    throw new ProviderError(
      `oidc: id token signed with unsupported algorithm, expected ${quotedList(algorithms)} got ${goQuote(algorithm)}`,
    )
  const understood = isUnderstood(header)
  const signed = async (key: Jwk) =>
    understood &&
    fitsAlgorithm(key, algorithm) &&
    (await signatures.verify(key, jwt.signature, jwt.signed, algorithm))
  if (!(await keys.some(textAt(header, 'kid'), signed)))
    throw new ProviderError('failed to verify signature: failed to verify id token signature')
  if (!isForUs)
    throw new ProviderError(
      `oidc: expected audience in ${quotedList([...audiences].sort())} got ${quotedList(named)}`,
    )
  return claims
}

function checkTimes(claims: JsonObject, now: number): void {
  const [expires, notBefore] = [secondsAt(claims, 'exp'), secondsAt(claims, 'nbf')]
  if (expires === undefined || now > expires)
    throw new ProviderError(`oidc: token is expired (Token Expiry: ${goTime(expires ?? 0)})`)
  if (notBefore !== undefined && now + NOT_BEFORE_LEEWAY < notBefore)
    throw new ProviderError(
      `oidc: current time ${goTime(now)} before the nbf (not before) time: ${goTime(notBefore)}`,
    )
}

function secondsAt(claims: JsonObject, name: string): number | undefined {
  const value = claims[name]
  return typeof value === 'number' ? value : undefined
}

/** `2026-01-01 00:00:00 +0000 UTC` */
const goTime = (seconds: number): string =>
  `${new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')} +0000 UTC`
