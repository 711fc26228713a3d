/** `status` and `approval`. */
import type { Strategy } from '../../registry/strategy'
import { type Exchange, readRequested, respond } from '../exchange'
import type { ApiResponse } from '../messages'
import { handlePatch } from '../patch-handler'
import { methodNotAllowed } from '../status'
import { handleUpdate } from '../update-handler'

export async function handleWhole(
  exchange: Exchange,
  strategy: NonNullable<Strategy['status']>,
): Promise<ApiResponse> {
  const { info } = exchange
  switch (info.verb) {
    case 'get':
      return respond(exchange, 200, await readRequested(exchange))
    case 'update':
      return handleUpdate(exchange, strategy)
    case 'patch':
      return handlePatch(exchange, strategy)
    default:
      throw methodNotAllowed()
  }
}
