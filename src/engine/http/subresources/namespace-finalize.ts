/**
 * The only way to change `spec.finalizers`. Removing the last one deletes a terminating namespace.
 */
import { namespaceFinalizeStrategy } from '../../kinds/core/namespace'
import type { Exchange } from '../exchange'
import type { ApiResponse } from '../messages'
import { handleUpdate } from '../update-handler'

export async function finalizeNamespace(exchange: Exchange): Promise<ApiResponse> {
  return handleUpdate(exchange, namespaceFinalizeStrategy)
}
