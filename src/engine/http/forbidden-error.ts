/** The 403 of a request that the authorizer denies. */
import type { Attributes } from '../authorization/authorizer'
import { goQuote } from '../schema/go-text'
import { htmlEscaped, NO_SNIFFING } from './respond'
import { ApiError, failure, forbidden, type RejectionGrounds } from './status'

export function forbiddenError(attributes: Attributes, reason: string): ApiError {
  const { group, resource, name } = attributes
  const text = htmlEscaped(cannot(attributes)) + (reason === '' ? '' : `: ${reason}`)
  const { status } = attributes.isResource
    ? forbidden({ group, resource }, name, text)
    : failure(403, 'Forbidden', `forbidden: ${text}`, {})
  // Other users may have chosen names in the text.
  const error = new ApiError(status, { ...NO_SNIFFING })
  error.grounds = authorizationGrounds(attributes)
  return error
}

export const authorizationGrounds = ({
  verb,
  isResource,
  path,
  group,
  resource,
  subresource,
  namespace,
  name,
}: Attributes): RejectionGrounds => ({
  by: 'authorization',
  verb,
  isResource,
  path,
  group,
  resource,
  subresource,
  namespace,
  name,
})

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
