/**
 * Makes the authorizers of an AuthorizationConfiguration. kubernetes.io, "Configuring the API
 * Server using an Authorization Config File".
 */
import { type Clock, FileError, type Files, type Log, type Random } from '../../core/environment'
import type { Outbound } from '../../core/outbound'
import { durationMilliseconds } from '../../schema/go-duration'
import { goQuote } from '../../schema/go-text'
import type { Storage } from '../../storage/storage'
import { endpointOf, KubeconfigError } from '../../webhooks/kubeconfig'
import { abacAuthorizer } from '../abac/authorizer'
import { PolicyFileError, parsePolicyFile } from '../abac/policy'
import type { ConfiguredAuthorizer } from '../access-queries/authorizer-chain'
import { alwaysAllow, alwaysDeny } from '../always'
import type { Authorizer } from '../authorizer'
import { type AuthorizationMetrics, counted } from '../metrics'
import { type NodeFeatures, nodeAuthorizer } from '../node/authorizer'
import { SUPERUSER_MODE, superusers } from '../privileged'
import { rbacAuthorizer } from '../rbac/authorizer'
import type { RoleIndex } from '../rbac/role-index'
import { unionAuthorizer } from '../union'
import { webhookAuthorizer } from '../webhook/authorizer'
import type { ConditionCompiler } from '../webhook/match-conditions'
import type { ReviewVersion } from '../webhook/review'
import type {
  AuthorizationConfiguration,
  AuthorizerConfiguration,
  WebhookConfiguration,
} from './configuration'
import {
  AuthorizationOptionError,
  type AuthorizationOptions,
  configurationOf,
  loadConfiguration,
} from './options'

export interface AuthorizationEnvironment {
  storage: Storage
  roles: RoleIndex
  clock: Clock
  random: Random
  log: Log
  files: Files
  outbound?: Outbound | undefined
  metrics: AuthorizationMetrics
  nodeFeatures: NodeFeatures
  /** Prefixes reasons without an opinion with the authorizer's name. */
  namesInReasons?: boolean
  conditions: ConditionCompiler
}

export interface BuiltAuthorizer {
  authorizer: Authorizer
  /** Only then a new server creates the bootstrap roles. */
  usesRoles: boolean
  /** Without metrics. */
  row(): readonly ConfiguredAuthorizer[]
  stop(): void
}

const RELOAD_INTERVAL = 60_000

/** @throws AuthorizationOptionError, FileError */
export function buildAuthorizer(
  options: AuthorizationOptions,
  environment: AuthorizationEnvironment,
): BuiltAuthorizer {
  const configuration = configurationOf(options, environment)
  const { authorizers = [] } = configuration
  const first = rowOf(configuration, options, environment)
  const usesRoles = authorizers.some(({ type }) => type === 'RBAC')
  if (!options.configFile)
    return { authorizer: unionOf(first, environment), usesRoles, row: () => first, stop() {} }
  const reloaded = new ReloadedAuthorizer(first, options.configFile, options, environment)
  return { authorizer: reloaded, usesRoles, row: () => reloaded.row, stop: () => reloaded.stop() }
}

/** Puts system:masters first. */
function rowOf(
  { authorizers = [] }: AuthorizationConfiguration,
  options: AuthorizationOptions,
  environment: AuthorizationEnvironment,
): ConfiguredAuthorizer[] {
  const configured = authorizers.map((one): ConfiguredAuthorizer => {
    const { type = '', name = '' } = one
    return { by: { type, name }, authorizer: authorizerOf(one, options, environment) }
  })
  return [{ by: SUPERUSER_MODE, authorizer: superusers }, ...configured]
}

function unionOf(
  [first, ...configured]: readonly ConfiguredAuthorizer[],
  { metrics, namesInReasons }: AuthorizationEnvironment,
): Authorizer {
  const decisions = configured.map(({ by, authorizer }) => counted(by, authorizer, metrics))
  const members = first ? [first.authorizer, ...decisions] : decisions
  const names = (first ? [first, ...configured] : configured).map(({ by }) => by.name)
  return unionAuthorizer(members, namesInReasons ? names : undefined)
}

