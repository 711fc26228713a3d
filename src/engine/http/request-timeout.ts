/**
 * `?timeout=` may shorten `--request-timeout` (recording `wire-params`). Only webhooks and shared
 * storage take that long.
 */
import { isLongRunning } from '../flow-control/long-running'
import { durationMilliseconds, durationProblem } from '../schema/go-duration'
import { StorageTimeoutError } from '../storage/storage'
import type { ApiResponse } from './messages'
import type { RequestInfo } from './request-info'
import { textResponse } from './respond'
import { badRequest, RequestTimedOut } from './status'

/** In milliseconds; Infinity for long-running requests. @throws ApiError 400 */
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

/** The Status lacks kind and apiVersion, since nothing was negotiated. */
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

export const isOutOfTime = (error: unknown): boolean =>
  error instanceof RequestTimedOut || error instanceof StorageTimeoutError
