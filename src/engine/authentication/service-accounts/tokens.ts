/** kubernetes.io, "Managing Service Accounts". Recorded from kube-apiserver 1.31. */
import {
  algorithmOf,
  type Clock,
  type Jwk,
  type Random,
  randomUuid,
  type Signatures,
} from '../../core/environment'
import type { KubeObject } from '../../core/object'
import type { Changes } from '../../release-tables/changes'
import type { Storage } from '../../storage/storage'
import type { Authentication, AuthenticationContext } from '../authenticator'
import type { TokenAuthenticator } from '../bearer-token'
import { type Claims, claimsOf, type Grant, readClaims, textAt } from './claims'
import { isUnderstood, type Jwt, parseJwt, signedJwt } from './jwt'
import { type KeySource, keyId } from './keys'
import { LEGACY_ISSUER, legacyClaims, legacyUser } from './legacy'
import type { ServiceAccountMetrics } from './metrics'
import { checkClaims, InvalidTokenError, quotedList, userOf } from './validity'

export interface TokenSettings {
  /** New tokens have the first issuer; all are accepted. */
  issuers: readonly string[]
  audiences: readonly string[]
  /** Seconds; 0: no limit. */
  maxLifetime: number
  /** Extends tokens of pods to a year, and records late uses. */
  extendLifetime: boolean
  lookup: boolean
  /** The URL of the public keys, if not below the server's address. */
  keysUri: string
}

/** Effects recorded from kube-apiserver 1.31. */
export interface TokenFeatures {
  /** `ServiceAccountTokenJTI`: tokens have identities. */
  identities: boolean
  /** `ServiceAccountTokenNodeBindingValidation`: tokens may be bound to a node only. */
  boundToNodes: boolean
  /** `ServiceAccountTokenPodNodeInfo`: tokens of pods contain the node. */
  nodesOfPods: boolean
  /** The package name in errors about signatures. */
  joseLibrary: string
}

/** @param gates on if unset */
export const tokenFeatures = (
  gates: Readonly<Record<string, boolean>>,
  changes: Changes,
): TokenFeatures => ({
  joseLibrary: changes.has('TokenErrorsOfGoJose') ? 'go-jose/go-jose' : 'square/go-jose',
  identities: gates.ServiceAccountTokenJTI !== false,
  boundToNodes: gates.ServiceAccountTokenNodeBindingValidation !== false,
  nodesOfPods: gates.ServiceAccountTokenPodNodeInfo !== false,
})

export interface TokenParts {
  features: TokenFeatures
  settings: TokenSettings
  keys: KeySource
  signatures: Signatures
  storage: Storage
  clock: Clock
  random: Random
  metrics: ServiceAccountMetrics
  /** Absent: uses of legacy tokens are not recorded. */
  label?: ((object: KubeObject, labels: Record<string, string>) => Promise<void>) | undefined
}

/** Verified tokens skip parsing and the signature check. */
const MAX_CACHED = 1000

interface Read {
  jwt: Jwt
  issuer: string
  claims: Claims
}

export class ServiceAccountTokens implements TokenAuthenticator {
  readonly settings: TokenSettings
  readonly keys: KeySource
  private readonly genuine = new Map<string, Read & { key: Jwk }>()

  constructor(private readonly parts: TokenParts) {
    this.settings = parts.settings
    this.keys = parts.keys
  }

  /** @returns `identity` is for audit events */
  async issue(grant: Grant): Promise<{ token: string; identity: string | undefined }> {
    const { clock, random, signatures } = this.parts
    const key = await this.keys.signing()
    const identity = this.parts.features.identities ? randomUuid(random) : undefined
    const claims = claimsOf(grant, {
      issuer: this.settings.issuers[0] ?? '',
      identity,
      now: clock.now(),
    })
    const header = { alg: algorithmOf(key), kid: keyId(key) }
    return {
      token: await signedJwt(header, claims, (message) => signatures.sign(key, message)),
      identity,
    }
  }

