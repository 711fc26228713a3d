/** The last write of this page (user, script, console), and the writes just before it. */
import type { Roots } from '../../../hosts/shared/channel'
import type { LoggedRequest } from '../../state/logged-request'

/** Writes of one run follow each other faster than this. */
const PAUSE_MILLISECONDS = 1500
const MOST_ROOTS = 200

export interface LastWrite {
  /** Undefined for writes of other clients. */
  request: LoggedRequest | undefined
  /** User agent of another client; empty for this page. */
  client: string
  roots: Roots | undefined
  /** `Forbidden`, if the last request was rejected. */
  reason: string
  message: string
}

/** Excludes open responses, because the status is logged before the body. */
const isWrite = ({ origin, method, path, status, open }: LoggedRequest): boolean =>
  origin !== 'page' &&
  open !== true &&
  method !== 'GET' &&
  status !== undefined &&
  !/[?&]dryRun=/.test(path) &&
  !/\/apis\/auth[a-z]*\.k8s\.io\/v1\/[a-z]*reviews$/.test(path)

/** @param log oldest first */
export const lastRequestOf = (log: readonly LoggedRequest[]): LoggedRequest | undefined =>
  log.findLast(isWrite)

/** @param log oldest first */
export function lastWriteOf(log: readonly LoggedRequest[]): LastWrite | undefined {
  const at = log.findLastIndex(isWrite)
  const request = log[at]
  if (request === undefined) return undefined
  const { reason = '', message = '' } = parsed(request)
  if ((request.status ?? 0) >= 400)
    return { request, client: '', roots: undefined, reason, message }
  const revisions: number[] = []
  const deleted: string[] = []
  let begun = request.at
  for (let index = at; index >= 0 && revisions.length + deleted.length < MOST_ROOTS; index--) {
    const entry = log[index] as LoggedRequest
    if (!isWrite(entry)) continue
    if (begun - entry.at > PAUSE_MILLISECONDS) break
    begun = entry.at
    if ((entry.status ?? 0) >= 400) continue
    const { metadata, details } = parsed(entry)
    const revision = Number(metadata?.resourceVersion)
    if (revision > 0) revisions.push(revision)
    else if (details?.uid !== undefined) deleted.push(details.uid)
  }
  return { request, client: '', roots: { revisions, deleted }, reason, message }
}

interface Body {
  reason?: string
  message?: string
  metadata?: { resourceVersion?: string }
  details?: { uid?: string }
}

/** Truncated responses are not valid JSON. */
function parsed({ response = '' }: LoggedRequest): Body {
  try {
    return (JSON.parse(response) ?? {}) as Body
  } catch {
    return {}
  }
}
