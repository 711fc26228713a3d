/** A resumed watch has one lane and several connections. */
import { create } from 'zustand'
import { ApiFailure, stream } from '../../state/client'
import { useConnection } from '../../state/connection'
import { pathOf, type ServedResource } from '../../state/discovery'
import { withArrived } from '../../state/kept-events'
import type { SeenEvent } from '../../state/seen-event'
import { throttle } from '../../state/throttle'
import * as texts from './shell-texts'

export interface WatchOptions {
  resource: ServedResource
  namespace: string
  labelSelector: string
  fieldSelector: string
  resourceVersion: string
  bookmarks: boolean
}

export interface WatchConnection {
  begun: number
  /** The requested resourceVersion; empty: existing objects first, then changes. */
  from: string
  ended?: number
  how?: 'cut' | 'ended' | 'failed'
}

export interface RunningWatch {
  id: number
  options: WatchOptions
  title: string
  /**
   * `connecting`: no response yet; `cut`: by the user; `ended`: by the server; `failed`: an error
   * status, or the connection broke.
   */
  state: 'connecting' | 'open' | 'paused' | 'cut' | 'ended' | 'failed'
  message?: string
  connections: WatchConnection[]
  events: SeenEvent[]
  /** Arrived during a pause. */
  held: SeenEvent[]
  dropped: number
}

export interface Compaction {
  at: number
  revision: number
}

interface WatchState {
  watches: RunningWatch[]
  selected: number | undefined
  event: number | undefined
  compactions: Compaction[]
  start(options: WatchOptions): number
  pause(id: number): void
  goOn(id: number): void
  cut(id: number): void
  /** Opens a new connection in the same lane. @param from empty to list first */
  resume(id: number, from: string): void
  /** Reconnects and resumes an open connection. */
  setBookmarks(id: number, bookmarks: boolean): void
  clear(id: number): void
  remove(id: number): void
  select(id: number, event?: number): void
  /** @throws Error with the host's message */
  compact(): Promise<void>
}

const PACE = { leadingMs: 30, intervalMs: 120 }
const controllers = new Map<number, AbortController>()
/** Disconnected to resume with other options. */
const reconnecting = new Set<number>()
let lastId = 0
let lastEvent = 0

interface WatchedObject {
  metadata?: { name?: string; namespace?: string; resourceVersion?: string }
  message?: string
}

/** @param head the server's revision when the connection began */
function seen(line: unknown, size: number, head: number): SeenEvent {
  const { type, object } = line as { type: string; object: WatchedObject }
  const {
    name = object.message ?? '',
    namespace = '',
    resourceVersion = '',
  } = object.metadata ?? {}
  const past = type !== 'BOOKMARK' && type !== 'ERROR' && Number(resourceVersion) <= head
  return {
    id: ++lastEvent,
    at: Date.now(),
    type,
    name,
    namespace,
    resourceVersion,
    object,
    size,
    past,
  }
}

const shown = (watch: RunningWatch, arrived: readonly SeenEvent[]): RunningWatch => {
  const { events, dropped } = withArrived(watch.events, arrived)
  return { ...watch, events, dropped: watch.dropped + dropped }
}

async function headRevision(): Promise<number> {
  const { connection } = useConnection.getState()
  const status = await connection?.channel.request('status', undefined).catch(() => undefined)
  return status?.revision ?? 0
}

