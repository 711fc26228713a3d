/** Serves watches. kubernetes.io, "Efficient detection of changes". */

import type { KubeObject } from '../core/object'
import { ApiError, internalError, type Status } from '../http/status'
import { CompactedError } from '../storage/compacted-error'
import type { Storage, StorageEvent, StoredObject, Watcher } from '../storage/storage'
import { resourceExpired } from './gone-error'
import { latestRevision, parseRevision } from './list'
import type { RequestContext } from './request-context'
import { isCached, type SlowConversion, storageKey, storageRange } from './resource'
import { type Selection, selects } from './selection'
import { waitForRevision } from './wait-for-revision'
import type { WatchDelegate } from './watch-groups'

export interface WatchOptions {
  selection: Selection
  resourceVersion: string
  allowBookmarks: boolean
  timeoutSeconds: number
  /** undefined: depends on the version. Requires the feature gate WatchList. */
  sendInitialEvents: boolean | undefined
}

/** An unfiltered change is the storage's own event. */
export type WatchEvent =
  | { type: 'ADDED' | 'MODIFIED' | 'DELETED'; current: StoredObject }
  /** Its last matching state, with a newer revision. */
  | { type: 'DELETED'; object: KubeObject }
  | { type: 'BOOKMARK'; revision: number; initialEventsEnd: boolean }
  | { type: 'ERROR'; status: Status }

export interface WatchTarget {
  event(event: WatchEvent): void
  end(): void
}

/** In milliseconds. Recorded from kube-apiserver 1.31. */
const BOOKMARK_INTERVAL = 60_000
const BOOKMARK_INTERVAL_OF_STORE = 600_000
const BOOKMARK_BEFORE_END = 2_000

export interface OpenWatch {
  stop(): void
  /**
   * Lets a host batch watches; does nothing with selectors or a conversion webhook.
   * @param start returns a watcher that stops delivery
   */
  delegate(start: (prefix: string, stream: WatchDelegate) => Watcher): void
}

/** @throws ApiError 500 if resourceVersion is not a number */
export async function watchObjects(
  context: RequestContext,
  options: WatchOptions,
  target: WatchTarget,
): Promise<OpenWatch> {
  const start = parseRevision(options.resourceVersion, false)
  if (options.sendInitialEvents !== undefined)
    await waitForRevision(context, options.resourceVersion, isCached(context.resource))
  const stream = new WatchStream(context, options, target)
  await stream.open(start)
  return stream
}

class WatchStream implements OpenWatch, WatchDelegate {
  private readonly conversions: Conversions | undefined
  private watcher: Watcher | undefined
  private readonly timers: (() => void)[] = []
  private open_ = true
  /** Changes up to this revision have been handled. */
  private seen = 0
  private bookmarked = 0

  constructor(
    private readonly context: RequestContext,
    private readonly options: WatchOptions,
    private readonly target: WatchTarget,
  ) {
    const { conversion } = context.resource
    if (conversion)
      this.conversions = new Conversions(
        conversion,
        (event) => this.passNow(event),
        (error) => this.onError(error),
      )
  }

  async open(start: number): Promise<void> {
    const { engine, resource } = this.context
    const { selection, sendInitialEvents, allowBookmarks } = this.options
    const range = storageRange(resource, this.context.namespace)
    const oneKey =
      selection.name !== undefined && resource.namespaced === (this.context.namespace !== '')
    const prefix = oneKey
      ? storageKey(resource, this.context.namespace, selection.name ?? '')
      : range
    this.startTimers()
    let after = start === 0 ? engine.storage.currentRevision() : start
    if (sendInitialEvents ?? start === 0) {
      const state = oneKey
        ? await oneState(engine.storage, prefix)
        : await engine.storage.range(range)
      after = state.revision
      const items = state.items.flatMap((item) => item ?? [])
      if (resource.conversion) await resource.conversion.prepare(items, 'all')
      for (const stored of items) {
        if (selects(selection, resource, stored.object))
          this.target.event({ type: 'ADDED', current: stored })
      }
    }
    if (!this.open_) return
    if (sendInitialEvents && allowBookmarks)
      this.target.event({ type: 'BOOKMARK', revision: after, initialEventsEnd: true })
    if (resource.servedSince !== undefined && after < resource.servedSince) {
      this.expire(start, resource.servedSince)
      return
    }
    this.seen = after
    this.bookmarked = Math.max(after, engine.storage.currentRevision())
    try {
      this.watcher = engine.storage.watch(prefix, after, {
        event: this.passing(),
        end: (reason) => this.onEnd(reason, this.seen || after),
      })
    } catch (error) {
      if (!(error instanceof CompactedError)) throw error
      this.expire(start, error.compactRevision)
    }
  }

  /** Every write runs the handler, so unfiltered watches take the shortest path. */
  private passing(): (event: StorageEvent) => void {
    const { conversions } = this
    if (conversions)
      return (event) => {
        if (this.open_) conversions.add(event)
      }
    // A watcher's error must not fail the write.
    return (event) => {
      try {
        this.passNow(event)
      } catch (error) {
        this.onError(error)
      }
    }
  }

  private passNow(event: StorageEvent): void {
    if (!this.open_) return
    this.seen = event.revision
    const passed = passedEvent(event, this.options.selection, this.context)
    if (passed) this.target.event(passed)
  }

