import type { Clock, Files, Jwk, Log, Random, Signatures } from '../core/environment'
import type { KubeObject } from '../core/object'
import type { Outbound } from '../core/outbound'
import type { Changes } from '../release-tables/changes'
import type { Storage } from '../storage/storage'
import { endpointOf, KubeconfigError } from '../webhooks/kubeconfig'
import { type Anonymous, type Authenticator, authenticatorChain } from './authenticator'
import { bearerTokens, type TokenAuthenticator, tokensForServer } from './bearer-token'
import { bootstrapUser } from './bootstrap-tokens'
import { type CertificateMetrics, clientCertificates } from './client-certificate'
import {
  AuthenticationOptionError,
  type JwtAuthenticators,
  type JwtOptions,
  jwtAuthenticators,
} from './jwt/authenticators'
import type { JwtMetrics } from './jwt/metrics'
import { type ProxyHeaders, proxyHeaders } from './proxy-headers'
import { alsoChecking, givenKeys, type KeySource, storedKey } from './service-accounts/keys'
import type { ServiceAccountMetrics } from './service-accounts/metrics'
import { ServiceAccountTokens, type TokenSettings, tokenFeatures } from './service-accounts/tokens'
import { parseTokenFile, TokenFileError } from './static-tokens'
import { type TokenWebhook, tokenWebhook } from './token-webhook'
import { webSocketTokens } from './web-socket-protocol'

export interface ServiceAccountOptions extends Partial<TokenSettings> {
  /** Generated and stored if absent. */
  signingKey?: Jwk
  /** The signing key if absent. */
  checkingKeys?: readonly Jwk[]
}

export interface TokenWebhookOptions extends Omit<TokenWebhook, 'endpoint'> {
  configFile: string
}

export { AuthenticationOptionError }

export interface AuthenticationOptions extends JwtOptions {
  /** `token,user,uid,"groups"` */
  tokens?: string
  /** True if absent. */
  bootstrapTokens?: boolean
  clientCertificates?: boolean
  proxyHeaders?: ProxyHeaders
  /** CAs in PEM, published for aggregated servers. */
  authorities?: { clients?: string; proxies?: string }
  /** JSON Web Key Sets of issuers that cannot be reached from here. */
  keySets?: Readonly<Record<string, string>>
  tokenWebhook?: TokenWebhookOptions
  /** Needed for service account tokens. */
  signatures?: Signatures
  serviceAccounts?: ServiceAccountOptions
}

export type AuthenticationMetrics = JwtMetrics & ServiceAccountMetrics & CertificateMetrics

export interface AuthenticationParts {
  storage: Storage
  clock: Clock
  random: Random
  files?: Files
  outbound?: Outbound
  log: Log
  metrics: AuthenticationMetrics
  label?: (object: KubeObject, labels: Record<string, string>) => Promise<void>
  featureGates: Readonly<Record<string, boolean>>
  changes: Changes
}

const DEFAULT_ISSUER = 'https://kubernetes.default.svc'

export interface Methods {
  authenticator: Authenticator
  audiences: readonly string[]
  serviceAccountTokens?: ServiceAccountTokens
  stop(): void
}

