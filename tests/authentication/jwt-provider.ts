/** An identity provider of the test, and authentication of its tokens. */
import { generateKeyPairSync } from 'node:crypto'
import {
  type JwtOptions,
  jwtAuthenticators,
} from '../../src/engine/authentication/jwt/authenticators'
import type { OidcOptions } from '../../src/engine/authentication/jwt/configuration'
import { signedJwt } from '../../src/engine/authentication/service-accounts/jwt'
import { keyId, publicKey } from '../../src/engine/authentication/service-accounts/keys'
import { algorithmOf, FileError, type Jwk, SimulatedClock } from '../../src/engine/core/environment'
import type { JsonObject } from '../../src/engine/core/object'
import { OutboundError } from '../../src/engine/core/outbound'
import { AuthenticationInstruments } from '../../src/engine/telemetry/authentication-metrics'
import { MetricRegistry } from '../../src/engine/telemetry/registry'
import { jwkOf } from '../../src/hosts/node/keys'
import { nodeSignatures } from '../../src/hosts/node/signatures'

export const ISSUER = 'https://accounts.example.com'
export const START = Date.UTC(2026, 0, 1)
export const newKey = (): Jwk =>
  jwkOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey)

export const FLAGS: OidcOptions = {
  issuerUrl: ISSUER,
  clientId: 'kubetab',
  caFile: '',
  usernameClaim: 'sub',
  usernamePrefix: '',
  groupsClaim: 'groups',
  groupsPrefix: 'oidc:',
  signingAlgorithms: ['ES256'],
  requiredClaims: {},
}
export const CLAIMS = {
  iss: ISSUER,
  aud: 'kubetab',
  exp: START / 1000 + 60,
  sub: 'jane',
  groups: ['dev', 'test'],
}

export interface ProviderSettings {
  /** Members of the discovery document. */
  discovered?: string
  reachable?: boolean
  /** Additional responses, by URL. */
  responses?: Record<string, string>
  files?: Record<string, string>
  keySets?: Record<string, string>
  anonymousConditions?: boolean
}

/**
 * Starts with the keys of one provider, which can be rotated. @throws AuthenticationOptionError,
 * FileError
 */
export function provider(options: JwtOptions, settings: ProviderSettings = {}) {
  const {
    discovered = ISSUER,
    reachable = true,
    responses = {},
    files = {},
    anonymousConditions = false,
  } = settings
  const clock = new SimulatedClock(START)
  const published = { keys: [newKey()], fetched: [] as string[] }
  const outbound = {
    post: () => Promise.reject(new OutboundError('this provider accepts no POST')),
    async get({ url, headers }: { url: string; headers: Readonly<Record<string, string>> }) {
      if (!reachable) throw new OutboundError('dial tcp: lookup accounts.example.com: no such host')
      published.fetched.push(
        headers.authorization === undefined ? url : `${url} ${headers.authorization}`,
      )
      const documents: Record<string, string> = {
        [`${ISSUER}/.well-known/openid-configuration`]: JSON.stringify({
          issuer: discovered,
          jwks_uri: `${ISSUER}/keys`,
        }),
        [`${ISSUER}/keys`]: JSON.stringify({ keys: published.keys.map(publicKey) }),
        ...responses,
      }
      return {
        status: url in documents ? 200 : 404,
        contentType: 'application/json',
        body: documents[url] ?? '',
      }
    },
  }
  const registry = new MetricRegistry()
  const metrics = new AuthenticationInstruments(registry)
  const reported: string[] = []
  const authenticators = jwtAuthenticators(options, {
    clock,
    signatures: nodeSignatures,
    outbound,
    keySets: settings.keySets,
    metrics,
    log: {
      error: (message, cause) =>
        reported.push(`${message}: ${cause instanceof Error ? cause.message : String(cause)}`),
    },
    files: {
      read(path) {
        const text = files[path]
        if (text === undefined) throw new FileError(path, 'no such file or directory')
        return text
      },
    },
    rules: { disallowedIssuers: ['https://kubernetes.default.svc'], anonymousConditions },
  })
  if (authenticators === undefined) throw new Error('the options configure no authenticator')
  const token = (claims: JsonObject, key = published.keys[0] as Jwk) =>
    tokenOf({ ...CLAIMS, ...claims }, key)
  return {
    clock,
    published,
    files,
    reported,
    token,
    anonymous: authenticators.anonymous,
    userOf: authenticators.userOf,
    userWith: async (claims: JsonObject) => authenticators.userOf(await token(claims)),
    metrics() {
      const lines = registry.text({ release: '1.31', showsHidden: false }).split('\n')
      return lines.filter((line) => line.startsWith('apiserver_authentication_')).join('\n')
    },
  }
}

export const tokenOf = (claims: JsonObject, key: Jwk, header: JsonObject = {}): Promise<string> =>
  signedJwt({ alg: algorithmOf(key), kid: keyId(key), ...header }, claims, (message) =>
    nodeSignatures.sign(key, message),
  )

/**
 * A configuration file of one authenticator. @param members of `claimMappings` and next to it, in
 * YAML
 */
export function configurationFile(authenticator: object, more: object = {}): string {
  return JSON.stringify({
    apiVersion: 'apiserver.config.k8s.io/v1beta1',
    kind: 'AuthenticationConfiguration',
    jwt: [authenticator],
    ...more,
  })
}
