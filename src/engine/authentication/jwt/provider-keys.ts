/** OpenID Connect Discovery 1.0, section 4. */
import type { Clock, Jwk } from '../../core/environment'
import { isJsonObject, type Json, type JsonObject } from '../../core/object'
import { type Outbound, OutboundError } from '../../core/outbound'
import { goQuote } from '../../schema/go-text'
import { textAt } from '../service-accounts/claims'

export class ProviderError extends Error {
  /** @param uninitialized no keys at all */
  constructor(
    message: string,
    readonly uninitialized = false,
  ) {
    super(message)
  }
}

const TIMEOUT_MILLISECONDS = 30_000
/** An unknown key causes at most one fetch in this interval. */
const REFETCH_MILLISECONDS = 10_000

interface NamedKey {
  id: string
  key: Jwk
}

export interface KeyPlace {
  issuer: string
  discoveryUrl?: string
  certificates?: string
  /** A JSON Web Key Set, instead of fetching. */
  given?: string
}

export interface FetchEnvironment {
  clock: Clock
  outbound?: Outbound | undefined
}

export class ProviderKeys {
  private keys: readonly NamedKey[] = []
  private fetched: number | undefined
  private fetching: Promise<void> | undefined

  constructor(
    private readonly place: KeyPlace,
    private readonly environment: FetchEnvironment,
  ) {
    if (place.given !== undefined) this.keys = keysIn(parsed(place.given))
  }

  /**
   * Whether any key satisfies `does`. Fetches the JWKS if no cached key does.
   * @throws ProviderError
   */
  async some(id: string, does: (key: Jwk) => Promise<boolean>): Promise<boolean> {
    if (await this.someKnown(id, does)) return true
    const { clock } = this.environment
    if (this.place.given !== undefined) return false
    if (this.fetched !== undefined && clock.now() - this.fetched < REFETCH_MILLISECONDS)
      return false
    this.fetching ??= this.fetch().finally(() => {
      this.fetching = undefined
    })
    await this.fetching
    return this.someKnown(id, does)
  }

  private async someKnown(id: string, does: (key: Jwk) => Promise<boolean>): Promise<boolean> {
    for (const known of this.keys)
      if ((id === '' || known.id === id) && (await does(known.key))) return true
    return false
  }

  private async fetch(): Promise<void> {
    const { issuer, discoveryUrl } = this.place
    try {
      const configuration = await this.document(
        discoveryUrl ?? `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
      )
      const named = textAt(configuration, 'issuer')
      if (named !== issuer)
        throw new ProviderError(
          `issuer did not match the issuer returned by provider, expected ${goQuote(issuer)} got ${goQuote(named)}`,
        )
      this.keys = keysIn(await this.document(textAt(configuration, 'jwks_uri')))
      this.fetched = this.environment.clock.now()
    } catch (error) {
      if (error instanceof ProviderError)
        throw new ProviderError(`authenticator not initialized: ${error.message}`, true)
      throw error
    }
  }

  private async document(url: string): Promise<JsonObject> {
    const { certificates } = this.place
    const value = parsed(
      await fetchText(url, {
        ...this.environment,
        ...(certificates === undefined ? {} : { certificates }),
      }),
    )
    if (!isJsonObject(value))
      throw new ProviderError(`Get ${goQuote(url)}: the response is not a document`)
    return value
  }
}

/** @throws ProviderError unless successful */
export async function fetchText(
  url: string,
  {
    clock,
    outbound,
    certificates,
    accessToken = '',
  }: FetchEnvironment & { certificates?: string; accessToken?: string },
): Promise<string> {
  const failed = (why: string) => new ProviderError(`Get ${goQuote(url)}: ${why}`)
  if (outbound?.get === undefined || !URL.canParse(url))
    throw failed('there is no way there from here')
  let cancel = () => {}
  const stopWaiting = clock.after(TIMEOUT_MILLISECONDS, () => cancel())
  const headers: Record<string, string> =
    accessToken === '' ? {} : { authorization: `Bearer ${accessToken}` }
  try {
    const request = { url, headers, ...(certificates === undefined ? {} : { certificates }) }
    const { status, body } = await outbound.get(request, (run) => {
      cancel = run
    })
    if (status < 200 || status > 226) throw failed(`the response has status ${status}`)
    return body
  } catch (error) {
    throw error instanceof OutboundError ? failed(error.message) : error
  } finally {
    stopWaiting()
  }
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

function keysIn(document: Json | undefined): NamedKey[] {
  const keys = isJsonObject(document) ? document.keys : undefined
  return Array.isArray(keys) ? keys.flatMap(keyIn) : []
}

/** Skips keys for other uses, and of other kinds. */
function keyIn(value: Json): NamedKey[] {
  if (!isJsonObject(value) || value.use === 'enc') return []
  const id = textAt(value, 'kid')
  const crv = textAt(value, 'crv')
  if (value.kty === 'RSA')
    return [{ id, key: { kty: 'RSA', n: textAt(value, 'n'), e: textAt(value, 'e') } }]
  if (value.kty !== 'EC' || (crv !== 'P-256' && crv !== 'P-384' && crv !== 'P-521')) return []
  return [{ id, key: { kty: 'EC', crv, x: textAt(value, 'x'), y: textAt(value, 'y') } }]
}
