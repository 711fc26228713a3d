/** All controllers share one watch and cache. */

import type { WriteCauses } from '../../causality/controller-writes'
import type { KubeObject } from '../../core/object'
import type { Storage, StorageEvent } from '../../storage/storage'
import { type RetryContext, retryUntilDone } from '../../time/retries'
import type { Stored } from './stored'

export interface Change<Kind> {
  type: 'ADDED' | 'MODIFIED' | 'DELETED'
  /** `namespace/name`, or `name`. */
  key: string
  /** DELETED: the last state. */
  object: Stored<Kind>
  /** Undefined for ADDED. */
  previous: Stored<Kind> | undefined
}

export class Informer<Kind> {
  private readonly objects = new Map<string, Stored<Kind>>()
  private readonly namespaces = new Map<string, Map<string, Stored<Kind>>>()
  private readonly listeners: ((change: Change<Kind>) => void)[] = []
  private stopWatching = (): void => {}
  private stopped = false

  constructor(
    private readonly storage: Storage,
    private readonly patient: RetryContext,
    private readonly prefix: string,
    private readonly causes: WriteCauses,
  ) {}

  get(key: string): Stored<Kind> | undefined {
    return this.objects.get(key)
  }

  /** In order of addition. */
  list(namespace?: string): Iterable<Stored<Kind>> {
    if (namespace === undefined) return this.objects.values()
    return this.namespaces.get(namespace)?.values() ?? []
  }

  /** Reports existing objects as added. */
  onChange(listener: (change: Change<Kind>) => void): void {
    this.listeners.push(listener)
  }

  /** @param group undefined if the object has none */
  groupedBy(group: (object: Stored<Kind>) => string | undefined): {
    of(name: string): Stored<Kind>[]
  } {
    const groups = new Map<string, Map<string, Stored<Kind>>>()
    this.listeners.unshift(({ type, key, object, previous }) => {
      const before = previous && group(previous)
      const now = type === 'DELETED' ? undefined : group(object)
      if (before !== undefined && before !== now) {
        const left = groups.get(before)
        left?.delete(key)
        if (left?.size === 0) groups.delete(before)
      }
      if (now === undefined) return
      const joined = groups.get(now)
      if (joined === undefined) groups.set(now, new Map([[key, object]]))
      else joined.set(key, object)
    })
    return { of: (name) => [...(groups.get(name)?.values() ?? [])] }
  }

  /** Relists after compaction. */
  start(): Promise<void> {
    return retryUntilDone(
      this.patient,
      `following ${this.prefix}`,
      () => this.begin(),
      () => this.stopped,
    )
  }

  private async begin(): Promise<void> {
    const { items, revision } = await this.storage.range(this.prefix)
    if (this.stopped) return
    const present = new Set<string>()
    for (const { key, object } of items) {
      const name = key.slice(this.prefix.length)
      present.add(name)
      this.take(name, object as Stored<Kind>)
    }
    for (const [key, object] of [...this.objects]) if (!present.has(key)) this.drop(key, object)
    const watcher = this.storage.watch(this.prefix, revision, {
      event: (event) => this.follow(event),
      end: (reason) => {
        if (reason === 'gone' && !this.stopped) void this.start()
      },
    })
    this.stopWatching = () => watcher.stop()
  }

  stop(): void {
    this.stopped = true
    this.stopWatching()
  }

  private follow({ type, key, current, revision }: StorageEvent): void {
    const name = key.slice(this.prefix.length)
    this.causes.reporting(revision, () => {
      if (type === 'DELETED') this.drop(name, current.object as Stored<Kind>)
      else this.take(name, current.object as Stored<Kind>)
    })
  }

  private take(key: string, object: Stored<Kind>): void {
    const previous = this.objects.get(key)
    if (previous === object) return
    this.objects.set(key, object)
    this.namespaceOf(object).set(key, object)
    this.notify({ type: previous ? 'MODIFIED' : 'ADDED', key, object, previous })
  }

  private drop(key: string, object: Stored<Kind>): void {
    const previous = this.objects.get(key)
    if (!this.objects.delete(key)) return
    const mates = this.namespaceOf(object)
    mates.delete(key)
    if (mates.size === 0) this.namespaces.delete(object.metadata.namespace ?? '')
    this.notify({ type: 'DELETED', key, object, previous })
  }

  private namespaceOf({ metadata }: KubeObject): Map<string, Stored<Kind>> {
    const namespace = metadata.namespace ?? ''
    let found = this.namespaces.get(namespace)
    if (found === undefined) this.namespaces.set(namespace, (found = new Map()))
    return found
  }

  /** A listener's error affects neither the write nor other listeners. */
  private notify(change: Change<Kind>): void {
    for (const listener of this.listeners) {
      try {
        listener(change)
      } catch (error) {
        this.patient.log.error(`a controller failed on a change below ${this.prefix}`, error)
      }
    }
  }
}
