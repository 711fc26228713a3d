/** kubernetes.io, "kube-apiserver". Messages recorded from kube-apiserver 1.31. */
import { goDuration } from '../../schema/go-duration'
import { goQuote } from '../../schema/go-text'
import {
  AUTHORIZER_TYPES,
  type AuthorizationConfiguration,
  type AuthorizerConfiguration,
  ConfigurationError,
  parseConfiguration,
} from './configuration'
import { type Checks, configurationProblems } from './validate'

/** Times in milliseconds. */
export interface AuthorizationOptions {
  modes?: readonly string[] | undefined
  policyFile?: string | undefined
  webhookConfigFile?: string | undefined
  webhookVersion?: string | undefined
  webhookAuthorizedTTL?: number | undefined
  webhookUnauthorizedTTL?: number | undefined
  configFile?: string | undefined
}

const DEFAULT_MODES = ['Node', 'RBAC']
const WEBHOOK_NAME = 'default'
const DEFAULT_AUTHORIZED_TTL = 300_000
const DEFAULT_UNAUTHORIZED_TTL = 30_000

/** One line per problem. */
export class AuthorizationOptionError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(problems.length === 1 ? problems[0] : `[${problems.join(', ')}]`)
  }
}

/** @throws AuthorizationOptionError, FileError */
export function configurationOf(
  options: AuthorizationOptions,
  checks: Checks,
): AuthorizationConfiguration {
  if (options.configFile) {
    if (hasLegacyFlags(options))
      throw new AuthorizationOptionError([
        '--authorization-config can not be specified when --authorization-mode or --authorization-webhook-* flags are defined',
      ])
    return loadConfiguration(checks.files.read(options.configFile), checks)
  }
  const problems = flagProblems(options)
  if (problems.length > 0) throw new AuthorizationOptionError(problems)
  return { authorizers: modesOf(options).map((mode) => ofMode(mode, options)) }
}

/** @throws AuthorizationOptionError */
export function loadConfiguration(text: string, checks: Checks): AuthorizationConfiguration {
  let configuration: AuthorizationConfiguration
  try {
    configuration = parseConfiguration(text)
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    throw new AuthorizationOptionError([
      `failed to load AuthorizationConfiguration from file: ${error.message}`,
    ])
  }
  const problems = configurationProblems(configuration, checks)
  if (problems.length > 0) throw new AuthorizationOptionError(problems)
  const misnamed = (configuration.authorizers ?? []).flatMap(({ type = '', name = '' }) =>
    type === 'Webhook' || name === type.toLowerCase()
      ? []
      : [`expected name ${type.toLowerCase()} for authorizer ${type} instead of ${name}`],
  )
  if (misnamed.length > 0) throw new AuthorizationOptionError(misnamed)
  return configuration
}

const modesOf = ({ modes }: AuthorizationOptions): readonly string[] => modes ?? DEFAULT_MODES

/** AlwaysAllow disables anonymous requests. Recorded from kube-apiserver 1.31. */
export const forbidsAnonymous = (options: AuthorizationOptions): boolean =>
  options.modes?.includes('AlwaysAllow') ?? false

function hasLegacyFlags(options: AuthorizationOptions): boolean {
  const { modes, webhookConfigFile, webhookVersion, webhookAuthorizedTTL, webhookUnauthorizedTTL } =
    options
  return [
    modes,
    webhookConfigFile,
    webhookVersion,
    webhookAuthorizedTTL,
    webhookUnauthorizedTTL,
  ].some((flag) => flag !== undefined)
}

function flagProblems(options: AuthorizationOptions): string[] {
  const modes = modesOf(options)
  const problems: string[] = []
  if (modes.length === 0) problems.push('at least one authorization-mode must be passed')
  for (const mode of modes) {
    if (!AUTHORIZER_TYPES.some((known) => known === mode))
      problems.push(`authorization-mode ${goQuote(mode)} is not a valid mode`)
    if (mode === 'ABAC' && !options.policyFile)
      problems.push("authorization-mode ABAC's authorization policy file not passed")
    if (mode === 'Webhook' && !options.webhookConfigFile)
      problems.push("authorization-mode Webhook's authorization config file not passed")
  }
  if (options.policyFile && !modes.includes('ABAC'))
    problems.push('cannot specify --authorization-policy-file without mode ABAC')
  if (options.webhookConfigFile && !modes.includes('Webhook'))
    problems.push('cannot specify --authorization-webhook-config-file without mode Webhook')
  if (new Set(modes).size !== modes.length)
    problems.push(
      `authorization-mode [${modes.map(goQuote).join(' ')}] has mode specified more than once`,
    )
  return problems
}

function ofMode(mode: string, options: AuthorizationOptions): AuthorizerConfiguration {
  if (mode !== 'Webhook') return { type: mode, name: mode.toLowerCase() }
  return {
    type: mode,
    name: WEBHOOK_NAME,
    webhook: {
      authorizedTTL: goDuration(options.webhookAuthorizedTTL ?? DEFAULT_AUTHORIZED_TTL),
      unauthorizedTTL: goDuration(options.webhookUnauthorizedTTL ?? DEFAULT_UNAUTHORIZED_TTL),
      timeout: '30s',
      subjectAccessReviewVersion: options.webhookVersion ?? 'v1beta1',
      failurePolicy: 'NoOpinion',
      connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: options.webhookConfigFile ?? '' },
    },
  }
}
