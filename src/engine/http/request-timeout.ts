/**
 * How long a client is answered at the latest: `?timeout=`, or the server's own `--request-timeout` where that is less (public
 * documentation; forms recorded: wire-params, "timeout-values"). Webhooks and a shared store alone take so long that it matters.
 */
import { isLongRunning } from '../flow-control/long-running'
import { durationMilliseconds, durationProblem } from '../schema/go-duration'
import { StorageTimeoutError } from '../storage/storage'
import type { ApiResponse } from './messages'
import type { RequestInfo } from './request-info'
import { textResponse } from './respond'
import { badRequest, RequestTimedOut } from './status'

/**
 * @param most milliseconds
 * @returns milliseconds; requests that stay open as long as both sides want have no limit
 * @throws ApiError 400
 */
export function timeLimitOf(info: RequestInfo, most: number): number {
  if (isLongRunning(info)) return Number.POSITIVE_INFINITY
  const timeout = info.query.get('timeout')
  if (!timeout) return most
  const problem = durationProblem(timeout)
  if (problem !== undefined)
    throw badRequest(`invalid timeout specified in the request URL - time: ${problem}`)
  const wanted = durationMilliseconds(timeout)
  return wanted > 0 ? Math.min(wanted, most) : most
}

/** The words of a server that has no time to put them into the form that was asked for: a Status that does not say what it is. */
export function timedOut(): ApiResponse {
  const status = {
    metadata: {},
    status: 'Failure',
    message: 'Timeout: request did not complete within the allotted timeout',
    reason: 'Timeout',
    details: {},
    code: 504,
  }
  return textResponse(status.code, 'text/plain; charset=utf-8', `${JSON.stringify(status)}\n`)
}

/** What was waited for was not there in the time that the request had. */
export const isOutOfTime = (error: unknown): boolean =>
  error instanceof RequestTimedOut || error instanceof StorageTimeoutError
