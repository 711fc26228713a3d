/** kubernetes.io, "Using Authentication Configuration"; `--oidc-*` cover a part of it. */
import { FileError, type Files } from '../../core/environment'
import {
  ConfigurationError,
  FLAG,
  list,
  readConfiguration,
  struct,
  TEXT,
} from '../../schema/configuration-file'
import type { StructType } from '../../schema/model'

export interface Issuer {
  url?: string
  discoveryURL?: string
  /** PEM; absent: the CA certificates of the host. */
  certificateAuthority?: string
  audiences?: string[]
  audienceMatchPolicy?: string
}

export interface ClaimOrExpression {
  claim?: string
  expression?: string
}

export interface PrefixedClaimOrExpression extends ClaimOrExpression {
  prefix?: string
}

export interface ClaimValidationRule {
  claim?: string
  requiredValue?: string
  expression?: string
  message?: string
}

export interface ClaimMappings {
  username?: PrefixedClaimOrExpression
  groups?: PrefixedClaimOrExpression
  uid?: ClaimOrExpression
  extra?: { key?: string; valueExpression?: string }[]
}

export interface JwtAuthenticator {
  issuer?: Issuer
  claimValidationRules?: ClaimValidationRule[]
  claimMappings?: ClaimMappings
  userValidationRules?: { expression?: string; message?: string }[]
}

export interface AnonymousConfiguration {
  enabled?: boolean
  /** Empty: any path. */
  conditions?: { path?: string }[]
}

export interface AuthenticationConfiguration {
  jwt?: JwtAuthenticator[]
  anonymous?: AnonymousConfiguration
}

/** Empty: unset. */
export interface OidcOptions {
  issuerUrl: string
  clientId: string
  caFile: string
  usernameClaim: string
  usernamePrefix: string
  groupsClaim: string
  groupsPrefix: string
  signingAlgorithms: readonly string[]
  requiredClaims: Readonly<Record<string, string>>
}

const KIND = {
  group: 'apiserver.config.k8s.io',
  kind: 'AuthenticationConfiguration',
  versions: ['v1alpha1', 'v1beta1'],
}

function typeOf(version: string): StructType {
  const named = (name: string, members: Parameters<typeof struct>[1]) =>
    struct(`${version}.${name}`, members)
  const many = (name: string, members: Parameters<typeof struct>[1]) =>
    list(`[]${version}.${name}`, named(name, members))
  const prefixed = struct(
    `${version}.PrefixedClaimOrExpression`,
    { claim: TEXT, prefix: TEXT, expression: TEXT },
    ['prefix'],
  )
  const issuer = named('Issuer', {
    url: TEXT,
    discoveryURL: TEXT,
    certificateAuthority: TEXT,
    audiences: list('[]string', TEXT),
    audienceMatchPolicy: TEXT,
  })
  const mappings = named('ClaimMappings', {
    username: prefixed,
    groups: prefixed,
    uid: named('ClaimOrExpression', { claim: TEXT, expression: TEXT }),
    extra: many('ExtraMapping', { key: TEXT, valueExpression: TEXT }),
  })
  return named('AuthenticationConfiguration', {
    kind: TEXT,
    apiVersion: TEXT,
    jwt: many('JWTAuthenticator', {
      issuer,
      claimValidationRules: many('ClaimValidationRule', {
        claim: TEXT,
        requiredValue: TEXT,
        expression: TEXT,
        message: TEXT,
      }),
      claimMappings: mappings,
      userValidationRules: many('UserValidationRule', { expression: TEXT, message: TEXT }),
    }),
    anonymous: named('AnonymousAuthConfig', {
      enabled: FLAG,
      conditions: many('AnonymousAuthCondition', { path: TEXT }),
    }),
  })
}

/** @throws ConfigurationError */
export function parseAuthenticationConfiguration(text: string): AuthenticationConfiguration {
  if (text === '') throw new ConfigurationError('empty config data')
  return readConfiguration(text, { ...KIND, typeOf }) as AuthenticationConfiguration
}

/** @throws FileError */
export function configurationOfFlags(
  oidc: OidcOptions,
  files: Files | undefined,
): AuthenticationConfiguration {
  const { issuerUrl, clientId, caFile, usernameClaim, groupsClaim, groupsPrefix, requiredClaims } =
    oidc
  return {
    jwt: [
      {
        issuer: {
          url: issuerUrl,
          audiences: [clientId],
          ...(caFile === '' ? {} : { certificateAuthority: read(files, caFile) }),
        },
        claimMappings: {
          username: { claim: usernameClaim, prefix: usernamePrefix(oidc) },
          ...(groupsClaim === '' ? {} : { groups: { claim: groupsClaim, prefix: groupsPrefix } }),
        },
        claimValidationRules: Object.entries(requiredClaims).map(([claim, requiredValue]) => ({
          claim,
          requiredValue,
        })),
      },
    ],
  }
}

/** Email addresses get no prefix. */
function usernamePrefix({ usernamePrefix: given, usernameClaim, issuerUrl }: OidcOptions): string {
  if (given !== '') return given === '-' ? '' : given
  return usernameClaim === 'email' ? '' : `${issuerUrl}#`
}

function read(files: Files | undefined, path: string): string {
  if (files === undefined) throw new FileError(path, 'no such file or directory')
  return files.read(path)
}
