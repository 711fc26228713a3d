/**
 * Follows all keys under a prefix: a snapshot, then every revision once, in order. A broken watch
 * resumes where it ended; everything is loaded again if that revision is compacted or the store was
 * replaced.
 *
 * Every write puts a unique value into the witness key, which reveals a store restored from an
 * older copy.
 */

import type { Log } from '../../../engine/core/environment'
import { append } from '../../../engine/core/lists'
import { StorageUnavailableError } from '../../../engine/storage/storage'
import { HISTORY_LIMIT } from '../../../engine/storage/visible'
import type { EtcdClient } from './client'
import { CallError, Code } from './connection'
import { COMPACTION_KEY } from './keys'
import type { KeyValue, RangeResponse, WatchEvent, WatchResponse } from './wire'

export interface FollowerSink {
  /** All keys at a revision, replacing the delivered state. */
  loaded(revision: number, items: KeyValue[]): void
  changed(revision: number, events: WatchEvent[]): void
}

const PAGE = 500
const PAUSE = 200

const text = new TextDecoder()

export class Follower {
  private stopped = false
  private cancel: () => void = () => undefined
  private wake: (why: string) => void = () => undefined
  private seen = 0
  private clusterId = ''
  private following = false
  private keys = 0
  private witnessed: { revision: number; value: string } | undefined
  private readonly waiting = new Set<() => void>()
  /** Revision of the compaction key at the last load. */
  compactionSeen = 0

  constructor(
    private readonly client: EtcdClient,
    private readonly range: { key: string; end: string },
    /** The key into which every write puts a unique value. */
    private readonly witness: string,
    private readonly sink: FollowerSink,
    private readonly log: Log,
  ) {}

  get isFollowing(): boolean {
    return this.following
  }

  /**
   * Resolves when the watch is established; undefined if it is.
   * @param deadline a time of `performance.now()`
   * @throws StorageUnavailableError at the deadline
   */
  whenFollowing(deadline: number): Promise<void> | undefined {
    if (this.following) return undefined
    return new Promise((resolve, reject) => {
      const ready = () => {
        clearTimeout(timer)
        resolve()
      }
      const give = () => {
        this.waiting.delete(ready)
        reject(new StorageUnavailableError('etcd: the watch is interrupted', false))
      }
      const timer = setTimeout(give, Math.max(1, deadline - performance.now()))
      this.waiting.add(ready)
    })
  }

  get count(): number {
    return this.keys
  }

  /** The number of keys at a revision, or now if it is compacted. @throws CallError */
  async countAt(revision: number, milliseconds: number): Promise<number> {
    const request = { ...this.range, limit: 1, keysOnly: true }
    const response = await this.client
      .range({ ...request, revision }, milliseconds)
      .catch((error: unknown) => {
        if (isCompacted(error)) return this.client.range(request, milliseconds)
        throw error
      })
    return response.count
  }

  /** The witness's delivered revision; 0 if absent. */
  get witnessedAt(): number {
    return this.witnessed?.revision ?? 0
  }

  /** Restarts the watch: etcd contradicts the delivered state. */
  doubt(why: string): void {
    if (this.following) this.wake(why)
  }

  /** @throws CallError if the first load fails */
  async start(): Promise<void> {
    await this.load()
    void this.follow()
  }

  stop(): void {
    this.stopped = true
    this.cancel()
    this.wake('stopped')
  }

  /**
   * Loads an older snapshot if etcd still has it, so that watches and lists of other hosts can
   * continue here.
   * @throws CallError
   */
  private async load(): Promise<void> {
    const compaction = await this.client.range({ key: COMPACTION_KEY })
    const compacted = Number(text.decode(compaction.items[0]?.value) || '0')
    const oldest = Math.max(1, compacted, compaction.revision - HISTORY_LIMIT)
    const { items, revision } = await this.pages(Math.min(oldest, compaction.revision)).catch(
      (error: unknown) => {
        if (isCompacted(error)) return this.pages(undefined)
        throw error
      },
    )
    this.clusterId = compaction.clusterId
    this.compactionSeen = compaction.items[0]?.modRevision ?? 0
    this.seen = revision
    this.keys = items.length
    const witness = items.find(({ key }) => key === this.witness)
    this.witnessed = witness && { revision: witness.modRevision, value: text.decode(witness.value) }
    this.sink.loaded(revision, items)
  }

