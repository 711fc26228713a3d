import type { UserInfo } from '../authentication/authenticator'
import type { Attributes, Verdict } from '../authorization/authorizer'
import { fieldSelectorOf, labelSelectorOf } from '../authorization/selectors'
import { chain, type MaybePromise } from '../core/maybe-promise'
import type { Engine } from '../registry/engine'
import type { Decision, Trace } from '../telemetry/trace'
import type { Exchange } from './exchange'
import { authorizationGrounds, forbiddenError } from './forbidden-error'
import type { RequestInfo } from './request-info'
import { forbidden, internalError } from './status'

/** Becomes a 500. */
export class AuthorizationError extends Error {}

const LIMITED_VERBS = ['list', 'watch', 'deletecollection']

export function attributesOf(engine: Engine, info: RequestInfo, user: UserInfo): Attributes {
  const { verb, isResource, path, group, version, resource, subresource, namespace, name } = info
  const attributes: Attributes = {
    user,
    verb,
    isResource,
    path,
    group,
    version,
    resource,
    subresource,
    namespace,
    name,
  }
  if (
    engine.featureGates.AuthorizeWithSelectors !== true ||
    info.legacyWatch ||
    !LIMITED_VERBS.includes(verb)
  )
    return attributes
  const fieldSelector = info.query.get('fieldSelector')
  const labelSelector = info.query.get('labelSelector')
  if (fieldSelector) attributes.fieldSelector = fieldSelectorOf(fieldSelector)
  if (labelSelector) attributes.labelSelector = labelSelectorOf(labelSelector)
  return attributes
}

/**
 * Synchronous if the authorizers are, since it runs for every request.
 * @throws ApiError 403, AuthorizationError, at once or through the promise
 */
export function authorizeRequest(
  engine: Engine,
  attributes: Attributes,
  trace: Trace,
): MaybePromise<void> {
  return chain(evaluate(engine, attributes, trace), (verdict) => enforce(attributes, verdict))
}

function enforce(attributes: Attributes, verdict: Verdict): void {
  if (verdict.decision === 'allow') return
  if (verdict.error !== undefined) throw new AuthorizationError(verdict.error)
  throw forbiddenError(attributes, verdict.reason)
}

/** @throws ApiError 403 */
export async function authorizeImpersonation(
  engine: Engine,
  attributes: Attributes,
  trace: Trace,
): Promise<void> {
  const verdict = await evaluate(engine, attributes, trace, 'impersonation')
  if (verdict.decision === 'allow') return
  const denied = forbiddenError(attributes, verdict.reason)
  delete denied.grounds
  throw denied
}

function evaluate(
  engine: Engine,
  attributes: Attributes,
  trace: Trace,
  of?: Decision['of'],
): Verdict | Promise<Verdict> {
  const note = (verdict: Verdict): Verdict => {
    trace.authorization = decisionOf(engine, attributes, verdict, trace.detailed)
    if (of !== undefined) trace.authorization.of = of
    return verdict
  }
  const result = engine.authorizer.authorize(attributes)
  if (!(result instanceof Promise)) return note(result)
  const begun = trace.elapsed()
  return result.then((verdict) => {
    trace.waiting().authorization += trace.elapsed() - begun
    return note(verdict)
  })
}

function decisionOf(
  engine: Engine,
  attributes: Attributes,
  { decision, reason, error, by, grounds }: Verdict,
  watched: boolean,
): Decision {
  const recorded: Decision = { decision: decision === 'allow' ? 'allow' : 'forbid', reason }
  if (error !== undefined) recorded.error = error
  if (decision === 'deny') recorded.denied = true
  if (by !== undefined) recorded.by = by
  if (grounds !== undefined) recorded.grounds = grounds
  if (watched && decision === 'noOpinion')
    recorded.nearMisses = engine.authorizer.nearMisses?.(attributes) ?? []
  return recorded
}

/**
 * An update that creates an object also requires the permission to create.
 * @throws ApiError 403, often without a reason (recorded from kube-apiserver 1.31), or 500
 */
export function authorizeCreate(exchange: Exchange): MaybePromise<void> {
  const { engine, info, user } = exchange
  const attributes = { ...attributesOf(engine, info, user), verb: 'create' }
  return chain(engine.authorizer.authorize(attributes), ({ decision, reason, error }) => {
    if (decision === 'allow') return
    if (error !== undefined) throw internalError(error)
    if (engine.tables.changes.has('CreateDenialNamesUser')) throw forbiddenError(attributes, reason)
    const denied = forbidden({ group: info.group, resource: info.resource }, info.name, reason)
    denied.grounds = authorizationGrounds(attributes)
    throw denied
  })
}
