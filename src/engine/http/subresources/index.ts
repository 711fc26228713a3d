/** Subresources that are particular to their kind, by `resource/subresource` (`*` for any resource). */

import type { Subresource } from '../../registry/resource'
import type { ApiResponse } from '../messages'
import type { Exchange } from '../resource-handler'
import { handleApproval } from './approval'
import { finalizeNamespace } from './namespace-finalize'
import { handleScale } from './scale'

export type SubresourceHandler = (exchange: Exchange, subresource: Subresource) => Promise<ApiResponse>

export const subresourceHandlers: Record<string, SubresourceHandler> = {
  '*/scale': handleScale,
  'certificatesigningrequests/approval': handleApproval,
  'namespaces/finalize': finalizeNamespace,
}
