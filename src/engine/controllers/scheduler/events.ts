/** What the scheduler says of pods: events of the newer form, where what repeats becomes a series. */
import type { ObjectReference } from 'kubernetes-types/core/v1'
import type { Clock } from '../../environment'
import type { KubeObject } from '../../object'
import type { Client } from '../runtime/client'
import { type EventType, eventName, referenceTo } from '../runtime/events'

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

/** @param order a number that is another each time */
export function schedulerEvents(client: Client, clock: Clock, order: () => number): (about: KubeObject, telling: Telling) => void {
  const said = new Map<string, { name: string; count: number }>()
  let last = Promise.resolve()

  async function send(regarding: ObjectReference, { type, reason, action, note, related }: Telling): Promise<void> {
    const namespace = regarding.namespace || 'default'
    const now = microTime(clock.now())
    const key = JSON.stringify([type, reason, action, regarding.uid, related?.metadata.uid])
    const before = said.get(key)
    if (before !== undefined) {
      before.count++
      const reference = { apiVersion: 'events.k8s.io/v1', kind: 'Event', metadata: { namespace, name: before.name } }
      const series = { count: before.count, lastObservedTime: now }
      if ((await client.strategicMerge(reference, { series }).catch(() => undefined)) !== undefined) return
    }
    const name = eventName(regarding.name ?? '', clock.now(), order())
    if (said.size > 4096) said.clear()
    said.set(key, { name, count: 1 })
    await client.create({
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { namespace, name },
      eventTime: now,
      reportingController: CONTROLLER,
      reportingInstance: INSTANCE,
      action,
      reason,
      regarding,
      ...(related && { related: referenceTo(related) }),
      note: note.slice(0, LONGEST_NOTE),
      type,
    })
  }

  return (about, telling) => {
    const regarding = referenceTo(about)
    last = last.then(() => send(regarding, telling)).catch(() => {})
  }
}

const microTime = (milliseconds: number): string => `${new Date(milliseconds).toISOString().slice(0, -1)}000Z`