function authorizerOf(
  { type, name = '', webhook }: AuthorizerConfiguration,
  options: AuthorizationOptions,
  environment: AuthorizationEnvironment,
): Authorizer {
  switch (type) {
    case 'ABAC':
      return abacOf(options, environment.files)
    case 'AlwaysAllow':
      return alwaysAllow
    case 'AlwaysDeny':
      return alwaysDeny
    case 'Node':
      return nodeAuthorizer(environment.storage, environment.nodeFeatures)
    case 'RBAC':
      return rbacAuthorizer(environment.roles)
    default:
      return webhookOf(name, webhook, environment)
  }
}

const optionError = (why: string): AuthorizationOptionError =>
  new AuthorizationOptionError([`invalid authorization config: ${why}`])

function abacOf({ policyFile = '' }: AuthorizationOptions, files: Files): Authorizer {
  try {
    return abacAuthorizer(parsePolicyFile(policyFile, files.read(policyFile)))
  } catch (error) {
    throw error instanceof PolicyFileError || error instanceof FileError
      ? optionError(error.message)
      : error
  }
}

function webhookOf(
  name: string,
  webhook: WebhookConfiguration | undefined,
  environment: AuthorizationEnvironment,
): Authorizer {
  const {
    connectionInfo = {},
    subjectAccessReviewVersion = '',
    failurePolicy,
    timeout = '',
    matchConditions = [],
  } = webhook ?? {}
  const expressions = matchConditions.map(({ expression = '' }) => expression)
  if (connectionInfo.type === 'InClusterConfig')
    throw optionError(
      'unable to load in-cluster configuration, KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT must be defined',
    )
  if (subjectAccessReviewVersion !== 'v1' && subjectAccessReviewVersion !== 'v1beta1')
    throw optionError(
      `unsupported webhook authorizer version ${goQuote(subjectAccessReviewVersion)}, supported versions are "v1", "v1beta1"`,
    )
  try {
    return webhookAuthorizer(
      {
        name,
        endpoint: endpointOf(connectionInfo.kubeConfigFile ?? '', environment.files),
        version: subjectAccessReviewVersion satisfies ReviewVersion,
        authorizedTTL: durationMilliseconds(webhook?.authorizedTTL ?? ''),
        unauthorizedTTL: durationMilliseconds(webhook?.unauthorizedTTL ?? ''),
        timeout: durationMilliseconds(timeout),
        failurePolicy: failurePolicy === 'Deny' ? 'Deny' : 'NoOpinion',
        ...(expressions.length === 0
          ? {}
          : { conditions: environment.conditions.conditions(expressions) }),
      },
      environment,
    )
  } catch (error) {
    if (error instanceof FileError) throw optionError(`stat ${error.path}: ${error.why}`)
    throw error instanceof KubeconfigError ? optionError(error.message) : error
  }
}

/** Reloads the file when it changes; ignores an invalid one. */
class ReloadedAuthorizer implements Authorizer {
  private text: string
  private current: Authorizer
  private stopWatching: (() => void) | undefined
  private stopWaiting: () => void = () => {}

  constructor(
    public row: readonly ConfiguredAuthorizer[],
    private readonly path: string,
    private readonly options: AuthorizationOptions,
    private readonly environment: AuthorizationEnvironment,
  ) {
    const { files } = environment
    this.current = unionOf(row, environment)
    this.text = files.read(path)
    this.stopWatching = files.watch?.(path, () => this.check())
    this.checkLater()
  }

  authorize: Authorizer['authorize'] = (attributes) => this.current.authorize(attributes)

  rules: Required<Authorizer>['rules'] = async (user, namespace) =>
    (await this.current.rules?.(user, namespace)) ?? {
      resourceRules: [],
      nonResourceRules: [],
      incomplete: true,
    }

  nearMisses: Required<Authorizer>['nearMisses'] = (attributes) =>
    this.current.nearMisses?.(attributes) ?? []

  stop(): void {
    this.stopWatching?.()
    this.stopWaiting()
  }

  private checkLater(): void {
    this.stopWaiting = this.environment.clock.after(RELOAD_INTERVAL, () => {
      this.check()
      this.checkLater()
    })
  }

  private check(): void {
    const { files, metrics, clock, log } = this.environment
    try {
      const text = files.read(this.path)
      if (text === this.text) return
      this.text = text
      this.row = rowOf(loadConfiguration(text, this.environment), this.options, this.environment)
      this.current = unionOf(this.row, this.environment)
      metrics.reloaded('success', clock.now())
    } catch (error) {
      log.error('the authorization configuration was not reloaded', error)
      metrics.reloaded('failure', clock.now())
    }
  }
}
