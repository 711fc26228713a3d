/** etcd's state in memory from one watch, and read barriers. `storage.ts` adds writes. */

import { randomBytes } from 'node:crypto'
import type { Log } from '../../../engine/core/environment'
import { CompactedError } from '../../../engine/storage/compacted-error'
import {
  type Change,
  type Guard,
  type Outcome,
  type RangeOptions,
  type RangeResult,
  type Storage,
  StorageUnavailableError,
  type StoredObject,
  type TransactionOptions,
  type TransactionResult,
} from '../../../engine/storage/storage'
import { StoredVersion } from '../../../engine/storage/stored-version'
import { lastState } from '../../../engine/storage/transaction'
import type { Write } from '../../../engine/storage/versions'
import { type VisibleOptions, VisibleVersions } from '../../../engine/storage/visible'
import type { EtcdClient } from './client'
import { left, pause, tooLate, unavailable } from './failures'
import { Fence } from './fence'
import { Follower, isCompacted } from './follower'
import { HealthProbe } from './health-probe'
import { Keys } from './keys'
import { objectOf, storedOf } from './objects'
import { RevisionWaiters } from './revision-waiters'
import type { KeyValue, WatchEvent } from './wire'

export interface EtcdStorageOptions extends VisibleOptions {
  client: EtcdClient
  /** Prefix of all keys; `/registry` if absent. */
  prefix?: string
  log: Log
  /** Timeout of requests in milliseconds. */
  timeoutMs?: number
}

/** A storage that reports the health of its backend. */
export interface SharedStorage extends Storage {
  readBarrier(within?: number): Promise<void>
  /** The message of the current failure, if any. */
  failure(): string | undefined
}

const TIMEOUT_MS = 20_000
/** Milliseconds before another attempt. */
export const PAUSE = 100

export interface Pending {
  changes: Map<string, Change>
  /** Revision of the fence when the transaction was sent. */
  fence: number
  outcome: Outcome | undefined
  /** A reload may have skipped its event. */
  missed: boolean
}

/** Value of the key `latest`. */
export interface Note {
  /** Id of the transaction. */
  id: string
  author?: string
  request?: string
}

const utf8 = new TextDecoder()

export abstract class FollowedVersions extends VisibleVersions implements SharedStorage {
  protected readonly client: EtcdClient
  protected readonly keys: Keys
  private readonly log: Log
  protected readonly timeoutMs: number
  protected readonly host = randomBytes(8).toString('hex')
  protected readonly follower: Follower
  protected readonly reached = new RevisionWaiters()
  protected readonly pending = new Map<string, Pending>()
  protected readonly fence: Fence
  protected compactionSeen = 0
  protected readonly healthProbe: HealthProbe

  constructor({
    client,
    prefix = '/registry',
    log,
    timeoutMs = TIMEOUT_MS,
    ...visible
  }: EtcdStorageOptions) {
    super(visible)
    this.client = client
    this.keys = new Keys(prefix)
    this.log = log
    this.timeoutMs = timeoutMs
    const note: Note = { id: `${this.host}.fence` }
    this.fence = new Fence(client, this.keys.fenceOf(this.host), {
      key: this.keys.latest,
      value: JSON.stringify(note),
    })
    const sink = {
      loaded: (revision: number, items: KeyValue[]) => this.loaded(revision, items),
      changed: (revision: number, events: WatchEvent[]) => this.changed(revision, events),
    }
    this.follower = new Follower(client, this.keys.everything, this.keys.latest, sink, log)
    this.healthProbe = new HealthProbe(this.follower, timeoutMs, () => this.probe())
  }

  abstract transaction(
    guards: Guard[],
    changes: Change[],
    options?: TransactionOptions,
  ): Promise<TransactionResult>

  abstract close(): Promise<void>

  /** @throws CallError if etcd does not respond */
  async open(): Promise<void> {
    await this.follower.start()
    this.compactionSeen = this.follower.compactionSeen
    await this.readBarrier()
  }

  failure(): string | undefined {
    return this.healthProbe.failure()
  }

  private loaded(revision: number, items: KeyValue[]): void {
    const changes = items.flatMap((item) => {
      const key = this.keys.from(item.key)
      const object = key === undefined ? undefined : objectOf(item, this.log)
      if (key === undefined || object === undefined) return []
      return [{ key, revision: item.modRevision, createRevision: item.createRevision, object }]
    })
    const requests = items.flatMap(({ key, modRevision }) => {
      const id = this.keys.requestOf(key)
      return id === undefined ? [] : [{ id, revision: modRevision }]
    })
    this.fence.at = items.find(({ key }) => key === this.fence.key)?.modRevision ?? 0
    for (const pending of this.pending.values()) pending.missed = true
    this.take({ revision, compacted: revision, complete: true, changes, requests })
    this.reached.advance(this.revision)
  }

