/** Subresources: `status` for every kind that has one; the others are particular to their kind (http/subresources). */
import { keyOf, targetOf } from '../registry/request-context'
import type { Subresource } from '../registry/resource'
import type { ApiResponse } from './messages'
import { handlePatch } from './patch-handler'
import { type Exchange, READ_ONLY, registryContext, respond } from './resource-handler'
import { failure, methodNotAllowed, notFound } from './status'
import { subresourceHandlers } from './subresources/index'
import { handleUpdate } from './update-handler'

export async function handleSubresource(exchange: Exchange, subresource: Subresource): Promise<ApiResponse> {
  const { resource, info } = exchange
  const special = subresourceHandlers[`${resource.resource}/${subresource.name}`] ?? subresourceHandlers[`*/${subresource.name}`]
  if (special) return special(exchange, subresource)
  if (subresource.name === 'status') return handleStatus(exchange)
  // Served by the real server, not by this one yet: said plainly instead of a made-up answer.
  throw failure(501, 'NotImplemented', `this simulator does not serve ${resource.resource}/${subresource.name} (${info.verb}) yet`, {})
}

async function handleStatus(exchange: Exchange): Promise<ApiResponse> {
  const { engine, info, resource } = exchange
  const strategy = resource.strategy.status ?? {}
  switch (info.verb) {
    case 'get': {
      const context = registryContext(exchange, READ_ONLY)
      const stored = await engine.storage.get(keyOf(context))
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
