/**
 * As client-go (tools/record, EventCorrelator): aggregates 10 similar events in 10 minutes; an
 * object gets a burst of 25, then one every 5 minutes.
 */
import type { Event, ObjectReference } from 'kubernetes-types/core/v1'
import { type Clock, timestamp } from '../../core/environment'
import type { KubeObject } from '../../core/object'
import { type Client, isNotFound } from './client'
import type { Stored } from './stored'

export type EventType = 'Normal' | 'Warning'

export interface Recorder {
  event(about: KubeObject | ObjectReference, type: EventType, reason: string, message: string): void
}

const SIMILAR_LIMIT = 10
const SIMILAR_MILLISECONDS = 600_000
const BURST = 25
const REFILL_MILLISECONDS = 300_000
/** client-go: maxLruCacheEntries. */
const MEMORY = 4096

interface Similar {
  messages: Set<string>
  since: number
}
interface RecordedEvent {
  name: string
  first: string
  count: number
}
interface Tokens {
  left: number
  at: number
}

class Memory<Value> extends Map<string, Value> {
  override set(key: string, value: Value): this {
    if (!this.has(key) && this.size >= MEMORY)
      for (const oldest of this.keys()) return super.delete(oldest) ? super.set(key, value) : this
    return super.set(key, value)
  }
}

export interface EventSource {
  /** `deployment-controller` */
  component: string
  /** The node of the component, if any. */
  host?: string
}

/** @param order distinguishes events of one time */
export function makeRecorder(
  client: Client,
  clock: Clock,
  { component, host }: EventSource,
  order: () => number,
): Recorder {
  const similar = new Memory<Similar>()
  const recorded = new Memory<RecordedEvent>()
  const tokens = new Memory<Tokens>()
  let last = Promise.resolve()

  function mayTalk(about: string): boolean {
    const now = clock.now()
    const known = tokens.get(about) ?? { left: BURST, at: now }
    const left = Math.min(BURST, known.left + (now - known.at) / REFILL_MILLISECONDS)
    tokens.set(about, { left: left >= 1 ? left - 1 : left, at: now })
    return left >= 1
  }

  /** @returns `key` identifies what is counted together */
  function combined(
    about: string,
    message: string,
  ): { key: string; message: string; several: boolean } {
    const now = clock.now()
    const known = similar.get(about)
    const group =
      known && now - known.since <= SIMILAR_MILLISECONDS
        ? known
        : { messages: new Set<string>(), since: now }
    group.messages.add(message)
    similar.set(about, { messages: group.messages, since: now })
    return group.messages.size < SIMILAR_LIMIT
      ? { key: `${about}\n${message}`, message, several: false }
      : { key: about, message: `(combined from similar events): ${message}`, several: true }
  }

  async function send(
    involvedObject: ObjectReference,
    type: EventType,
    reason: string,
    given: string,
  ): Promise<void> {
    const about = JSON.stringify([
      involvedObject.kind,
      involvedObject.namespace,
      involvedObject.name,
      involvedObject.uid,
    ])
    const { key, message, several } = combined(`${about}\n${type}\n${reason}`, given)
    const now = timestamp(clock.now())
    const namespace = involvedObject.namespace || 'default'
    const what = `${key}\n${involvedObject.fieldPath ?? ''}`
    const before = recorded.get(what)
    const name = before?.name ?? eventName(involvedObject.name ?? '', clock.now(), order())
    const { first, count } = { first: before?.first ?? now, count: (before?.count ?? 0) + 1 }
    recorded.set(what, { name, first, count })
    // Dropped events still count.
    if (!mayTalk(about)) return
    if (before !== undefined) {
      const reference = { apiVersion: 'v1', kind: 'Event', metadata: { namespace, name } }
      try {
        await client.strategicMerge(reference, { count, lastTimestamp: now, message })
        return
      } catch (error) {
        // The event expired: recreate it with its count.
        if (!isNotFound(error)) throw error
      }
    }
    await client.create<Stored<Event>>({
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { namespace, name },
      involvedObject,
      reason,
      message,
      source: { component, ...(host && { host }) },
      firstTimestamp: first,
      lastTimestamp: now,
      count,
      type,
      // Aggregated events have no reporting component (kube-controller-manager 1.31).
      ...(!several && { reportingComponent: component, ...(host && { reportingInstance: host }) }),
    })
  }

  return {
    event(about, type, reason, message) {
      const reference = referenceTo(about)
      // Drops rejected events, as client-go does.
      last = last.then(() => send(reference, type, reason, message)).catch(() => {})
    },
  }
}

/** `NAME.HEX`, time in nanoseconds. */
export function eventName(name: string, milliseconds: number, order: number): string {
  return `${name}.${(BigInt(milliseconds) * 1_000_000n + BigInt(order % 1_000_000)).toString(16)}`
}

export function referenceTo(about: KubeObject | ObjectReference): ObjectReference {
  if (!('metadata' in about)) return about
  const { kind, apiVersion, metadata } = about as KubeObject
  const { namespace, name, uid, resourceVersion } = metadata
  return Object.fromEntries(
    Object.entries({ kind, namespace, name, uid, apiVersion, resourceVersion }).filter(
      ([, value]) => value,
    ),
  ) as ObjectReference
}
