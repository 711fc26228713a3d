/** certificatesigningrequests/{name}/approval: approves or denies a request. */
import { approvalStrategy } from '../../registry/certificates/signing-request'
import type { ApiResponse } from '../messages'
import type { Exchange } from '../resource-handler'
import { handleWhole } from './whole-object'

export const handleApproval = (exchange: Exchange): Promise<ApiResponse> =>
  handleWhole(exchange, approvalStrategy)
