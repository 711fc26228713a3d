/** Handlers of subresources by `resource/subresource`; `*` for any resource. */

import { ephemeralContainersStrategy } from '../../kinds/core/pod-ephemeral'
import { resizeStrategy } from '../../kinds/core/pod-resize'
import type { Subresource } from '../../registry/resource'
import type { Exchange } from '../exchange'
import type { ApiResponse } from '../messages'
import { handleApproval } from './approval'
import { finalizeNamespace } from './namespace-finalize'
import { handleBinding } from './pod-binding'
import { handleLog, handlePortForward, handleProxy, handleStreams } from './pod-connections'
import { handleEviction } from './pod-eviction'
import { proxyToNode, proxyToService } from './proxies'
import { handleRollback } from './rollback'
import { handleScale } from './scale'
import { handleToken } from './service-account-token'
import { handleWhole } from './whole-object'

export type SubresourceHandler = (
  exchange: Exchange,
  subresource: Subresource,
) => Promise<ApiResponse>

export const subresourceHandlers: Record<string, SubresourceHandler> = {
  '*/scale': handleScale,
  'certificatesigningrequests/approval': handleApproval,
  'deployments/rollback': handleRollback,
  'namespaces/finalize': finalizeNamespace,
  'nodes/proxy': proxyToNode,
  'pods/attach': handleStreams,
  'pods/binding': handleBinding,
  'pods/ephemeralcontainers': (exchange) => handleWhole(exchange, ephemeralContainersStrategy),
  'pods/eviction': handleEviction,
  'pods/exec': handleStreams,
  'pods/log': handleLog,
  'pods/portforward': handlePortForward,
  'pods/proxy': handleProxy,
  'pods/resize': (exchange) => handleWhole(exchange, resizeStrategy),
  'serviceaccounts/token': handleToken,
  'services/proxy': proxyToService,
}
