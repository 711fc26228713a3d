/** The authorization filter, and the second question that a create hidden in an update asks. */
import type { UserInfo } from '../authentication/authenticator'
import type { Attributes } from '../authorization/authorizer'
import type { Engine } from '../engine'
import type { Decision, Trace } from '../observation/trace'
import { goQuote } from '../schema/go-text'
import type { RequestInfo } from './request-info'
import type { Exchange } from './resource-handler'
import { htmlEscaped } from './respond'
import { type ApiError, failure, forbidden } from './status'

export function attributesOf(info: RequestInfo, user: UserInfo): Attributes {
  const { verb, isResource, path, group, version, resource, subresource, namespace, name } = info
  return { user, verb, isResource, path, group, version, resource, subresource, namespace, name }
}

/** @throws ApiError 403 with the reasons of the authorizers */
export async function authorizeRequest(engine: Engine, attributes: Attributes, trace: Trace, of?: Decision['of']): Promise<void> {
  const answer = engine.authorizer.authorize(attributes)
  const verdict = answer instanceof Promise ? await answer : answer
  const allowed = verdict.decision === 'allow'
  trace.authorization = { decision: allowed ? 'allow' : 'forbid', reason: verdict.reason, ...(of ? { of } : {}) }
  if (!allowed) throw refusal(attributes, verdict.reason)
}

function refusal(attributes: Attributes, reason: string): ApiError {
  const { group, resource, name } = attributes
  const text = htmlEscaped(cannot(attributes)) + (reason === '' ? '' : `: ${reason}`)
  if (!attributes.isResource) return failure(403, 'Forbidden', `forbidden: ${text}`, {})
  return forbidden({ group, resource }, name, text)
}

/** `User "jane" cannot get resource "pods/log" in API group "" in the namespace "a"` */
function cannot({ user, verb, isResource, path, group, resource, subresource, namespace }: Attributes): string {
  const who = `User ${goQuote(user.name)} cannot ${verb}`
  if (!isResource) return `${who} path ${goQuote(path)}`
  const what = goQuote(subresource === '' ? resource : `${resource}/${subresource}`)
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${goQuote(namespace)}`
  return `${who} resource ${what} in API group ${goQuote(group)} ${where}`
}

/** An update that would create needs the right to create (recorded: nothing stands behind `is forbidden: `). */
export async function authorizeCreate(exchange: Exchange): Promise<void> {
  const { engine, info, user } = exchange
  const answer = await engine.authorizer.authorize({ ...attributesOf(info, user), verb: 'create' })
  if (answer.decision !== 'allow') throw forbidden({ group: info.group, resource: info.resource }, info.name, '')
}