  private changed(revision: number, events: WatchEvent[]): void {
    const note = this.noteOf(events)
    const own = note && this.pending.get(note.id)
    const writes: Write[] = []
    for (const event of events) {
      const key = this.keys.from(event.key)
      if (key === undefined) this.fence.tend(event)
      const write = key === undefined ? undefined : this.writeOfEvent(key, event, own, note?.author)
      if (write) writes.push(write)
    }
    const outcome = this.apply(writes, revision, note?.request)
    if (own) own.outcome = outcome
    this.reached.advance(revision)
  }

  private noteOf(events: WatchEvent[]): Note | undefined {
    const event = events.find(({ key, deleted }) => key === this.keys.latest && !deleted)
    return event && (JSON.parse(utf8.decode(event.value)) as Note)
  }

  /** Uses this host's own object, which needs no decoding. */
  private writeOfEvent(
    key: string,
    event: WatchEvent,
    own: Pending | undefined,
    author: string | undefined,
  ): Write | undefined {
    const { modRevision: revision, createRevision } = event
    const current = this.versions.latest(key)
    if (event.deleted)
      return current && { deleted: true, author, stored: lastState(current, revision) }
    const change = own?.changes.get(key)
    const object = change?.type === 'put' ? change.object : objectOf(event, this.log)
    if (object === undefined) return undefined
    object.metadata.resourceVersion = String(revision)
    return {
      deleted: false,
      author,
      stored: new StoredVersion(key, object, revision, createRevision),
    }
  }

  readBarrier(within = this.timeoutMs): Promise<void> {
    const probe = this.healthProbe.readBarrier(within)
    return within < this.timeoutMs ? probe.catch(tooLate) : probe
  }

  private async probe(): Promise<void> {
    const deadline = performance.now() + this.timeoutMs
    try {
      for (;;) {
        const known = this.follower.witnessedAt
        const { items, revision } = await this.client.range(
          { key: this.keys.latest, keysOnly: true },
          left(deadline),
        )
        this.healthProbe.recordResponse()
        const latest = items[0]?.modRevision
        if (latest !== undefined && latest < known)
          this.follower.doubt(`${latest} is the last revision, ${known} was before`)
        await this.caughtUp(latest, revision, deadline)
        if (latest === undefined || latest >= known) return
      }
    } catch (error) {
      throw unavailable(error, false)
    }
  }

  /**
   * Resolves when the watch has delivered a revision.
   * @param latest the mod revision of the key `latest` in etcd; undefined if it does not exist
   * @throws StorageUnavailableError at the deadline, CallError
   */
  protected async caughtUp(
    latest: number | undefined,
    revision: number,
    deadline: number,
  ): Promise<void> {
    for (;;) {
      await this.follower.whenFollowing(deadline)
      if (latest !== undefined) return this.reached.waitFor(latest, this.revision, deadline)
      const known = this.follower.count
      const there = await this.follower.countAt(revision, left(deadline))
      if (there === known && this.follower.witnessedAt === 0) return
      if (this.revision >= revision) return
      if (left(deadline) <= PAUSE)
        throw new StorageUnavailableError(
          'the watch of etcd has not brought what was deleted in time',
          true,
        )
      await pause(PAUSE / 5)
    }
  }

  override async get(
    key: string,
    options?: { revision?: number },
  ): Promise<StoredObject | undefined> {
    const revision = options?.revision
    if (revision === undefined || revision >= this.compacted) return super.get(key, options)
    const { items } = await this.past({ key: this.keys.of(key), revision })
    return items[0] && storedOf(items[0], this.keys, this.log)
  }

  /** Reads revisions older than the history in memory from etcd. */
  override async range(prefix: string, options: RangeOptions = {}): Promise<RangeResult> {
    const { revision, limit, after } = options
    if (revision === undefined || revision >= this.compacted) return super.range(prefix, options)
    const key =
      after !== undefined && after >= prefix ? `${this.keys.of(after)}\0` : this.keys.of(prefix)
    const { items, count } = await this.past({
      key,
      end: this.keys.endOf(prefix),
      revision,
      ...(limit === undefined ? {} : { limit }),
    })
    return {
      revision,
      items: items.flatMap((item) => storedOf(item, this.keys, this.log) ?? []),
      remaining: count - items.length,
    }
  }

  private async past(request: { key: string; end?: string; revision: number; limit?: number }) {
    try {
      return await this.client.range(request, this.timeoutMs)
    } catch (error) {
      if (isCompacted(error)) throw new CompactedError(this.compacted, request.revision)
      throw unavailable(error, false)
    }
  }
}
