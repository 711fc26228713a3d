/** The authorization filter, and the extra check of an update that creates an object. */
import type { UserInfo } from '../authentication/authenticator'
import type { Attributes, Verdict } from '../authorization/authorizer'
import { fieldSelectorOf, labelSelectorOf } from '../authorization/selectors'
import type { Engine } from '../engine'
import { after, type Eventually } from '../eventually'
import { goQuote } from '../schema/go-text'
import type { Decision, Trace } from '../telemetry/trace'
import type { Exchange } from './exchange'
import type { RequestInfo } from './request-info'
import { htmlEscaped, NO_SNIFFING } from './respond'
import { ApiError, failure, forbidden, internalError } from './status'

/**
 * An authorizer failed and none allowed the request. kube-apiserver responds 500 with the message.
 */
export class AuthorizationError extends Error {}

/** Verbs on several objects, which selectors limit. */
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
 * Authorizes a request. It stays synchronous as long as the authorizers do, since every request
 * comes through here.
 * @throws ApiError 403 with the reasons of the authorizers, at once or through the promise
 * @throws AuthorizationError if the authorizers failed, at once or through the promise
 */
export function authorizeRequest(
  engine: Engine,
  attributes: Attributes,
  trace: Trace,
): Promise<void> | void {
  const answer = judged(engine, attributes, trace)
  return answer instanceof Promise
    ? answer.then((verdict) => obey(attributes, verdict))
    : obey(attributes, answer)
}

function obey(attributes: Attributes, verdict: Verdict): void {
  if (verdict.decision === 'allow') return
  if (verdict.error !== undefined) throw new AuthorizationError(verdict.error)
  throw refusal(attributes, verdict.reason)
}

/** @throws ApiError 403 */
export async function authorizeImpersonation(
  engine: Engine,
  attributes: Attributes,
  trace: Trace,
): Promise<void> {
  const verdict = await judged(engine, attributes, trace, 'impersonation')
  if (verdict.decision !== 'allow') throw refusal(attributes, verdict.reason)
}

function judged(
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
  const answer = engine.authorizer.authorize(attributes)
  if (!(answer instanceof Promise)) return note(answer)
  const begun = trace.elapsed()
  return answer.then((verdict) => {
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
  const told: Decision = { decision: decision === 'allow' ? 'allow' : 'forbid', reason }
  if (error !== undefined) told.error = error
  if (decision === 'deny') told.denied = true
  if (by !== undefined) told.by = by
  if (grounds !== undefined) told.grounds = grounds
  if (watched && decision === 'noOpinion')
    told.nearMisses = engine.authorizer.nearMisses?.(attributes) ?? []
  return told
}

function refusal(attributes: Attributes, reason: string): ApiError {
  const { group, resource, name } = attributes
  const text = htmlEscaped(cannot(attributes)) + (reason === '' ? '' : `: ${reason}`)
  const { status } = attributes.isResource
    ? forbidden({ group, resource }, name, text)
    : failure(403, 'Forbidden', `forbidden: ${text}`, {})
  // The text contains names that other users may have chosen.
  return new ApiError(status, { ...NO_SNIFFING })
}

/** `User "jane" cannot get resource "pods/log" in API group "" in the namespace "a"` */
function cannot({
  user,
  verb,
  isResource,
  path,
  group,
  resource,
  subresource,
  namespace,
}: Attributes): string {
  const who = `User ${goQuote(user.name)} cannot ${verb}`
  if (!isResource) return `${who} path ${goQuote(path)}`
  const what = goQuote(subresource === '' ? resource : `${resource}/${subresource}`)
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${goQuote(namespace)}`
  return `${who} resource ${what} in API group ${goQuote(group)} ${where}`
}

/**
 * An update that creates an object also needs permission to create it.
 * @throws ApiError 403, often with an empty reason after `is forbidden: ` (recorded from
 *   kube-apiserver 1.31)
 * @throws ApiError 500 if the authorizers failed
 */
export function authorizeCreate(exchange: Exchange): Eventually<void> {
  const { engine, info, user } = exchange
  return after(
    engine.authorizer.authorize({ ...attributesOf(engine, info, user), verb: 'create' }),
    ({ decision, reason, error }) => {
      if (decision === 'allow') return
      if (error !== undefined) throw internalError(error)
      throw forbidden({ group: info.group, resource: info.resource }, info.name, reason)
    },
  )
}