export const useWatches = create<WatchState>((set, get) => {
  const change = (id: number, update: (watch: RunningWatch) => RunningWatch) =>
    set(({ watches }) => ({
      watches: watches.map((watch) => (watch.id === id ? update(watch) : watch)),
    }))

  const arrive = (id: number, arrived: readonly SeenEvent[]) =>
    change(id, (watch) => {
      if (watch.state !== 'paused') return shown(watch, arrived)
      const { events: held, dropped } = withArrived(watch.held, arrived)
      return { ...watch, held, dropped: watch.dropped + dropped }
    })

  /** Batches events, which come in bursts. */
  function arriving(id: number): { add(event: SeenEvent): void; flush(): void } {
    let waiting: SeenEvent[] = []
    const { schedule, flush } = throttle(() => {
      const arrived = waiting
      waiting = []
      arrive(id, arrived)
    }, PACE)
    return {
      add(event) {
        waiting.push(event)
        schedule()
      },
      flush,
    }
  }

  async function run(id: number, from: string): Promise<void> {
    const watch = get().watches.find((other) => other.id === id)
    if (watch === undefined) return
    const controller = new AbortController()
    controllers.set(id, controller)
    change(id, ({ message: _message, ...before }) => ({
      ...before,
      state: 'connecting',
      connections: [...before.connections, { begun: Date.now(), from }],
    }))
    const head = await headRevision()
    const { add, flush } = arriving(id)
    const end = (state: 'cut' | 'ended' | 'failed', message: string) => {
      flush()
      // Shows held events first, so that they are not lost.
      change(id, (watch) => ({
        ...shown(watch, watch.held),
        state,
        message,
        held: [],
        connections: watch.connections.map((one, index, { length }) =>
          index === length - 1 ? { ...one, ended: Date.now(), how: state } : one,
        ),
      }))
    }
    const opened = () =>
      change(id, (waiting) =>
        waiting.state === 'connecting' ? { ...waiting, state: 'open' } : waiting,
      )
    try {
      const path = watchPath({ ...watch.options, resourceVersion: from })
      const how = controller.signal.aborted
        ? 'aborted'
        : await stream(
            { method: 'GET', path, signal: controller.signal },
            (line, size) => add(seen(line, size, head)),
            opened,
          )
      if (how === 'aborted') end('cut', texts.disconnected)
      else end('ended', texts.closed)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      end('failed', error instanceof ApiFailure ? reason : texts.lost(reason))
    }
    const after = get().watches.find((other) => other.id === id)
    if (reconnecting.delete(id) && after)
      void run(id, lastVersionOf(after) ?? after.options.resourceVersion)
  }

  return {
    watches: [],
    selected: undefined,
    event: undefined,
    compactions: [],
    start(options) {
      const id = ++lastId
      const watch: RunningWatch = {
        id,
        options,
        title: titleOf(options),
        state: 'connecting',
        connections: [],
        events: [],
        held: [],
        dropped: 0,
      }
      set(({ watches }) => ({ watches: [...watches, watch], selected: id, event: undefined }))
      void run(id, options.resourceVersion)
      return id
    },
    pause: (id) =>
      change(id, (watch) => (watch.state === 'open' ? { ...watch, state: 'paused' } : watch)),
    goOn: (id) =>
      change(id, (watch) =>
        watch.state === 'paused' ? { ...shown(watch, watch.held), state: 'open', held: [] } : watch,
      ),
    cut: (id) => controllers.get(id)?.abort(),
    resume(id, from) {
      const watch = get().watches.find((other) => other.id === id)
      if (watch && !isConnected(watch)) void run(id, from)
    },
    setBookmarks(id, bookmarks) {
      change(id, (watch) => ({ ...watch, options: { ...watch.options, bookmarks } }))
      const watch = get().watches.find((other) => other.id === id)
      if (watch === undefined || !isConnected(watch)) return
      reconnecting.add(id)
      controllers.get(id)?.abort()
    },
    clear: (id) => change(id, (watch) => ({ ...watch, events: [], held: [], dropped: 0 })),
    remove(id) {
      controllers.get(id)?.abort()
      controllers.delete(id)
      const watches = get().watches.filter((watch) => watch.id !== id)
      set({ watches, selected: watches[watches.length - 1]?.id, event: undefined })
    },
    select: (selected, event) => set({ selected, event }),
    async compact() {
      const { connection } = useConnection.getState()
      if (connection === undefined) throw new Error(texts.notStarted)
      const { compactRevision } = await connection.channel.request('compact', undefined)
      set(({ compactions }) => ({
        compactions: [...compactions, { at: Date.now(), revision: compactRevision }],
      }))
    },
  }
})

/** Includes connecting, which can be disconnected too. */
export const isConnected = ({ state }: RunningWatch): boolean =>
  state === 'connecting' || state === 'open' || state === 'paused'

function titleOf({ resource, namespace, labelSelector, fieldSelector }: WatchOptions): string {
  const where = resource.namespaced
    ? ` · ${namespace === '' ? texts.allNamespaces : namespace}`
    : ''
  const which = [labelSelector, fieldSelector].filter((selector) => selector !== '').join(', ')
  return resource.resource + where + (which ? ` · ${which}` : '')
}

/** Its resourceVersion can differ from the first connection's. */
export const watchedPath = ({ options, connections }: RunningWatch): string =>
  watchPath({ ...options, resourceVersion: connections.at(-1)?.from ?? options.resourceVersion })

export function watchPath(options: WatchOptions): string {
  const query = new URLSearchParams({ watch: '1' })
  if (options.resourceVersion) query.set('resourceVersion', options.resourceVersion)
  if (options.labelSelector) query.set('labelSelector', options.labelSelector)
  if (options.fieldSelector) query.set('fieldSelector', options.fieldSelector)
  if (options.bookmarks) query.set('allowWatchBookmarks', 'true')
  return `${pathOf(options.resource, options.namespace || undefined)}?${query}`
}

/** Where the watch can resume. */
export function lastVersionOf({ events, held }: RunningWatch): string | undefined {
  const carriesVersion = ({ resourceVersion }: SeenEvent) => resourceVersion !== ''
  return (held.findLast(carriesVersion) ?? events.findLast(carriesVersion))?.resourceVersion
}

/** Unless the object was deleted since. */
export function formerOf({ events }: RunningWatch, event: SeenEvent): SeenEvent | undefined {
  const former = events.findLast(
    ({ id, name, namespace, type }) =>
      id < event.id &&
      type in OBJECT_EVENTS &&
      name === event.name &&
      namespace === event.namespace,
  )
  return former?.type === 'DELETED' ? undefined : former
}

const OBJECT_EVENTS = { ADDED: true, MODIFIED: true, DELETED: true }
