import { readFileSync } from 'node:fs'
import type { AuthenticationOptions } from '../../engine/authentication/methods'
import { isLoopback } from './exposure'
import { FlagError, type Flags } from './flags'
import { serviceAccountKeys } from './keys'

/** The administrator of a server without a token file. */
const DEFAULT_TOKENS = 'admin-token,admin,admin-uid,"system:masters"\n'

/**
 * Without a token file, a well-known token if only loopback is bound.
 * @throws the system's error if the file cannot be read
 */
export function tokensOf(flags: Flags): string {
  if (flags['token-auth-file'] !== '') return readFileSync(flags['token-auth-file'], 'utf8')
  return flags['default-token'] && isLoopback(flags['bind-address']) ? DEFAULT_TOKENS : ''
}

/** In seconds. */
const LIFETIMES = { shortest: 3600, longest: 2 ** 32 }

/** @throws the system's error for unreadable files, FlagError for invalid values */
export function authenticationOf(flags: Flags, tokens = tokensOf(flags)): AuthenticationOptions {
  const maxLifetime = Math.floor(flags['service-account-max-token-expiration'] / 1000)
  if (maxLifetime !== 0 && (maxLifetime < LIFETIMES.shortest || maxLifetime > LIFETIMES.longest))
    throw new FlagError(
      'the service-account-max-token-expiration must be between 1 hour and 2^32 seconds',
    )
  return {
    tokens,
    ...(flags['anonymous-auth'] === undefined ? {} : { anonymousAuth: flags['anonymous-auth'] }),
    bootstrapTokens: flags['enable-bootstrap-token-auth'],
    clientCertificates: flags['client-ca-file'] !== '',
    authorities: authoritiesOf(flags),
    ...proxyHeadersOf(flags),
    ...oidcOf(flags),
    authenticationConfig: flags['authentication-config'],
    ...tokenWebhookOf(flags),
    serviceAccounts: {
      issuers: issuersOf(flags),
      audiences: flags['api-audiences'],
      maxLifetime,
      extendLifetime: flags['service-account-extend-token-expiration'],
      lookup: flags['service-account-lookup'],
      keysUri: keysUriOf(flags),
      ...serviceAccountKeys(flags),
    },
  }
}

function authoritiesOf(flags: Flags): AuthenticationOptions['authorities'] {
  const [clients, proxies] = [flags['client-ca-file'], flags['requestheader-client-ca-file']]
  return {
    ...(clients === '' ? {} : { clients: readFileSync(clients, 'utf8') }),
    ...(proxies === '' ? {} : { proxies: readFileSync(proxies, 'utf8') }),
  }
}

function proxyHeadersOf(flags: Flags): Pick<AuthenticationOptions, 'proxyHeaders'> {
  if (flags['requestheader-client-ca-file'] === '') return {}
  return {
    proxyHeaders: {
      allowedNames: flags['requestheader-allowed-names'],
      userHeaders: flags['requestheader-username-headers'],
      groupHeaders: flags['requestheader-group-headers'],
      extraPrefixes: flags['requestheader-extra-headers-prefix'],
    },
  }
}

function tokenWebhookOf(flags: Flags): Pick<AuthenticationOptions, 'tokenWebhook'> {
  const configFile = flags['authentication-token-webhook-config-file']
  if (configFile === '') return {}
  const version = flags['authentication-token-webhook-version']
  if (version !== 'v1' && version !== 'v1beta1')
    throw new FlagError(`unsupported webhook authenticator version ${JSON.stringify(version)}`)
  return {
    tokenWebhook: {
      configFile,
      version,
      cacheTTL: flags['authentication-token-webhook-cache-ttl'],
    },
  }
}

function issuersOf(flags: Flags): string[] {
  const issuers = flags['service-account-issuer']
  if (issuers.length === 0 || issuers.includes(''))
    throw new FlagError('service-account-issuer is a required flag')
  const wrong = issuers.find((issuer) => issuer.includes(':') && !URL.canParse(issuer))
  if (wrong !== undefined)
    throw new FlagError(`service-account-issuer "${wrong}" contained a ':' but was not a valid URL`)
  return issuers
}

function keysUriOf(flags: Flags): string {
  const uri = flags['service-account-jwks-uri']
  if (uri !== '' && !uri.startsWith('https://'))
    throw new FlagError(`service-account-jwks-uri requires https scheme, parsed as: ${uri}`)
  return uri
}

/** Any `--oidc-*` flag enables OIDC; the engine validates them. */
function oidcOf(flags: Flags): Pick<AuthenticationOptions, 'oidc'> {
  const given = Object.entries(flags).some(
    ([name, value]) => name.startsWith('oidc-') && value !== undefined,
  )
  if (!given) return {}
  return {
    oidc: {
      issuerUrl: flags['oidc-issuer-url'] ?? '',
      clientId: flags['oidc-client-id'] ?? '',
      caFile: flags['oidc-ca-file'] ?? '',
      usernameClaim: flags['oidc-username-claim'] ?? 'sub',
      usernamePrefix: flags['oidc-username-prefix'] ?? '',
      groupsClaim: flags['oidc-groups-claim'] ?? '',
      groupsPrefix: flags['oidc-groups-prefix'] ?? '',
      signingAlgorithms: flags['oidc-signing-algs'] ?? ['RS256'],
      requiredClaims: Object.fromEntries((flags['oidc-required-claim'] ?? []).map(requiredClaim)),
    },
  }
}

function requiredClaim(text: string): [string, string] {
  const equals = text.indexOf('=')
  if (equals < 1)
    throw new FlagError(
      `invalid argument ${JSON.stringify(text)} for "--oidc-required-claim" flag: must be formatted as key=value`,
    )
  return [text.slice(0, equals), text.slice(equals + 1)]
}
