/**
 * Each write renews an event's lifetime. Events of a minute expire together, as with
 * kube-apiserver's leases in etcd.
 */

import { largest } from '../core/lists'
import type { KubeObject } from '../core/object'
import type { Engine } from '../registry/engine'
import type { StoredObject } from '../storage/storage'
import { follow, type Loop } from './controller'

/** Milliseconds. */
export const EVENT_TTL = 3_600_000

const EVENTS = '/registry/events/'
/** The shared interval: a minute, or a twentieth of a shorter TTL. */
const SHARED_MILLISECONDS = 60_000
const SHARED_PART = 0.05
const SIDE_BY_SIDE = 50

interface Kept {
  revision: number
  /** Milliseconds. */
  due: number
}

/** @param ttl milliseconds; 0 keeps events forever */
export const eventExpiry =
  (ttl: number): Loop =>
  (engine) => {
    if (ttl === 0) return () => {}
    const expiry = new Expiry(engine, ttl)
    const stopFollowing = follow(engine, EVENTS, ({ type, current }) => {
      if (type === 'DELETED') expiry.delete(current.key)
      else
        expiry.keep(current, type === 'MODIFIED' ? engine.clock.now() : lastWritten(current.object))
    })
    return () => {
      stopFollowing()
      expiry.stop()
    }
  }

class Expiry {
  private readonly kept = new Map<string, Kept>()
  private readonly shared: number
  private timer: { due: number; cancel: () => void } | undefined
  private stopped = false

  constructor(
    private readonly engine: Engine,
    private readonly ttl: number,
  ) {
    this.shared = Math.min(SHARED_MILLISECONDS, ttl * SHARED_PART)
  }

  keep({ key, revision }: StoredObject, written: number): void {
    const due = Math.ceil((written + this.ttl) / this.shared) * this.shared
    this.kept.set(key, { revision, due })
    this.wait(due)
  }

  delete(key: string): void {
    this.kept.delete(key)
  }

  stop(): void {
    this.stopped = true
    this.timer?.cancel()
  }

  private wait(due: number): void {
    if (this.stopped || (this.timer && this.timer.due <= due)) return
    this.timer?.cancel()
    const cancel = this.engine.clock.after(Math.max(0, due - this.engine.clock.now()), () => {
      this.timer = undefined
      void this.expire().then(
        () => this.waitForNext(),
        (error: unknown) => {
          this.engine.log.error('events could not be removed', error)
          this.wait(this.engine.clock.now() + this.shared)
        },
      )
    })
    this.timer = { due, cancel }
  }

  private async expire(): Promise<void> {
    const now = this.engine.clock.now()
    const over = [...this.kept].filter(([, { due }]) => due <= now)
    for (let at = 0; at < over.length && !this.stopped; at += SIDE_BY_SIDE)
      await Promise.all(
        over.slice(at, at + SIDE_BY_SIDE).map(([key, { revision }]) => this.remove(key, revision)),
      )
  }

  private waitForNext(): void {
    let next = Number.POSITIVE_INFINITY
    for (const { due } of this.kept.values()) next = Math.min(next, due)
    if (next !== Number.POSITIVE_INFINITY) this.wait(next)
  }

  /** Keeps events written again. Each deletion has a revision, so that watches can resume. */
  private async remove(key: string, revision: number): Promise<void> {
    await this.engine.storage.transaction([{ key, revision }], [{ type: 'delete', key }])
    if (this.kept.get(key)?.revision === revision) this.kept.delete(key)
  }
}

function lastWritten({ metadata, ...event }: KubeObject): number {
  const { lastTimestamp, deprecatedLastTimestamp, series } = event as {
    lastTimestamp?: string
    deprecatedLastTimestamp?: string
    series?: { lastObservedTime?: string }
  }
  const changes = (metadata.managedFields ?? []).map(({ time }) => time)
  const times = [
    metadata.creationTimestamp,
    lastTimestamp,
    deprecatedLastTimestamp,
    series?.lastObservedTime,
    ...changes,
  ]
  return largest(
    times.map((time) => Date.parse(String(time ?? ''))).filter((time) => !Number.isNaN(time)),
    0,
  )
}
