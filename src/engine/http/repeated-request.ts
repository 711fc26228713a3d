/**
 * Browsers repeat a request if their service worker stopped. An idempotency key, stored in the
 * write's transaction, lets the server return the first response to the repeated request.
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
 * Only for writes with an idempotency key that respond with the written object. Includes user and
 * path, so a key reveals no other user's write.
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

/** @throws ApiError as `carryOut` does */
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
    // The write may be stored despite an error, or by another engine, and so conflict with itself.
    const after = await repeatResponse(exchange)
    if (after) return after
    throw error
  }
}

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
