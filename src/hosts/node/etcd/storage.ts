/**
 * Storage over etcd, which any number of hosts share. Reads use versions in memory, which one watch
 * of etcd updates. A write is one transaction of etcd that compares the revisions of its keys.
 * A write resolves when the watch has delivered it, so later reads on this host see it. Reads on
 * other hosts call `readBarrier`, which compares with etcd first.
 *
 * Every transaction also writes its id into the key `latest`. The key's revision is how far a read
 * barrier has to wait.
 * It also reveals the outcome of a transaction whose response was lost. Once this host's fence
 * (Keys.fenceOf) has moved, a missing transaction can never commit, so a retry is safe.
 *
 * A full etcd accepts deletes but no puts. A transaction that only deletes then also deletes
 * `latest`. While `latest` is missing nothing can have been written, so the number of keys reveals
 * whether all deletes were delivered.
 */
import { randomBytes } from 'node:crypto'
import type { Log } from '../../../engine/core/environment'
import {
  type Change,
  CompactedError,
  FutureRevisionError,
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
import { firstFailed, lastState } from '../../../engine/storage/transaction'
import type { Write } from '../../../engine/storage/versions'
import { type VisibleOptions, VisibleVersions } from '../../../engine/storage/visible'
import type { EtcdClient } from './client'
import { compactOnce } from './compaction'
import { CallError, Code } from './connection'
import { isFull, left, pause, tooLate, unavailable } from './failures'
import { Fence } from './fence'
import { Follower, isCompacted } from './follower'
import { HealthProbe } from './health-probe'
import { KeyedQueue } from './keyed-queue'
import { Keys } from './keys'
import { objectOf, storedOf } from './objects'
import { RevisionWaiters } from './revision-waiters'
import type { Compare, KeyValue, Operation, WatchEvent } from './wire'

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
/**
 * Each failed compare means that a guarded key has changed. More failures in a row indicate another
 * error.
 */
const MAXIMUM_ATTEMPTS = 100
const PAUSE = 100
/**
 * Loads everything under the prefix.
 * @throws CallError if etcd does not respond
 */
export async function openEtcdStorage(options: EtcdStorageOptions): Promise<SharedStorage> {
  const storage = new EtcdStorage(options)
  await storage.open()
  return storage
}

/** A transaction in flight. The watch settles it. */
interface Pending {
  changes: Map<string, Change>
  /** Revision of the fence when the transaction was sent. */
  fence: number
  outcome: Outcome | undefined
  /** The watch may have skipped its event, because everything was loaded again. */
  missed: boolean
}

/** Value of the key `latest`. */
interface Note {
  /** Id of the transaction. */
  id: string
  author?: string
  request?: string
}

const utf8 = new TextDecoder()

class EtcdStorage extends VisibleVersions implements SharedStorage {
  private readonly client: EtcdClient
  private readonly keys: Keys
  private readonly log: Log
  private readonly timeoutMs: number
  private readonly host = randomBytes(8).toString('hex')
  private readonly follower: Follower
  private readonly turns = new KeyedQueue()
  private readonly reached = new RevisionWaiters()
  private readonly pending = new Map<string, Pending>()
  private sent = 0
  private readonly fence: Fence
  private compactionSeen = 0
  private readonly healthProbe: HealthProbe
  private closed = false

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

  async open(): Promise<void> {
    await this.follower.start()
    this.compactionSeen = this.follower.compactionSeen
    await this.readBarrier()
  }

  failure(): string | undefined {
    return this.healthProbe.failure()
  }

  // ── events of the watch

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

  /** Uses the object in memory for this host's own writes, which need no decoding. */
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

  // ── reading

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
   * Resolves when an established watch has delivered everything up to a revision.
   * @param latest revision of the key `latest` at that time; undefined if it was missing
   * @throws StorageUnavailableError at the deadline, CallError
   */
  private async caughtUp(
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

  // ── writing

  async transaction(
    guards: Guard[],
    changes: Change[],
    options: TransactionOptions = {},
  ): Promise<TransactionResult> {
    if (this.closed) throw new StorageUnavailableError('the store is closed', false)
    const { requestId, within = this.timeoutMs } = options
    const deadline = performance.now() + Math.min(within, this.timeoutMs)
    const keys = new Set([...guards, ...changes].map(({ key }) => key))
    if (requestId !== undefined) keys.add(`request ${requestId}`)
    const leave = await this.turns.enter(keys)
    try {
      return await this.write(guards, changes, options, deadline)
    } catch (error) {
      if (within < this.timeoutMs) return tooLate(error)
      throw error
    } finally {
      leave()
    }
  }

  private async write(
    guards: Guard[],
    changes: Change[],
    options: TransactionOptions,
    deadline: number,
  ): Promise<TransactionResult> {
    let operations: Operation[] | undefined
    for (let attempt = 0; attempt < MAXIMUM_ATTEMPTS; attempt++) {
      const known = this.checkPreconditions(guards, changes, options.requestId)
      if (known) return known
      await this.follower.whenFollowing(deadline)
      operations ??= changes.map((change) => this.operationOf(change))
      const outcome = await this.commit(
        this.demands(guards, changes),
        changes,
        operations,
        options,
        deadline,
      )
      if (outcome) return outcome
    }
    throw new StorageUnavailableError('etcd rejects a transaction whose conditions hold', false)
  }

  /**
   * Returns the result that the state in memory already implies, if any.
   * @throws Error as Storage.transaction does
   */
  private checkPreconditions(
    guards: Guard[],
    changes: Change[],
    requestId: string | undefined,
  ): TransactionResult | undefined {
    const before = requestId === undefined ? undefined : this.outcomeNow(requestId)
    if (before) return before
    const failed = firstFailed(guards, (key) => this.versions.latest(key))
    if (failed) return { succeeded: false, current: this.versions.latest(failed.key) }
    if (changes.length === 0) return { succeeded: true, revision: this.revision, stored: [] }
    if (new Set(changes.map(({ key }) => key)).size < changes.length)
      throw new Error('a transaction changes a key twice')
    const missing = changes.find(
      ({ type, key }) => type === 'delete' && this.versions.latest(key) === undefined,
    )
    if (missing) throw new Error(`${missing.key} is deleted though it does not exist`)
    return undefined
  }

  /** Compares the guards, and the revisions of deleted keys that have no guard. */
  private demands(guards: Guard[], changes: Change[]): Compare[] {
    const guarded = new Set(guards.map(({ key }) => key))
    const deleted = changes.filter(({ type, key }) => type === 'delete' && !guarded.has(key))
    return [
      ...guards.map(({ key, revision }) => ({ key: this.keys.of(key), modRevision: revision })),
      ...deleted.map(({ key }) => ({
        key: this.keys.of(key),
        modRevision: this.versions.latest(key)?.revision ?? 0,
      })),
    ]
  }

  /**
   * The stored value has no resourceVersion of its own, because the storing revision is the
   * resourceVersion.
   */
  private operationOf(change: Change): Operation {
    const key = this.keys.of(change.key)
    if (change.type === 'delete') return { type: 'delete', key }
    change.object.metadata.resourceVersion = '0'
    return { type: 'put', key, value: JSON.stringify(change.object) }
  }

  /**
   * @returns undefined if nothing was written; the conflicting change has then been delivered
   * @throws StorageUnavailableError
   */
  private async commit(
    demands: Compare[],
    changes: Change[],
    operations: Operation[],
    { requestId, author }: TransactionOptions,
    deadline: number,
  ): Promise<Outcome | undefined> {
    const id = `${this.host}.${++this.sent}`
    const byKey = new Map(changes.map((change) => [change.key, change]))
    const pending: Pending = {
      changes: byKey,
      fence: this.fence.at,
      outcome: undefined,
      missed: false,
    }
    this.pending.set(id, pending)
    const note: Note = {
      id,
      ...(author === undefined ? {} : { author }),
      ...(requestId === undefined ? {} : { request: requestId }),
    }
    const compare = [{ key: this.fence.key, modRevision: pending.fence }, ...demands]
    const success: Operation[] = [
      { type: 'put', key: this.keys.latest, value: JSON.stringify(note) },
      ...operations,
    ]
    if (requestId !== undefined) {
      const key = this.keys.ofRequest(requestId)
      compare.push({ key, modRevision: 0 })
      success.push({ type: 'put', key, value: '' })
    }
    const failure: Operation[] = [{ type: 'range', key: this.keys.latest, keysOnly: true }]
    const deletes = changes.every(({ type }) => type === 'delete')
    const sparing: Operation[] = [{ type: 'delete', key: this.keys.latest }, ...operations]
    try {
      const response = await this.client
        .transaction({ compare, success, failure }, left(deadline))
        .catch((error: unknown) => {
          if (deletes && isFull(error))
            return this.client.transaction({ compare, success: sparing, failure }, left(deadline))
          throw error
        })
      this.healthProbe.recordResponse()
      if (response.succeeded) {
        await this.reached.waitFor(response.revision, this.revision, deadline)
        return pending.outcome ?? this.outcomeOf(changes, response.revision)
      }
      await this.caughtUp(response.ranges[0]?.[0]?.modRevision, response.revision, deadline)
    } catch (error) {
      await this.afterFailure(error, pending, deadline)
    } finally {
      this.pending.delete(id)
    }
    return pending.outcome
  }

  /**
   * Returns the outcome of a committed transaction that the watch did not settle. Create revisions
   * may then be unknown.
   */
  private outcomeOf(changes: Change[], revision: number): Outcome {
    const events = this.versions.eventsOf(revision)
    if (events.length > 0)
      return { succeeded: true, revision, stored: events.map(({ current }) => current) }
    const stored = changes.flatMap((change): StoredObject[] => {
      if (change.type === 'delete') return []
      change.object.metadata.resourceVersion = String(revision)
      return [new StoredVersion(change.key, change.object, revision, revision)]
    })
    return { succeeded: true, revision, stored }
  }

  /**
   * Finds out whether the transaction was committed.
   * @throws StorageUnavailableError at the deadline, or if etcd rejects it permanently
   */
  private async afterFailure(error: unknown, pending: Pending, deadline: number): Promise<void> {
    const lasting = error instanceof CallError && error.code !== Code.unavailable && error.certain
    if (lasting || !(error instanceof CallError))
      throw unavailable(error, !(error instanceof CallError))
    if (error.certain) {
      if (left(deadline) <= PAUSE) throw unavailable(error, false)
      await pause(PAUSE)
      return
    }
    while (pending.outcome === undefined && this.fence.at === pending.fence) {
      if (left(deadline) <= PAUSE || pending.missed) throw unavailable(error, true)
      await this.fence
        .raise(deadline, (revision) => this.reached.waitFor(revision, this.revision, deadline))
        .catch(() => pause(PAUSE))
    }
  }

  // ── the rest

  /** One of the hosts compacts etcd. Each host compacts its own history in memory. */
  override async compact(revision: number): Promise<void> {
    if (revision > this.revision) throw new FutureRevisionError(this.revision, revision)
    if (revision <= this.compacted) return
    this.compactionSeen = await compactOnce(this.client, this.keys, revision, this.compactionSeen)
    await this.compactTo(revision)
  }

  async close(): Promise<void> {
    if (this.closed) return
    this.closed = true
    this.healthProbe.stop()
    await this.turns.idle()
    this.follower.stop()
    this.hub.endAll('closed')
    this.client.close()
  }
}
