/** Events of the scheduler. In events.k8s.io/v1, repeated events become a series. */
import type { ObjectReference } from 'kubernetes-types/core/v1'
import type { Clock } from '../../core/environment'
import type { KubeObject } from '../../core/object'
import { type Client, isNotFound, type Reference } from '../runtime/client'
import type { DueTimes } from '../runtime/due-times'
import { type EventType, eventName, referenceTo } from '../runtime/events'
import type { Manager } from '../runtime/manager'

/** In pod specs and events. */
export const SCHEDULER_NAME = 'default-scheduler'
const INSTANCE = `${SCHEDULER_NAME}-vm`
const LONGEST_NOTE = 1024

export interface SchedulerEvent {
  type: EventType
  reason: string
  action: string
  note: string
  related?: KubeObject
}

export type RecordEvent = (about: KubeObject, event: SchedulerEvent) => void

/** A series ends after this time without an event. */
const FINISH_MILLISECONDS = 360_000
const REFRESH_MILLISECONDS = 1_800_000

/** v1beta1 has the same fields; it serves releases without v1. */
const VERSIONS = ['events.k8s.io/v1', 'events.k8s.io/v1beta1'] as const

interface EventSeries {
  event: object & Reference
  last: number
  reported: number
  count: number
  reportedCount: number
}

/**
 * The second equal event (same object and revision) starts a series. Its count is written at its
 * end and every 30 minutes (client-go, tools/events).
 */
export function schedulerEvents({
  client,
  clock,
  due,
  manager,
}: {
  client: Client
  clock: Clock
  due: DueTimes
  manager: Pick<Manager, 'has' | 'nextEvent'>
}): RecordEvent {
  const apiVersion = VERSIONS.find((version) => manager.has(version, 'Event')) ?? VERSIONS[0]
  const seriesByKey = new Map<string, EventSeries>()
  let last = Promise.resolve()
  const inTurn = (work: () => Promise<unknown>) => {
    last = last.then(work).then(
      () => {},
      () => {},
    )
  }

  async function reportSeries(series: EventSeries): Promise<void> {
    const { event } = series
    series.reportedCount = series.count
    const members = { series: { count: series.count, lastObservedTime: microTime(series.last) } }
    try {
      await client.strategicMerge(event, members)
    } catch (error) {
      // The event expired.
      if (isNotFound(error)) await client.create({ ...event, ...members })
    }
  }

  function follow(key: string, series: EventSeries): void {
    due.at(
      Math.min(series.last + FINISH_MILLISECONDS, series.reported + REFRESH_MILLISECONDS),
      () => {
        const now = clock.now()
        const over = now >= series.last + FINISH_MILLISECONDS
        if (over || now >= series.reported + REFRESH_MILLISECONDS) {
          if (series.count > series.reportedCount) inTurn(() => reportSeries(series))
          series.reported = now
        }
        if (!over) follow(key, series)
        else if (seriesByKey.get(key) === series) seriesByKey.delete(key)
      },
    )
  }

  function send(
    regarding: ObjectReference,
    { type, reason, action, note, related }: SchedulerEvent,
  ): void {
    const now = clock.now()
    const key = JSON.stringify([type, reason, action, regarding, related?.metadata.uid])
    const before = seriesByKey.get(key)
    if (before !== undefined && now - before.last < FINISH_MILLISECONDS) {
      before.last = now
      if (++before.count > 2) return
      before.reported = now
      follow(key, before)
      inTurn(() => reportSeries(before))
      return
    }
    const namespace = regarding.namespace || 'default'
    const name = eventName(regarding.name ?? '', now, manager.nextEvent())
    const event = {
      apiVersion,
      kind: 'Event',
      metadata: { namespace, name },
      eventTime: microTime(now),
      reportingController: SCHEDULER_NAME,
      reportingInstance: INSTANCE,
      action,
      reason,
      regarding,
      ...(related && { related: referenceTo(related) }),
      note: note.slice(0, LONGEST_NOTE),
      type,
    }
    if (seriesByKey.size > 4096) seriesByKey.clear()
    seriesByKey.set(key, { event, last: now, reported: now, count: 1, reportedCount: 1 })
    inTurn(() => client.create(event))
  }

  return (about, event) => send(referenceTo(about), event)
}

const microTime = (milliseconds: number): string =>
  `${new Date(milliseconds).toISOString().slice(0, -1)}000Z`
