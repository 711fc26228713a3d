/** OpenID Connect Core 1.0, section 5.6.2. */
import { entryOf, isJsonObject, type Json, type JsonObject } from '../../core/object'
import { goQuote } from '../../schema/go-text'
import { parseJwt } from '../service-accounts/jwt'
import { ProviderError } from './provider-keys'
import { issuerOf } from './verification'

export interface ClaimSources {
  /** @throws ProviderError */
  fetch(url: string, accessToken: string): Promise<string>
  /** @throws ProviderError */
  verify(issuer: string, token: string): Promise<JsonObject>
}

/** @throws ProviderError */
export async function withDistributedClaim(
  claims: JsonObject,
  claim: string,
  sources: ClaimSources,
): Promise<JsonObject> {
  const names = claims._claim_names
  if (Object.hasOwn(claims, claim) || names === undefined) return claims
  const source = entryOf(textsIn(names, 'oidc: error parsing distributed claim names'), claim)
  if (claims._claim_sources === undefined) throw new ProviderError('oidc: no claim sources')
  const places = isJsonObject(claims._claim_sources) ? claims._claim_sources : undefined
  if (places === undefined)
    throw new ProviderError('oidc: could not parse claim sources: it is not an object')
  if (source === undefined) return claims
  const place = places[source]
  if (!isJsonObject(place))
    throw new ProviderError(
      `id token _claim_names contained a source ${source} missing in _claims_sources`,
    )
  const { endpoint = '', access_token: accessToken = '' } = place
  if (typeof endpoint !== 'string' || endpoint === '') return claims
  return { ...claims, [claim]: await resolved(endpoint, String(accessToken), claim, sources) }
}

async function resolved(
  endpoint: string,
  accessToken: string,
  claim: string,
  sources: ClaimSources,
): Promise<Json> {
  const doing = async <Value>(what: string, run: () => Promise<Value>): Promise<Value> => {
    try {
      return await run()
    } catch (error) {
      throw error instanceof ProviderError ? new ProviderError(`${what}: ${error.message}`) : error
    }
  }
  const token = await doing(`while getting distributed claim ${goQuote(claim)}`, () =>
    sources.fetch(endpoint, accessToken),
  )
  const jwt = parseJwt(token)
  if (jwt === undefined)
    throw new ProviderError(
      `getting untrusted issuer from endpoint ${endpoint} failed for claim ${goQuote(claim)}: malformed token`,
    )
  const found = await doing('verify distributed claim token', () =>
    sources.verify(issuerOf(jwt), token),
  )
  const value = entryOf(found, claim)
  if (value === undefined)
    throw new ProviderError(
      `jwt returned by distributed claim endpoint ${goQuote(endpoint)} did not contain claim: ${claim}`,
    )
  return value
}

function textsIn(value: Json, doing: string): Record<string, string> {
  if (!isJsonObject(value)) throw new ProviderError(`${doing}: it is not an object`)
  return Object.fromEntries(Object.entries(value).map(([name, text]) => [name, String(text)]))
}