  /** Without expiry. */
  async issueFor(
    account: { namespace: string; name: string; uid: string },
    secret: string,
  ): Promise<string> {
    const key = await this.keys.signing()
    const header = { alg: algorithmOf(key), kid: keyId(key) }
    return signedJwt(header, legacyClaims(account, secret), (message) =>
      this.parts.signatures.sign(key, message),
    )
  }

  /** Leaves tokens of other issuers to other methods. */
  async authenticate(token: string, circumstances: AuthenticationContext): Promise<Authentication> {
    const read = this.genuine.get(token) ?? readToken(token)
    if (read === undefined) return undefined
    const { jwt, issuer, claims } = read
    const legacy = issuer === LEGACY_ISSUER
    if (!legacy && !this.settings.issuers.includes(issuer)) return undefined
    try {
      await this.checkSignature(token, read)
      const audiences = this.audiencesFor(claims.audiences, circumstances)
      if (!legacy) return { user: await this.userBehind(claims, circumstances), audiences }
      circumstances.annotations['authentication.k8s.io/legacy-token'] = textAt(jwt.claims, 'sub')
      this.parts.metrics.serviceAccountToken('legacy')
      return {
        user: await legacyUser(
          token,
          jwt.claims,
          { ...this.parts, lookup: this.settings.lookup },
          circumstances,
        ),
        audiences,
      }
    } catch (error) {
      if (error instanceof InvalidTokenError) return { errors: [error.message] }
      throw error
    }
  }

  /** @throws InvalidTokenError of gopkg.in/go-jose/go-jose.v2, recorded from kube-apiserver 1.31 */
  private async checkSignature(token: string, read: Read): Promise<void> {
    const { header, signature, signed } = read.jwt
    const named = textAt(header, 'kid')
    const keys = (await this.keys.checking()).filter((key) => named === '' || named === keyId(key))
    if (keys.length === 0) throw new InvalidTokenError('invalid signature, no keys found')
    const known = this.genuine.get(token)
    if (known !== undefined && keys.includes(known.key)) return
    for (const key of isUnderstood(header) ? keys : []) {
      if (
        header.alg !== algorithmOf(key) ||
        !(await this.parts.signatures.verify(key, signature, signed))
      )
        continue
      if (this.genuine.size >= MAX_CACHED) this.genuine.clear()
      this.genuine.set(token, { ...read, key })
      return
    }
    const { joseLibrary } = this.parts.features
    throw new InvalidTokenError(`${joseLibrary}: error in cryptographic primitive`)
  }

  /** Without an audience: for the server. @throws InvalidTokenError */
  private audiencesFor(
    named: readonly string[],
    { audiences: requested }: AuthenticationContext,
  ): string[] {
    const made = named.length > 0 ? named : this.settings.audiences
    const common = made.filter((audience) => requested.includes(audience))
    if (common.length > 0) return common
    throw new InvalidTokenError(
      `token audiences ${quotedList(made)} is invalid for the target audiences ${quotedList(requested)}`,
    )
  }

  private async userBehind(
    claims: Claims,
    { annotations }: AuthenticationContext,
  ): Promise<ReturnType<typeof userOf>> {
    const now = this.parts.clock.now()
    const { features } = this.parts
    await checkClaims(claims, this.parts.storage, now, features.boundToNodes)
    const late = claims.warnAfter === undefined ? 0 : Math.floor(now / 1000) - claims.warnAfter
    this.parts.metrics.serviceAccountToken(late > 0 ? 'stale' : 'valid')
    if (late > 0)
      annotations['authentication.k8s.io/stale-token'] =
        `subject: ${claims.subject}, seconds after warning threshold: ${late}`
    if (features.identities && features.nodesOfPods) return userOf(claims)
    const node = claims.pod && !features.nodesOfPods ? undefined : claims.node
    return userOf({ ...claims, identity: features.identities ? claims.identity : '', node })
  }
}

function readToken(token: string): Read | undefined {
  const jwt = parseJwt(token)
  return jwt && { jwt, issuer: textAt(jwt.claims, 'iss'), claims: readClaims(jwt.claims) }
}
