/** TokenReview: what the server makes of a token, answered and never stored (document 2, "Bearer token"; recorded). */
import type { Authentication } from '../../authentication/authenticator'
import { badRequest } from '../../http/status'
import type { JsonObject, KubeObject } from '../../object'
import { canonicalize } from '../../schema/canonical'
import { wipeSystemFields } from '../create'
import { recordOwnership } from '../ownership'
import { admissionAttributes, type RequestContext } from '../request-context'
import type { Strategy } from '../strategy'

interface TokenReview extends KubeObject {
  spec?: { token?: string; audiences?: string[] }
  status?: { user?: JsonObject }
}

const reviewOfToken: Strategy = {
  async create(object, context) {
    const { engine } = context
    const review = object as TokenReview
    wipeSystemFields(review.metadata)
    review.metadata.namespace = undefined
    recordOwnership(context, undefined, review)
    const attributes = admissionAttributes(context, 'CREATE', review, undefined)
    await engine.admission.mutate(attributes)
    const { token = '', audiences = [] } = review.spec ?? {}
    if (token === '') throw badRequest('token is required for TokenReview in authentication')
    await engine.admission.validate(attributes)
    const outcome = await authenticate(
      context,
      token,
      audiences.length > 0 ? audiences : engine.audiences,
    )
    return canonicalize(context.resource.storedType, {
      ...review,
      status: statusOf(outcome, review.status?.user),
    })
  },
}

/** As if the token came in a header. What is to be said of it is said to nobody. */
async function authenticate(
  { engine }: RequestContext,
  token: string,
  audiences: readonly string[],
): Promise<Authentication> {
  const request = {
    method: 'GET',
    target: '/',
    header: (name: string) => (name === 'authorization' ? `Bearer ${token}` : undefined),
    headerNames: () => ['authorization'],
    body: async () => new Uint8Array(),
  }
  return engine.authenticator.authenticate(request, { audiences, annotations: {}, warnings: [] })
}

/** @param sent the user that the question itself named: it stays where there is no answer */
function statusOf(outcome: Authentication, sent: JsonObject = {}): JsonObject {
  if (outcome === undefined) return { user: sent }
  if ('refused' in outcome) return { user: sent, error: aggregated(outcome.refused) }
  const { name, uid, groups, extra } = outcome.user
  const user = { username: name, ...(uid ? { uid } : {}), groups, ...(extra ? { extra } : {}) }
  return { authenticated: true, user, audiences: [...outcome.audiences] }
}

/** Several errors as one: each text once. */
function aggregated(texts: readonly string[]): string {
  const different = [...new Set(texts)]
  return different.length === 1 ? (different[0] as string) : `[${different.join(', ')}]`
}

export const authenticationStrategies: Record<string, Strategy> = {
  'authentication.k8s.io/TokenReview': reviewOfToken,
}