/** @throws AuthenticationOptionError, FileError */
export function authenticationMethods(
  options: AuthenticationOptions,
  parts: AuthenticationParts,
): Methods {
  const settings = settingsOf(options.serviceAccounts ?? {})
  const { audiences } = settings
  const methods: TokenAuthenticator[] = []
  if (options.tokens) {
    const users = tokensIn(options.tokens)
    methods.push(tokensForServer(audiences, (token) => users.get(token)))
  }
  const { signatures } = options
  const keys = signatures && keysOf(options.serviceAccounts ?? {}, parts.storage, signatures)
  const serviceAccountTokens =
    keys &&
    new ServiceAccountTokens({
      ...parts,
      features: tokenFeatures(parts.featureGates, parts.changes),
      settings,
      keys,
      signatures,
    })
  if (serviceAccountTokens) methods.push(serviceAccountTokens)
  if (options.bootstrapTokens ?? true)
    methods.push(tokensForServer(audiences, (token) => bootstrapUser(token, parts)))
  const jwt = jwtOf(options, settings, parts)
  if (jwt) methods.push(tokensForServer(audiences, (token) => jwt.userOf(token)))
  if (options.tokenWebhook) methods.push(webhookOf(options.tokenWebhook, audiences, parts))
  const authenticators = [
    ...(options.proxyHeaders ? [proxyHeaders(options.proxyHeaders)] : []),
    ...(options.clientCertificates ? [clientCertificates(parts.clock, parts.metrics)] : []),
    bearerTokens(methods),
    webSocketTokens(methods),
  ]
  return {
    authenticator: authenticatorChain(authenticators, anonymousOf(options, jwt)),
    audiences,
    ...(serviceAccountTokens ? { serviceAccountTokens } : {}),
    stop: () => jwt?.stop(),
  }
}

function jwtOf(
  options: AuthenticationOptions,
  settings: TokenSettings,
  parts: AuthenticationParts,
): JwtAuthenticators | undefined {
  const { signatures, keySets } = options
  if (
    options.authenticationConfig &&
    parts.featureGates.StructuredAuthenticationConfiguration === false
  ) {
    const file = 'authentication-config file'
    const missingGate = `set --feature-gates=StructuredAuthenticationConfiguration=true to use ${file}`
    const conflict = options.oidc ? `, ${file} and oidc-* flags are mutually exclusive` : ''
    throw new AuthenticationOptionError(conflict ? `[${missingGate}${conflict}]` : missingGate)
  }
  if (signatures === undefined) return undefined
  const rules = {
    disallowedIssuers: settings.issuers,
    anonymousConditions: parts.featureGates.AnonymousAuthConfigurableEndpoints === true,
  }
  return jwtAuthenticators(options, { ...parts, signatures, keySets, rules })
}

function anonymousOf(
  { anonymousAuth = true }: AuthenticationOptions,
  jwt: JwtAuthenticators | undefined,
): Anonymous {
  if (jwt?.anonymous === undefined) return { enabled: anonymousAuth }
  const { enabled = false, conditions = [] } = jwt.anonymous
  return { enabled, paths: conditions.map(({ path = '' }) => path) }
}

function tokensIn(text: string): ReturnType<typeof parseTokenFile> {
  try {
    return parseTokenFile(text)
  } catch (error) {
    throw error instanceof TokenFileError ? new AuthenticationOptionError(error.message) : error
  }
}

function webhookOf(
  { configFile, ...how }: TokenWebhookOptions,
  audiences: readonly string[],
  parts: AuthenticationParts,
): TokenAuthenticator {
  const { files } = parts
  if (files === undefined)
    throw new AuthenticationOptionError(
      'there are no files here to read how the token webhook is reached',
    )
  try {
    return tokenWebhook({ ...how, endpoint: endpointOf(configFile, files) }, audiences, parts)
  } catch (error) {
    throw error instanceof KubeconfigError ? new AuthenticationOptionError(error.message) : error
  }
}

function settingsOf(given: ServiceAccountOptions): TokenSettings {
  const issuers = given.issuers ?? [DEFAULT_ISSUER]
  return {
    issuers,
    audiences: given.audiences && given.audiences.length > 0 ? given.audiences : issuers,
    maxLifetime: given.maxLifetime ?? 0,
    extendLifetime: given.extendLifetime ?? true,
    lookup: given.lookup ?? true,
    keysUri: given.keysUri ?? '',
  }
}

function keysOf(
  { signingKey, checkingKeys }: ServiceAccountOptions,
  storage: Storage,
  signatures: Signatures,
): KeySource {
  if (signingKey) return givenKeys(signingKey, checkingKeys ?? [signingKey])
  return alsoChecking(storedKey(storage, signatures), checkingKeys ?? [])
}
