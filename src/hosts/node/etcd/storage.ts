/**
 * Storage over etcd, shared by any number of hosts. Reads use versions in memory, updated by one
 * watch. A write is one transaction that compares its keys' revisions. It resolves when the watch
 * has delivered it, so later reads here see it; reads on other hosts call `readBarrier`.
 *
 * Every transaction writes its id into the key `latest`, whose revision is what a read barrier
 * waits for. It also reveals whether a transaction without a response committed. Once this host's
 * fence (Keys.fenceOf) has moved, a missing transaction can never commit, so a retry is safe.
 *
 * A full etcd accepts deletes but no puts, so transactions that only delete then delete `latest`
 * too. While it is missing nothing can be written, and the number of keys reveals whether all
 * deletes were delivered.
 */
import {
  type Change,
  FutureRevisionError,
  type Guard,
  type Outcome,
  StorageUnavailableError,
  type StoredObject,
  type TransactionOptions,
  type TransactionResult,
} from '../../../engine/storage/storage'
import { StoredVersion } from '../../../engine/storage/stored-version'
import { firstFailed } from '../../../engine/storage/transaction'
import { compactOnce } from './compaction'
import { CallError, Code } from './connection'
import { isFull, left, pause, tooLate, unavailable } from './failures'
import {
  type EtcdStorageOptions,
  FollowedVersions,
  type Note,
  PAUSE,
  type Pending,
  type SharedStorage,
} from './followed-versions'
import { KeyedQueue } from './keyed-queue'
import type { Compare, Operation } from './wire'

const MAXIMUM_ATTEMPTS = 100

/** @throws CallError if etcd does not respond */
export async function openEtcdStorage(options: EtcdStorageOptions): Promise<SharedStorage> {
  const storage = new EtcdStorage(options)
  await storage.open()
  return storage
}

class EtcdStorage extends FollowedVersions {
  private readonly turns = new KeyedQueue()
  private sent = 0
  private closed = false

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

  /** The result that memory already implies, if any. @throws Error as Storage.transaction does */
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

  /** Compares the guards, and the revisions of unguarded deletes. */
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

  /** Stored without resourceVersion: it is the storing revision. */
  private operationOf(change: Change): Operation {
    const key = this.keys.of(change.key)
    if (change.type === 'delete') return { type: 'delete', key }
    change.object.metadata.resourceVersion = '0'
    return { type: 'put', key, value: JSON.stringify(change.object) }
  }

  /**
   * @returns undefined if nothing was written; the conflicting change is then delivered
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
   * The outcome of a committed transaction that the watch did not settle. Create revisions may be
   * unknown.
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
   * Determines whether the transaction was committed.
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
