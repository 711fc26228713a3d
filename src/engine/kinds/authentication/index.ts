/**
 * TokenReview is never stored (kubernetes.io, "Webhook Token Authentication"). Recorded from
 * kube-apiserver 1.31.
 */

import type { Authentication } from '../../authentication/authenticator'
import type { JsonObject, KubeObject } from '../../core/object'
import { badRequest } from '../../http/status'
import { wipeSystemFields } from '../../registry/create'
import type { Kind } from '../../registry/kind'
import { recordOwnership } from '../../registry/record-ownership'
import { admissionAttributes, type RequestContext } from '../../registry/request-context'
import type { Strategy } from '../../registry/strategy'
import { canonicalize } from '../../schema/canonical'

interface TokenReview extends KubeObject {
  spec?: { token?: string; audiences?: string[] }
  status?: { user?: JsonObject }
}

const reviewOfToken: Strategy<RequestContext> = {
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

/** Drops warnings. */
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

/** @param sent user in the request, if there is no result */
function statusOf(outcome: Authentication, sent: JsonObject = {}): JsonObject {
  if (outcome === undefined) return { user: sent }
  if ('errors' in outcome) return { user: sent, error: aggregated(outcome.errors) }
  const { name, uid, groups, extra } = outcome.user
  const user = { username: name, ...(uid ? { uid } : {}), groups, ...(extra ? { extra } : {}) }
  return { authenticated: true, user, audiences: [...outcome.audiences] }
}

/** Without duplicates. */
function aggregated(texts: readonly string[]): string {
  const different = [...new Set(texts)]
  return different.length === 1 ? (different[0] as string) : `[${different.join(', ')}]`
}

export const authenticationKinds: readonly Kind[] = [
  {
    group: 'authentication.k8s.io',
    kind: 'TokenReview',
    strategy: reviewOfToken,
  },
]
