/** What users wrote during an incident, from the audit trail. */
import type { AuditEvent } from '../../../hosts/shared/channel'
import { isByPerson, type SeenRequest } from '../../../lessons/check'

export interface Write {
  /** Audit id. */
  id: string
  /** Cluster time, in milliseconds since the epoch. */
  at: number
  user: string
  /** `patch` */
  verb: string
  /** `services/checkout`, `pods/web-1/eviction` */
  what: string
  namespace: string
  code: number
  /** A short body, such as that of a patch. */
  body: string
}

const WRITES = ['create', 'update', 'patch', 'delete', 'deletecollection']
const MOST_BODY = 240

/** Without dry runs and reviews, which store nothing. */
export function writesIn(events: readonly AuditEvent[], since: number): Write[] {
  return events.flatMap((event) => {
    const seen = event as unknown as SeenRequest
    const at = Date.parse(String(event.stageTimestamp))
    const { verb, requestURI, objectRef } = seen
    const stores =
      WRITES.includes(verb) &&
      objectRef !== undefined &&
      !/[?&]dryRun=/.test(requestURI) &&
      !/reviews$/.test(objectRef.resource ?? '')
    return stores && at >= since && isByPerson(seen) ? [writeOf(event, at)] : []
  })
}

function writeOf(event: AuditEvent, at: number): Write {
  const { user, verb, objectRef, responseStatus } = event as unknown as SeenRequest
  const { resource = '', name = '', subresource = '', namespace = '' } = objectRef ?? {}
  const body = verb === 'patch' ? JSON.stringify(event.requestObject ?? '') : ''
  return {
    id: event.auditID,
    at,
    user: user?.username ?? '',
    verb,
    what: [resource, name, subresource].filter((part) => part !== '').join('/'),
    namespace,
    code: responseStatus?.code ?? 0,
    body: body.length <= MOST_BODY ? body : '',
  }
}
