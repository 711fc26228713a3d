/** The methods of authentication that a server's options ask for, in the order in which they are tried. */
import type { Clock, Files, Jwk, Random, Signatures } from '../environment'
import type { Outbound } from '../outbound'
import type { Storage } from '../storage/storage'
import { endpointOf, KubeconfigError } from '../webhooks/kubeconfig'
import { type Authenticator, authenticatorChain } from './authenticator'
import { bearerTokens, type TokenAuthenticator, tokensForServer } from './bearer-token'
import { bootstrapUser } from './bootstrap-tokens'
import { clientCertificates } from './client-certificate'
import { type IdentityProvider, providerUsers } from './identity-provider'
import { type ProxyHeaders, proxyHeaders } from './proxy-headers'
import { alsoChecking, givenKeys, type KeySource, storedKey } from './service-accounts/keys'
import { ServiceAccountTokens, type TokenSettings } from './service-accounts/tokens'
import { parseTokenFile } from './static-tokens'
import { type TokenWebhook, tokenWebhook } from './token-webhook'

export interface ServiceAccountOptions extends Partial<TokenSettings> {
  /** Private key that signs; absent: one of the server's own, made on first use and kept in the store. */
  signingKey?: Jwk
  /** Keys that tokens are checked with. Absent: the one that signs. */
  checkingKeys?: readonly Jwk[]
}

export interface TokenWebhookOptions extends Omit<TokenWebhook, 'endpoint'> {
  /** Path of the kubeconfig file that says how the webhook is reached. */
  configFile: string
}

export interface AuthenticationOptions {
  /** Text of a token file (`token,user,uid,"groups"`), as `--token-auth-file` reads it. */
  tokens?: string
  /** Requests without a credential are `system:anonymous`; true if absent. */
  anonymousAuth?: boolean
  /** Secrets of type `bootstrap.kubernetes.io/token` authenticate; true if absent. */
  bootstrapTokens?: boolean
  /** Clients may come with a certificate, which the host has checked. */
  clientCertificates?: boolean
  /** Proxies in front may say who asks. */
  proxyHeaders?: ProxyHeaders
  /** Whose ID tokens are taken. */
  identityProvider?: IdentityProvider
  /** Tokens that nobody here knows are shown to another server. */
  tokenWebhook?: TokenWebhookOptions
  /** How the host signs; absent: there are no service account tokens. */
  signatures?: Signatures
  serviceAccounts?: ServiceAccountOptions
}

export interface AuthenticationParts {
  storage: Storage
  clock: Clock
  random: Random
  /** Absent: there are none. */
  files?: Files
  /** Absent: the host has no way to others. */
  outbound?: Outbound
}

/** Options that cannot be obeyed; the message is the real server's where it has one. */
export class AuthenticationOptionError extends Error {}

const DEFAULT_ISSUER = 'https://kubernetes.default.svc'

/** What the rest of the engine needs of authentication. */
export interface Methods {
  authenticator: Authenticator
  /** The server's own audiences. */
  audiences: readonly string[]
  serviceAccountTokens?: ServiceAccountTokens
}

/** @throws AuthenticationOptionError, FileError, Error for a token file that cannot be read */
export function authenticationMethods(options: AuthenticationOptions, parts: AuthenticationParts): Methods {
  const settings = settingsOf(options.serviceAccounts ?? {})
  const { audiences } = settings
  const methods: TokenAuthenticator[] = []
  if (options.tokens) {
    const users = parseTokenFile(options.tokens)
    methods.push(tokensForServer(audiences, (token) => users.get(token)))
  }
  const { signatures } = options
  const keys = signatures && keysOf(options.serviceAccounts ?? {}, parts.storage, signatures)
  const serviceAccountTokens = keys && new ServiceAccountTokens({ ...parts, settings, keys, signatures })
  if (serviceAccountTokens) methods.push(serviceAccountTokens)
  if (options.bootstrapTokens ?? true) methods.push(tokensForServer(audiences, (token) => bootstrapUser(token, parts)))
  if (options.identityProvider && signatures)
    methods.push(tokensForServer(audiences, providerUsers(options.identityProvider, { ...parts, signatures })))
  if (options.tokenWebhook) methods.push(webhookOf(options.tokenWebhook, audiences, parts))
  const authenticators = [
    ...(options.proxyHeaders ? [proxyHeaders(options.proxyHeaders)] : []),
    ...(options.clientCertificates ? [clientCertificates] : []),
    bearerTokens(methods),
  ]
  return {
    authenticator: authenticatorChain(authenticators, { anonymous: options.anonymousAuth ?? true }),
    audiences,
    ...(serviceAccountTokens ? { serviceAccountTokens } : {}),
  }
}

function webhookOf(
  { configFile, ...how }: TokenWebhookOptions,
  audiences: readonly string[],
  parts: AuthenticationParts,
): TokenAuthenticator {
  const { files } = parts
  if (files === undefined) throw new AuthenticationOptionError('there are no files here to read how the token webhook is reached')
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

function keysOf({ signingKey, checkingKeys }: ServiceAccountOptions, storage: Storage, signatures: Signatures): KeySource {
  if (signingKey) return givenKeys(signingKey, checkingKeys ?? [signingKey])
  return alsoChecking(storedKey(storage, signatures), checkingKeys ?? [])
}
