/** OpenID Connect Core 1.0; kubernetes.io, "OpenID Connect Tokens". */
import type { Clock, Signatures } from '../../core/environment'
import { entryOf, type JsonObject } from '../../core/object'
import type { Outbound } from '../../core/outbound'
import type { UserInfo } from '../authenticator'
import { parseJwt } from '../service-accounts/jwt'
import type { JwtAuthenticator } from './configuration'
import { withDistributedClaim } from './distributed-claims'
import { userOfClaims } from './mapping'
import type { JwtMetrics } from './metrics'
import { fetchText, ProviderError, ProviderKeys } from './provider-keys'
import type { CompiledAuthenticator } from './validate'
import { issuerOf, verifiedClaims } from './verification'

export interface ProviderEnvironment {
  clock: Clock
  signatures: Signatures
  outbound?: Outbound | undefined
  algorithms: readonly string[]
  /** JSON Web Key Sets by issuer, instead of fetching. */
  keySets?: Readonly<Record<string, string>> | undefined
  metrics: JwtMetrics
}

/** undefined for another issuer. */
export type TokenUser = (token: string) => Promise<UserInfo | { errors: string[] } | undefined>

export function providerUsers(
  configuration: JwtAuthenticator,
  compiled: CompiledAuthenticator,
  environment: ProviderEnvironment,
): TokenUser {
  const { url = '', audiences = [] } = configuration.issuer ?? {}
  const { clock, metrics, algorithms } = environment
  const issuers = new IssuerKeys(configuration, environment)
  const verify = (issuer: string, token: string) =>
    verifiedClaims(token, { audiences, algorithms }, issuers.of(issuer), environment)
  const { certificateAuthority } = configuration.issuer ?? {}
  const fetch = (address: string, accessToken: string) =>
    fetchText(address, {
      ...environment,
      ...(certificateAuthority && { certificates: certificateAuthority }),
      accessToken,
    })
  const groupsClaim = configuration.claimMappings?.groups?.claim ?? ''

  async function claimsOf(token: string): Promise<JsonObject> {
    const claims = await naming('verify token', () => verify(url, token))
    if (groupsClaim === '') return claims
    return naming('could not expand distributed claims', () =>
      withDistributedClaim(claims, groupsClaim, { fetch, verify }),
    )
  }

  return async (token) => {
    const jwt = parseJwt(token)
    if (jwt === undefined || issuerOf(jwt) !== url) return undefined
    const begun = clock.now()
    const took = (result: 'success' | 'failure') =>
      metrics.authenticated(url, result, (clock.now() - begun) / 1000)
    try {
      const user = userOfClaims(await claimsOf(token), configuration, compiled)
      took('success')
      return user
    } catch (error) {
      took('failure')
      if (error instanceof ProviderError) return { errors: [`oidc: ${error.message}`] }
      throw error
    }
  }
}

/** Names the failed step in errors, except in those of key fetching. */
async function naming<Value>(what: string, run: () => Promise<Value>): Promise<Value> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof ProviderError) || error.uninitialized) throw error
    throw new ProviderError(`${what}: ${error.message}`)
  }
}

/** Also has the keys for distributed claims. */
class IssuerKeys {
  private readonly known = new Map<string, ProviderKeys>()

  constructor(
    private readonly configuration: JwtAuthenticator,
    private readonly environment: ProviderEnvironment,
  ) {}

  of(issuer: string): ProviderKeys {
    const known = this.known.get(issuer)
    if (known) return known
    const { url, discoveryURL, certificateAuthority } = this.configuration.issuer ?? {}
    const given = entryOf(this.environment.keySets ?? {}, issuer)
    const keys = new ProviderKeys(
      {
        issuer,
        ...(certificateAuthority && { certificates: certificateAuthority }),
        ...(issuer === url && discoveryURL && { discoveryUrl: discoveryURL }),
        ...(given === undefined ? {} : { given }),
      },
      this.environment,
    )
    this.known.set(issuer, keys)
    return keys
  }
}