  /**
   * Ends the stream. After a change of the definition it ends soon anyway, and delivers nothing
   * until then. Compared with kube-apiserver 1.31.
   */
  onError(error: unknown): void {
    if (!this.open_) return
    const { engine, resource } = this.context
    if (
      engine.resources.find(resource.group, resource.version, resource.resource)?.form !==
      resource.form
    ) {
      this.watcher?.stop()
      return
    }
    if (!(error instanceof ApiError))
      engine.log.error(`an event could not be shown to a watch of ${resource.resource}`, error)
    const message = error instanceof Error ? error.message : String(error)
    this.target.event({ type: 'ERROR', status: internalError(message).status })
    this.finish()
  }

  onEnd(reason: 'gone' | 'closed', seen: number): void {
    if (reason === 'gone') this.expire(seen, this.context.engine.storage.compactRevision())
    else this.finish()
  }

  delegate(start: (prefix: string, stream: WatchDelegate) => Watcher): void {
    if (
      !this.open_ ||
      this.watcher === undefined ||
      this.conversions ||
      !this.options.selection.everything
    )
      return
    this.watcher.stop()
    this.watcher = start(storageRange(this.context.resource, this.context.namespace), this)
  }

  private expire(requested: number, oldest: number): void {
    const cached = `too old resource version: ${requested} (${oldest})`
    const why = isCached(this.context.resource)
      ? cached
      : 'The resourceVersion for the provided watch is too old.'
    const { status } = resourceExpired(why)
    this.target.event({ type: 'ERROR', status })
    this.finish()
  }

  private startTimers(): void {
    const { wallClock, random, timeLimits } = this.context.engine
    const jitter = () =>
      (random.bytes(new Uint8Array(2)) as Uint8Array).reduce((sum, byte) => sum * 256 + byte, 0) /
      65_536
    const seconds = Math.max(0, this.options.timeoutSeconds || timeLimits.watch * (1 + jitter()))
    this.timers.push(wallClock.after(seconds * 1000, () => this.finish()))
    if (!this.options.allowBookmarks) return
    const cached = isCached(this.context.resource)
    const interval = cached ? BOOKMARK_INTERVAL : BOOKMARK_INTERVAL_OF_STORE
    const beforeEnd = seconds * 1000 - BOOKMARK_BEFORE_END
    if (cached && beforeEnd > 0) this.timers.push(wallClock.after(beforeEnd, () => this.bookmark()))
    const periodic = (): void => {
      this.bookmark()
      this.timers.push(wallClock.after(interval, periodic))
    }
    this.timers.push(wallClock.after(interval, periodic))
  }

  private bookmark(): void {
    if (this.watcher === undefined) return
    const revision = this.conversions?.waiting
      ? this.seen
      : Math.max(this.seen, this.context.engine.storage.currentRevision())
    if (!this.open_ || revision <= this.bookmarked) return
    this.bookmarked = revision
    this.target.event({ type: 'BOOKMARK', revision, initialEventsEnd: false })
  }

  private finish(): void {
    if (!this.open_) return
    this.stop()
    this.target.end()
  }

  stop(): void {
    this.open_ = false
    for (const cancel of this.timers) cancel()
    this.timers.length = 0
    this.watcher?.stop()
  }
}

async function oneState(
  storage: Storage,
  key: string,
): Promise<{ revision: number; items: (StoredObject | undefined)[] }> {
  const revision = await latestRevision(storage, key)
  return { revision, items: [await storage.get(key, { revision })] }
}

/** Converts events in order; those that arrive meanwhile form one batch. */
class Conversions {
  private readonly events: StorageEvent[] = []
  private running = false

  constructor(
    private readonly conversion: SlowConversion,
    private readonly pass: (event: StorageEvent) => void,
    private readonly fail: (error: unknown) => void,
  ) {}

  get waiting(): boolean {
    return this.running
  }

  add(event: StorageEvent): void {
    this.events.push(event)
    if (!this.running) this.run().catch((error: unknown) => this.fail(error))
  }

  private async run(): Promise<void> {
    this.running = true
    while (this.events.length > 0) {
      const events = this.events.splice(0)
      await this.conversion.prepare(
        events.flatMap(({ current, previous }) => (previous ? [previous, current] : [current])),
        'missing',
      )
      for (const event of events) this.pass(event)
    }
    this.running = false
  }
}

/** Entering the selection is ADDED, leaving it DELETED with the last selected state. */
function passedEvent(
  event: StorageEvent,
  selection: Selection,
  { resource }: RequestContext,
): WatchEvent | undefined {
  const { current, previous } = event
  if (selection.everything) return event
  const before = previous !== undefined && selects(selection, resource, previous.object)
  if (event.type === 'DELETED') return before ? { type: 'DELETED', current } : undefined
  const now = selects(selection, resource, current.object)
  if (now) return { type: before ? 'MODIFIED' : 'ADDED', current }
  if (!before) return undefined
  const object =
    resource.conversion && resource.fromHub ? resource.fromHub(previous.object) : previous.object
  return {
    type: 'DELETED',
    object: {
      ...object,
      metadata: { ...object.metadata, resourceVersion: String(event.revision) },
    },
  }
}
