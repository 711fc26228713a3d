/** Subresources that are particular to their kind, by `resource/subresource` (`*` for any resource). */

import type { Subresource } from '../../registry/resource'
import type { ApiResponse } from '../messages'
import type { Exchange } from '../resource-handler'
import { finalizeNamespace } from './namespace-finalize'

export type SubresourceHandler = (exchange: Exchange, subresource: Subresource) => Promise<ApiResponse>

export const subresourceHandlers: Record<string, SubresourceHandler> = {
  'namespaces/finalize': finalizeNamespace,
}
