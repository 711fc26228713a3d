/** `?timeout=`: how long a client wants to wait for an answer. Only its form matters here: nothing takes that long (recorded: wire-params, "timeout-values"). */
import { isLongRunning } from '../flow-control/long-running'
import { durationProblem } from '../schema/go-duration'
import type { RequestInfo } from './request-info'
import { badRequest } from './status'

/** Requests that stay open as long as both sides want take no such limit. @throws ApiError 400 */
export function checkTimeout(info: RequestInfo): void {
  const timeout = info.query.get('timeout')
  if (!timeout || isLongRunning(info)) return
  const problem = durationProblem(timeout)
  if (problem !== undefined) throw badRequest(`invalid timeout specified in the request URL - time: ${problem}`)
}
