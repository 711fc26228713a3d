/** Endpoints that read and write the whole object, each by a strategy of its own: `status`, `approval`. */
import { targetOf } from '../../registry/request-context'
import { readStored } from '../../registry/stored'
import type { Strategy } from '../../registry/strategy'
import type { ApiResponse } from '../messages'
import { handlePatch } from '../patch-handler'
import { type Exchange, READ_ONLY, registryContext, respond } from '../resource-handler'
import { methodNotAllowed, notFound } from '../status'
import { handleUpdate } from '../update-handler'

export async function handleWhole(exchange: Exchange, strategy: NonNullable<Strategy['status']>): Promise<ApiResponse> {
  const { info } = exchange
  switch (info.verb) {
    case 'get': {
      const context = registryContext(exchange, READ_ONLY)
      const stored = await readStored(context)
      if (stored === undefined) throw notFound(targetOf(context), context.name)
      return respond(exchange, 200, stored)
    }
    case 'update':
      return handleUpdate(exchange, strategy)
    case 'patch':
      return handlePatch(exchange, strategy)
    default:
      throw methodNotAllowed()
  }
}
