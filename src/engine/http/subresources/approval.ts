/** The subresource `approval` of CertificateSigningRequests. */
import { approvalStrategy } from '../../kinds/certificates/signing-request'
import type { Exchange } from '../exchange'
import type { ApiResponse } from '../messages'
import { handleWhole } from './whole-object'

export const handleApproval = (exchange: Exchange): Promise<ApiResponse> =>
  handleWhole(exchange, approvalStrategy)
