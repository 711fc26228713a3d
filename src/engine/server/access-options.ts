import {
  inHeader,
  onConnection,
  withPresentedCertificates,
} from '../authentication/certificates/presented'
import {
  type AuthenticationMetrics,
  AuthenticationOptionError,
  authenticationMethods,
  type Methods,
} from '../authentication/methods'
import { type BuiltAuthorizer, buildAuthorizer } from '../authorization/configuration/build'
import { AuthorizationOptionError, forbidsAnonymous } from '../authorization/configuration/options'
import type { AuthorizationMetrics } from '../authorization/metrics'
import type { NodeFeatures } from '../authorization/node/authorizer'
import { ConditionCompiler } from '../authorization/webhook/match-conditions'
import { authorityOf } from '../controllers/certificates/authority'
import type { Authorities } from '../controllers/cluster-authentication-trust'
import { FileError, type Files } from '../core/environment'
import type { ApiRequest } from '../http/messages'
import type { Engine } from '../registry/engine'
import { labelObject } from '../registry/server-writes'
import { OptionError } from './option-error'
import type { ApiServerOptions } from './server-options'

const NO_FILES: Files = {
  read(path) {
    throw new FileError(path, 'no such file or directory')
  },
}

/** @throws OptionError */
export function authenticationOf(
  options: ApiServerOptions,
  release: Pick<Engine, 'featureGates' | 'tables'>,
  metrics: AuthenticationMetrics,
  engine: () => Engine,
): Methods {
  try {
    const clientCertificates =
      options.clientCertificates === true || options.ownAuthority !== undefined
    const given = { ...options, ...anonymousAuthOf(options), clientCertificates }
    return authenticationMethods(given, {
      ...options,
      metrics,
      featureGates: release.featureGates,
      changes: release.tables.changes,
      label: (object, labels) => labelObject(engine(), object, labels),
    })
  } catch (error) {
    throw error instanceof AuthenticationOptionError || error instanceof FileError
      ? new OptionError(error.message)
      : error
  }
}

/** @throws OptionError */
export function authorizationOf(
  options: ApiServerOptions,
  engine: Engine,
  metrics: AuthorizationMetrics,
): BuiltAuthorizer {
  const { storage, random, log, files = NO_FILES, outbound } = options
  if (
    options.authorization?.configFile &&
    !engine.featureGates.StructuredAuthorizationConfiguration
  )
    throw new OptionError(
      '--authorization-config cannot be used without enabling StructuredAuthorizationConfiguration feature flag',
    )
  const {
    AuthorizeNodeWithSelectors = false,
    ClusterTrustBundle = false,
    KubeletServiceAccountTokenForCredentialProviders: readsAccounts,
  } = engine.featureGates
  const nodeFeatures: NodeFeatures = {
    selectors: AuthorizeNodeWithSelectors,
    trustBundles: ClusterTrustBundle,
    ...(readsAccounts !== undefined && { readsAccounts }),
  }
  const namesInReasons = engine.tables.changes.has('AuthorizerNamesInReasons')
  const conditions = new ConditionCompiler(
    engine.featureGates.AuthorizeWithSelectors === true,
    engine.release.name,
  )
  try {
    const clock = engine.wallClock
    const environment = {
      storage,
      roles: engine.roles,
      clock,
      random,
      log,
      files,
      outbound,
      metrics,
      nodeFeatures,
      namesInReasons,
      conditions,
    }
    return buildAuthorizer(options.authorization ?? {}, environment)
  } catch (error) {
    throw error instanceof AuthorizationOptionError || error instanceof FileError
      ? new OptionError(error.message)
      : error
  }
}

/** Without signatures there is no cluster CA, and no certificate of it. */
export function certificatesOf(
  engine: Engine,
  presented: ApiServerOptions['ownAuthority'],
): (request: ApiRequest) => ApiRequest | Promise<ApiRequest> {
  const { clock, signatures } = engine
  const authority = authorityOf(engine)
  if (presented === undefined || signatures === undefined || authority === undefined)
    return (request) => request
  const environment = { clock, signatures, authorities: () => authority.certificate() }
  return withPresentedCertificates(environment, presented === 'in-header' ? inHeader : onConnection)
}

export async function authoritiesOf(
  engine: Engine,
  { authorities = {}, ownAuthority }: ApiServerOptions,
): Promise<Authorities> {
  if (ownAuthority !== 'on-connection') return authorities
  const clients = await authorityOf(engine)?.certificate()
  return clients === undefined ? authorities : { ...authorities, clients }
}

/** AlwaysAllow disables anonymous requests. Recorded from kube-apiserver 1.31. */
const anonymousAuthOf = ({ authorization }: ApiServerOptions): { anonymousAuth?: boolean } =>
  authorization && forbidsAnonymous(authorization) ? { anonymousAuth: false } : {}
