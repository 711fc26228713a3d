/** Discovery: which groups, versions and resources there are. */
import type { Engine } from '../engine'
import type { ApiRequest, ApiResponse } from './messages'
import type { RequestInfo } from './request-info'

export async function discoveryResponse(_engine: Engine, _request: ApiRequest, _info: RequestInfo): Promise<ApiResponse | undefined> {
  return undefined
}
