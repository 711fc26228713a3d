/** Replays recorded requests in order, and compares each response status with the recorded one. */
import { isJsonObject, type Json } from '../../../engine/core/object'
import { HIDDEN } from '../../state/log-credentials'
import type { RecordedRequest } from './scenario'
import { REPLAY } from './texts'

export type Replayed = { status: number } | { skipped: string }

export type Send = (
  request: Pick<RecordedRequest, 'method' | 'path' | 'body' | 'contentType' | 'accept' | 'who'>,
) => Promise<{
  status: number
  json: unknown
}>

/** Retries, because controllers may still process the previous request. */
const ATTEMPTS = 4
const PAUSE_MILLISECONDS = 300

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, PAUSE_MILLISECONDS))

/** @param wait between attempts @throws what sending throws */
export async function replay(
  request: RecordedRequest,
  send: Send,
  wait: () => Promise<void> = pause,
): Promise<Replayed> {
  if (request.body?.includes(HIDDEN)) return { skipped: REPLAY.hadCredentials }
  for (let attempt = 1; ; attempt++) {
    const { status } = await send(await upToDate(request, send))
    // A failed request had no effect, so it can be sent again.
    if (status === request.status || status < 400 || request.status >= 400 || attempt === ATTEMPTS)
      return { status }
    await wait()
  }
}

export const isSame = (request: RecordedRequest, replayed: Replayed | undefined): boolean =>
  replayed !== undefined && 'status' in replayed && replayed.status === request.status

/** Adapts the resourceVersion to this cluster: a current one stays current, a stale one stale. */
async function upToDate(request: RecordedRequest, send: Send): Promise<RecordedRequest> {
  const { method, path, body, status, who } = request
  if (body === undefined || status >= 300 || (method !== 'PUT' && method !== 'PATCH'))
    return request
  const value = parsed(body)
  if (
    !isJsonObject(value) ||
    !isJsonObject(value.metadata) ||
    typeof value.metadata.resourceVersion !== 'string'
  )
    return request
  const { json } = await send({ method: 'GET', path: path.split('?')[0] as string, who })
  const live = isJsonObject(json as Json)
    ? (json as { metadata?: { resourceVersion?: string } }).metadata?.resourceVersion
    : undefined
  if (live === undefined) return request
  return {
    ...request,
    body: JSON.stringify({ ...value, metadata: { ...value.metadata, resourceVersion: live } }),
  }
}

function parsed(body: string): Json {
  try {
    return JSON.parse(body) as Json
  } catch {
    return null
  }
}