  private async pages(at: number | undefined): Promise<{ revision: number; items: KeyValue[] }> {
    const items: KeyValue[] = []
    let revision = at
    let key = this.range.key
    for (;;) {
      const page: RangeResponse = await this.client.range({
        key,
        end: this.range.end,
        limit: PAGE,
        ...(revision === undefined ? {} : { revision }),
      })
      revision ??= page.revision
      append(items, page.items)
      const last = page.items.at(-1)
      if (last === undefined || page.count <= page.items.length) return { revision, items }
      key = `${last.key}\0`
    }
  }

  private async follow(): Promise<void> {
    while (!this.stopped) {
      const { error, compacted } = await this.stream()
      if (this.stopped) return
      this.log.warn?.(`the watch of etcd broke off: ${error}`)
      await this.reassure(compacted)
    }
  }

  /** Resolves when etcd's state continues the delivered one, or is loaded again. */
  private async reassure(compacted: boolean): Promise<void> {
    while (!this.stopped) {
      await this.pause()
      try {
        if (compacted || (await this.isAnother())) await this.load()
        return
      } catch (failure) {
        if (!(failure instanceof CallError))
          this.log.error('the state of etcd cannot be taken over', failure)
      }
    }
  }

  /** Whether the URL serves another store, or an older state with later writes. */
  private async isAnother(): Promise<boolean> {
    const { witnessed } = this
    const { revision, clusterId } = await this.client.range({ key: COMPACTION_KEY, keysOnly: true })
    if (clusterId !== this.clusterId || revision < this.seen) return true
    if (witnessed === undefined) return false
    try {
      const { items } = await this.client.range({ key: this.witness, revision: witnessed.revision })
      return (
        items[0]?.modRevision !== witnessed.revision ||
        text.decode(items[0].value) !== witnessed.value
      )
    } catch (error) {
      // A compacted revision cannot be compared: load again.
      if (isCompacted(error)) return true
      throw error
    }
  }

  private stream(): Promise<{ error: string; compacted: boolean }> {
    return new Promise((resolve) => {
      const ended = (error: string, compacted: boolean) => {
        this.following = false
        this.cancel()
        resolve({ error, compacted })
      }
      this.cancel = this.client.watch(this.range.key, this.range.end, this.seen + 1, {
        response: (response) => {
          if (response.created) this.onWatchCreated()
          this.take(response)
          if (response.canceled)
            ended(response.reason || 'canceled', response.compactRevision > this.seen)
        },
        end: (error) => ended(error.message, isCompacted(error)),
      })
      this.wake = (why) => ended(why, false)
    })
  }

  private onWatchCreated(): void {
    this.following = true
    for (const ready of this.waiting) ready()
    this.waiting.clear()
  }

  private take({ events }: WatchResponse): void {
    for (let start = 0; start < events.length; ) {
      const revision = (events[start] as WatchEvent).modRevision
      let end = start + 1
      while (events[end]?.modRevision === revision) end++
      const together = start === 0 && end === events.length ? events : events.slice(start, end)
      this.seen = revision
      for (const event of together) this.note(event)
      this.sink.changed(revision, together)
      start = end
    }
  }

  private note({ key, value, deleted, createRevision, modRevision }: WatchEvent): void {
    if (deleted) this.keys--
    else if (createRevision === modRevision) this.keys++
    if (key === this.witness)
      this.witnessed = deleted ? undefined : { revision: modRevision, value: text.decode(value) }
  }

  private pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, PAUSE)
      this.wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}

export const isCompacted = (error: unknown): boolean =>
  error instanceof CallError &&
  error.code === Code.outOfRange &&
  error.message.includes('compacted')
