/**
 * Follows everything under a prefix: what was there at some revision, then every revision behind it, in order, each once and whole.
 * A stream that breaks is taken up where it broke; where that has been forgotten, or the store is another, it begins anew.
 */
import type { Log } from '../../../engine/environment'
import { HISTORY_LIMIT } from '../../../engine/storage/visible'
import type { EtcdClient } from './client'
import { CallError, Code } from './connection'
import { COMPACTION_KEY } from './keys'
import type { KeyValue, RangeResponse, WatchEvent, WatchResponse } from './wire'

export interface FollowerSink {
  /** All there was at a revision: what was told before no longer counts. */
  loaded(revision: number, items: KeyValue[]): void
  /** Everything that one revision changed. */
  changed(revision: number, events: WatchEvent[]): void
}

const PAGE = 500
const PAUSE = 200

const text = new TextDecoder()

export class Follower {
  private stopped = false
  private cancel: () => void = () => undefined
  private wake: () => void = () => undefined
  private seen = 0
  private clusterId = ''
  private following = false
  /** Where the key of compactions stood when everything was loaded. */
  compactionSeen = 0

  constructor(
    private readonly client: EtcdClient,
    private readonly range: { key: string; end: string },
    private readonly sink: FollowerSink,
    private readonly log: Log,
  ) {}

  /** The stream stands. */
  get isFollowing(): boolean {
    return this.following
  }

  /** @throws CallError if the first load fails */
  async start(): Promise<void> {
    await this.load()
    void this.follow()
  }

  stop(): void {
    this.stopped = true
    this.cancel()
    this.wake()
  }

  /**
   * A while of history is taken along, as far as it is kept, so that watches and lists that began at another host can go on here.
   * @throws CallError
   */
  private async load(): Promise<void> {
    const compaction = await this.client.range({ key: COMPACTION_KEY })
    const compacted = Number(text.decode(compaction.items[0]?.value) || '0')
    const oldest = Math.max(1, compacted, compaction.revision - HISTORY_LIMIT)
    const { items, revision } = await this.pages(Math.min(oldest, compaction.revision)).catch((error: unknown) => {
      if (isForgotten(error)) return this.pages(undefined)
      throw error
    })
    this.clusterId = compaction.clusterId
    this.compactionSeen = compaction.items[0]?.modRevision ?? 0
    this.seen = revision
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
      items.push(...page.items)
      const last = page.items.at(-1)
      if (last === undefined || page.count <= page.items.length) return { revision, items }
      key = `${last.key}\0`
    }
  }

  private async follow(): Promise<void> {
    while (!this.stopped) {
      const { error, forgotten } = await this.stream()
      if (this.stopped) return
      this.log.warn?.(`the watch of etcd broke off: ${error}`)
      await this.pause()
      try {
        if (forgotten || (await this.isAnother())) await this.load()
      } catch (failure) {
        if (!(failure instanceof CallError)) this.log.error('the state of etcd cannot be taken over', failure)
      }
    }
  }

  /** Another store stands under the URL, or an older state of the same. */
  private async isAnother(): Promise<boolean> {
    const { revision, clusterId } = await this.client.range({ key: COMPACTION_KEY, keysOnly: true })
    return clusterId !== this.clusterId || revision < this.seen
  }

  /** Resolves when the stream has ended. */
  private stream(): Promise<{ error: string; forgotten: boolean }> {
    return new Promise((resolve) => {
      const ended = (error: string, forgotten: boolean) => {
        this.following = false
        this.cancel()
        resolve({ error, forgotten })
      }
      this.cancel = this.client.watch(this.range.key, this.range.end, this.seen + 1, {
        response: (response) => {
          if (response.created) this.following = true
          this.take(response)
          if (response.canceled) ended(response.reason || 'cancelled', response.compactRevision > this.seen)
        },
        end: (error) => ended(error.message, isForgotten(error)),
      })
      this.wake = () => ended('stopped', false)
    })
  }

  private take({ events }: WatchResponse): void {
    for (let start = 0; start < events.length; ) {
      const revision = (events[start] as WatchEvent).modRevision
      let end = start + 1
      while (events[end]?.modRevision === revision) end++
      this.seen = revision
      this.sink.changed(revision, start === 0 && end === events.length ? events : events.slice(start, end))
      start = end
    }
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

/** The revision asked for has been compacted. */
export const isForgotten = (error: unknown): boolean =>
  error instanceof CallError && error.code === Code.outOfRange && error.message.includes('compacted')
