import type { Subresource } from '../registry/resource'
import { admitConnection } from './connection-admission'
import { CONNECTIONS, type Exchange } from './exchange'
import type { ApiResponse } from './messages'
import { failure } from './status'
import { subresourceHandlers } from './subresources/index'
import { handleWhole } from './subresources/whole-object'

export async function handleSubresource(
  exchange: Exchange,
  subresource: Subresource,
): Promise<ApiResponse> {
  const { resource, info } = exchange
  const special =
    subresourceHandlers[`${resource.resource}/${subresource.name}`] ??
    subresourceHandlers[`*/${subresource.name}`]
  if (CONNECTIONS.includes(subresource.name)) await admitConnection(exchange, subresource)
  if (special) return special(exchange, subresource)
  if (subresource.name === 'status') return handleWhole(exchange, resource.strategy.status ?? {})
  // Served by kube-apiserver, but not here yet.
  throw failure(
    501,
    'NotImplemented',
    `this simulator does not serve ${resource.resource}/${subresource.name} (${info.verb}) yet`,
    {},
  )
}
