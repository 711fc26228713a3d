/** The two groups have the same columns, but other field names. */
import type { Event as CoreEvent } from 'kubernetes-types/core/v1'
import type { Event as NewEvent } from 'kubernetes-types/events/v1'
import { API_DOMAIN } from '../../core/names'
import { goTrim } from '../../schema/go-text'
import { since } from '../duration'
import { type Cells, type ResourceTables, table } from './resource-table'

function inCoreWords(event: NewEvent | CoreEvent): CoreEvent {
  if ('involvedObject' in event) return event
  return {
    ...event,
    involvedObject: event.regarding ?? {},
    message: event.note,
    source: event.deprecatedSource,
    firstTimestamp: event.deprecatedFirstTimestamp,
    lastTimestamp: event.deprecatedLastTimestamp,
    count: event.deprecatedCount,
    reportingComponent: event.reportingController ?? '',
    reportingInstance: event.reportingInstance ?? '',
    series: event.series as CoreEvent['series'],
  } as CoreEvent
}

function sourceOf(event: CoreEvent): string {
  const component = event.source?.component || event.reportingComponent || ''
  const instance = event.source?.host || event.reportingInstance || ''
  return instance === '' ? component : `${component}, ${instance}`
}

function cells(event: CoreEvent, now: number): Cells {
  const { involvedObject, series } = event
  const first = since(event.firstTimestamp || event.eventTime, now)
  const last = event.lastTimestamp ? since(event.lastTimestamp, now) : first
  return {
    'Last Seen': series ? since(series.lastObservedTime, now) : last,
    Type: event.type ?? '',
    Reason: event.reason ?? '',
    Object: [involvedObject?.kind?.toLowerCase() ?? '', involvedObject?.name ?? '']
      .filter((part, i) => i === 0 || part !== '')
      .join('/'),
    Subobject: involvedObject?.fieldPath ?? '',
    Source: sourceOf(event),
    Message: goTrim(event.message ?? ''),
    'First Seen': first,
    Count: series ? (series.count ?? 0) : event.count || 1,
  }
}

export const eventTables: ResourceTables = {
  events: table<CoreEvent>(cells),
  [`events.events.${API_DOMAIN}`]: table<NewEvent | CoreEvent>((event, now) =>
    cells(inCoreWords(event), now),
  ),
}
