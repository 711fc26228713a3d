/** What the scheduler says of pods: events of the newer form, where what repeats becomes a series. */
import type { ObjectReference } from 'kubernetes-types/core/v1'
import type { Clock } from '../../environment'
import type { KubeObject } from '../../object'
import { type Client, isNotFound, type Reference } from '../runtime/client'
import type { DueTimes } from '../runtime/due-times'
import { type EventType, eventName, referenceTo } from '../runtime/events'
import type { Manager } from '../runtime/manager'

const CONTROLLER = 'default-scheduler'
/** The machine that the scheduler is on: there is but this one. */
const INSTANCE = `${CONTROLLER}-vm`
const LONGEST_NOTE = 1024

export interface Telling {
  type: EventType
  reason: string
  action: string
  note: string
  related?: KubeObject
}

/** A series that nothing was added to for so long is over: what comes then is an event of its own. */
const FINISH_MILLISECONDS = 360_000
/** How a series that goes on has grown is told so often. */
const REFRESH_MILLISECONDS = 1_800_000

/** Where the release serves no newer one: the members are the same. */
const VERSIONS = ['events.k8s.io/v1', 'events.k8s.io/v1beta1'] as const

interface Said {
  event: object & Reference
  /** When it was said last, and told of last. */
  last: number
  told: number
  count: number
  toldCount: number
}

/**
 * The second of equal events makes a series of two; how often it came after that is told when it is over, and every half hour (as
 * the real recorder of such events does). Equal are those of the same object at the same revision.
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
}): (about: KubeObject, telling: Telling) => void {
  const apiVersion = VERSIONS.find((version) => manager.has(version, 'Event')) ?? VERSIONS[0]
  const said = new Map<string, Said>()
  let last = Promise.resolve()
  const inTurn = (work: () => Promise<unknown>) => {
    last = last.then(work).then(
      () => {},
      () => {},
    )
  }

  async function tellSeries(series: Said): Promise<void> {
    const { event } = series
    series.toldCount = series.count
    const members = { series: { count: series.count, lastObservedTime: microTime(series.last) } }
    try {
      await client.strategicMerge(event, members)
    } catch (error) {
      // Events do not live for ever.
      if (isNotFound(error)) await client.create({ ...event, ...members })
    }
  }

  /** Comes back to a series until it is over. */
  function follow(key: string, series: Said): void {
    due.at(Math.min(series.last + FINISH_MILLISECONDS, series.told + REFRESH_MILLISECONDS), () => {
      const now = clock.now()
      const over = now >= series.last + FINISH_MILLISECONDS
      if (over || now >= series.told + REFRESH_MILLISECONDS) {
        if (series.count > series.toldCount) inTurn(() => tellSeries(series))
        series.told = now
      }
      if (!over) follow(key, series)
      else if (said.get(key) === series) said.delete(key)
    })
  }

  function send(
    regarding: ObjectReference,
    { type, reason, action, note, related }: Telling,
  ): void {
    const now = clock.now()
    const key = JSON.stringify([type, reason, action, regarding, related?.metadata.uid])
    const before = said.get(key)
    if (before !== undefined && now - before.last < FINISH_MILLISECONDS) {
      before.last = now
      if (++before.count > 2) return
      before.told = now
      follow(key, before)
      inTurn(() => tellSeries(before))
      return
    }
    const namespace = regarding.namespace || 'default'
    const name = eventName(regarding.name ?? '', now, manager.nextEvent())
    const event = {
      apiVersion,
      kind: 'Event',
      metadata: { namespace, name },
      eventTime: microTime(now),
      reportingController: CONTROLLER,
      reportingInstance: INSTANCE,
      action,
      reason,
      regarding,
      ...(related && { related: referenceTo(related) }),
      note: note.slice(0, LONGEST_NOTE),
      type,
    }
    if (said.size > 4096) said.clear()
    said.set(key, { event, last: now, told: now, count: 1, toldCount: 1 })
    inTurn(() => client.create(event))
  }

  return (about, telling) => send(referenceTo(about), telling)
}

const microTime = (milliseconds: number): string =>
  `${new Date(milliseconds).toISOString().slice(0, -1)}000Z`
