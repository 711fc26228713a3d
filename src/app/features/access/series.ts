/** Distinct requests from traces or audit events. */
import { PAGE_AGENT } from '../../../engine/core/names'
import { isJsonObject } from '../../../engine/core/object'
import type { QueryAttributes } from '../../../hosts/shared/access'
import type { AuditEvent, RequestTrace } from '../../../hosts/shared/channel'
import { attributesText } from './texts'

export interface Recorded {
  key: string
  text: string
  user: string
  count: number
  /** At least one response was 403. */
  denied: boolean
  /** Exactly one of the two is set. */
  requests?: QueryAttributes
  event?: AuditEvent
}

/** Omits the page's own requests. */
export function fromTraces(traces: Iterable<RequestTrace>): Recorded[] {
  const series = new Map<string, Recorded>()
  for (const { attributes, user, impersonated, status, userAgent } of traces) {
    const who = impersonated ?? user
    if (attributes === undefined || who === undefined || userAgent === PAGE_AGENT) continue
    add(series, {
      user: who.name,
      text: attributesText(attributes),
      denied: status === 403,
      requests: attributes,
    })
  }
  return [...series.values()]
}

export function fromEvents(events: readonly AuditEvent[]): Recorded[] {
  const series = new Map<string, Recorded>()
  for (const event of events) {
    const user = nameIn(event.impersonatedUser) ?? nameIn(event.user)
    if (user === undefined || event.userAgent === PAGE_AGENT) continue
    const [path = ''] = event.requestURI.split('?')
    const code = isJsonObject(event.responseStatus) ? event.responseStatus.code : undefined
    add(series, { user, text: `${event.verb} ${path}`, denied: code === 403, event })
  }
  return [...series.values()]
}

const nameIn = (user: unknown): string | undefined =>
  isJsonObject(user) && typeof user.username === 'string' ? user.username : undefined

function add(series: Map<string, Recorded>, one: Omit<Recorded, 'key' | 'count'>): void {
  const key = `${one.user} ${one.text}`
  const known = series.get(key)
  if (known === undefined) series.set(key, { ...one, key, count: 1 })
  else series.set(key, { ...known, count: known.count + 1, denied: known.denied || one.denied })
}
