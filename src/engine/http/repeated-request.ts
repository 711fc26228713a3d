/**
 * Idempotent writes. A browser repeats a request automatically if its service worker stopped.
 * First-party clients therefore send an idempotency key, which is stored in the write's
 * transaction. A repeated request gets the first response, even if the object has changed since.
 */
import type { UserInfo } from '../authentication/authenticator'
import { IDEMPOTENCY_HEADER } from '../core/names'
import { deletionResult } from '../registry/delete'
import { showable } from '../registry/stored'
import { type Exchange, READ_ONLY, registryContext, respond } from './exchange'
import type { ApiRequest, ApiResponse } from './messages'
import type { RequestInfo } from './request-info'

const WRITES = new Set(['create', 'update', 'patch', 'delete'])

/**
 * @returns the identity of a write that has an idempotency key and responds with the object it
 *   wrote. User and path are part of it, so a key reveals no other user's write.
 */
export function requestIdOf(
  request: ApiRequest,
  info: RequestInfo,
  user: UserInfo,
): string | undefined {
  if (!WRITES.has(info.verb) || (info.subresource !== '' && info.subresource !== 'status'))
    return undefined
  const name = request.header(IDEMPOTENCY_HEADER)
  return name ? `${user.name} ${info.verb} ${info.path} ${name}` : undefined
}

/**
 * Runs a write once; a repeated request gets the first response again.
 * @throws ApiError as `carryOut` does
 */
export async function runOnce(
  exchange: Exchange,
  requestId: string,
  carryOut: () => Promise<ApiResponse>,
): Promise<ApiResponse> {
  const requests = exchange.engine.state.writesInProgress
  for (let first = requests.get(requestId); first; first = requests.get(requestId))
    await first.catch(() => undefined)
  const work = runAndRecover(exchange, carryOut).finally(() => requests.delete(requestId))
  requests.set(requestId, work)
  return work
}

async function runAndRecover(
  exchange: Exchange,
  carryOut: () => Promise<ApiResponse>,
): Promise<ApiResponse> {
  const before = await repeatResponse(exchange)
  if (before) return before
  try {
    return await carryOut()
  } catch (error) {
    // The write may be stored although the storage reported an error, or by another engine. Then
    // its own object caused the conflict.
    const after = await repeatResponse(exchange)
    if (after) return after
    throw error
  }
}

/** @returns undefined for a request that was not handled before */
async function repeatResponse(exchange: Exchange): Promise<ApiResponse | undefined> {
  const context = registryContext(exchange, READ_ONLY)
  if (context.requestId === undefined) return undefined
  const outcome = await exchange.engine.storage.outcome(context.requestId)
  const stored = outcome?.stored[0]
  if (outcome === undefined || stored === undefined) return undefined
  const { revision } = stored
  const gone = (await exchange.engine.storage.get(stored.key, { revision })) === undefined
  if (exchange.resource.conversion) await showable(exchange.resource, stored)
  if (exchange.info.verb === 'delete')
    return respond(exchange, 200, gone ? deletionResult(context, stored) : stored)
  return respond(exchange, stored.createRevision === revision ? 201 : 200, stored)
}
