/** The events of an object, oldest first. */
import type { Event } from 'kubernetes-types/core/v1'
import { since } from '../../engine/encoding/duration'
import type { Report } from './report'
import { NONE } from './words'

export function events(report: Report, list: readonly Event[], now: number): void {
  if (list.length === 0) {
    report.field(0, 'Events', NONE)
    return
  }
  report.endColumns()
  report.line(0, 'Events:')
  report.line(1, 'Type', 'Reason', 'Age', 'From', 'Message')
  report.line(1, '----', '------', '----', '----', '-------')
  const at = (event: Event): number =>
    event.lastTimestamp ? Date.parse(event.lastTimestamp) : Number.NEGATIVE_INFINITY
  for (const event of [...list].sort((a, b) => at(a) - at(b))) {
    const source = event.source?.component || (event.reportingComponent ?? '')
    report.line(
      1,
      event.type,
      event.reason,
      interval(event, now),
      source,
      (event.message ?? '').trim(),
    )
  }
}

/** `5s`, or `5s (x3 over 2m)` for a series. */
function interval(event: Event, now: number): string {
  const first = since(event.eventTime ?? event.firstTimestamp, now)
  if (event.series)
    return `${since(event.series.lastObservedTime, now)} (x${event.series.count ?? 0} over ${first})`
  return (event.count ?? 0) > 1
    ? `${since(event.lastTimestamp, now)} (x${event.count} over ${first})`
    : first
}
