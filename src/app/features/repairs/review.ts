/** Requests repairs of a logged request. */
import type { RepairReview } from '../../../engine/repair/review'
import { PAGE_ACTOR } from '../../state/actors'
import { ApiFailure, sendRequest } from '../../state/client'
import { HIDDEN } from '../../state/log-credentials'
import type { LoggedRequest } from '../../state/logged-request'
import { traceOf } from '../../state/traces'

export type Review = RepairReview['status']
export type Repair = Review['repairs'][number]

/** The server cannot find out who sent other requests, and a 500 only names a webhook. */
export function isReviewable({ status = 0, body = '', path, open }: LoggedRequest): boolean {
  const isRejected = (status >= 400 && status < 500 && status !== 401) || status === 500
  return isRejected && open !== true && !body.includes(HIDDEN) && /^\/apis?\//.test(path)
}

/** @throws ApiFailure, Error */
export async function reviewOf(entry: LoggedRequest): Promise<Review> {
  const trace = await traceOf(entry.responseHeaders?.['audit-id'] ?? '')
  const user = trace?.impersonated ?? trace?.user
  const contentType = Object.entries(entry.headers).find(
    ([name]) => name.toLowerCase() === 'content-type',
  )?.[1]
  const spec = {
    ...(user && { user: user.name, groups: user.groups, uid: user.uid, extra: user.extra }),
    request: { method: entry.method, path: entry.path, contentType, body: entry.body },
  }
  const response = await sendRequest({
    method: 'POST',
    path: '/kubetab/v1/repairs',
    body: JSON.stringify({ kind: 'RepairReview', apiVersion: 'kubetab/v1', spec }),
    actor: PAGE_ACTOR,
    origin: 'page',
  })
  if (!response.ok) throw new ApiFailure(response)
  return (response.json as RepairReview).status
}
