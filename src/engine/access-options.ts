/** From a server's options to who is let in and who may do what. */
import { withPresentedCertificates } from './authentication/certificates/presented'
import { type AuthenticationMetrics, AuthenticationOptionError, authenticationMethods, type Methods } from './authentication/methods'
import { type BuiltAuthorizer, buildAuthorizer } from './authorization/configuration/build'
import { AuthorizationOptionError, forbidsAnonymous } from './authorization/configuration/options'
import type { AuthorizationMetrics } from './authorization/metrics'
import { ConditionCompiler } from './authorization/webhook/match-conditions'
import { authorityOf } from './controllers/certificates/authority'
import type { Engine } from './engine'
import { FileError, type Files } from './environment'
import type { ApiRequest } from './http/messages'
import { OptionError } from './option-error'
import { labelObject } from './registry/server-writes'
import type { ApiServerOptions } from './server'

const NO_FILES: Files = {
  read(path) {
    throw new FileError(path, 'no such file or directory')
  },
}

/** @throws OptionError */
export function authenticationOf(
  options: ApiServerOptions,
  gates: Readonly<Record<string, boolean>>,
  metrics: AuthenticationMetrics,
  engine: () => Engine,
): Methods {
  try {
    const { clientCertificates = false, presentedCertificates = false } = options
    const given = { ...options, ...anonymousAuthOf(options), clientCertificates: clientCertificates || presentedCertificates }
    return authenticationMethods(given, {
      ...options,
      metrics,
      featureGates: gates,
      label: (object, labels) => labelObject(engine(), object, labels),
    })
  } catch (error) {
    throw error instanceof AuthenticationOptionError || error instanceof FileError ? new OptionError(error.message) : error
  }
}

/** @throws OptionError */
export function authorizationOf(options: ApiServerOptions, engine: Engine, metrics: AuthorizationMetrics): BuiltAuthorizer {
  const { storage, random, log, files = NO_FILES, outbound } = options
  if (options.authorization?.configFile && !engine.featureGates.StructuredAuthorizationConfiguration)
    throw new OptionError('--authorization-config cannot be used without enabling StructuredAuthorizationConfiguration feature flag')
  const { AuthorizeNodeWithSelectors = false, ClusterTrustBundle = false } = engine.featureGates
  const nodeFeatures = { selectors: AuthorizeNodeWithSelectors, trustBundles: ClusterTrustBundle }
  const conditions = new ConditionCompiler(engine.featureGates.AuthorizeWithSelectors === true)
  try {
    const clock = engine.patience
    const environment = { storage, roles: engine.roles, clock, random, log, files, outbound, metrics, nodeFeatures, conditions }
    return buildAuthorizer(options.authorization ?? {}, environment)
  } catch (error) {
    throw error instanceof AuthorizationOptionError || error instanceof FileError ? new OptionError(error.message) : error
  }
}

/** A host that cannot sign has no authority, and nobody shows certificates to it. */
export function certificatesOf(engine: Engine): (request: ApiRequest) => ApiRequest | Promise<ApiRequest> {
  const { clock, signatures } = engine
  const authority = authorityOf(engine)
  if (signatures === undefined || authority === undefined) return (request) => request
  return withPresentedCertificates({ clock, signatures, authorities: () => authority.certificate() })
}

/** A server that allows everybody everything wants to know who asks (recorded). */
const anonymousAuthOf = ({ authorization }: ApiServerOptions): { anonymousAuth?: boolean } =>
  authorization && forbidsAnonymous(authorization) ? { anonymousAuth: false } : {}
