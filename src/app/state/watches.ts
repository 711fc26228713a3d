/** Watches that a person started, and what came through them. */
import { create } from 'zustand'
import { ApiFailure, stream } from '../client'
import { pathOf, type ServedResource } from './discovery'

export interface WatchOptions {
  resource: ServedResource
  namespace: string
  labelSelector: string
  fieldSelector: string
  resourceVersion: string
  bookmarks: boolean
}

export interface SeenEvent {
  id: number
  at: number
  /** ADDED, MODIFIED, DELETED, BOOKMARK or ERROR. */
  type: string
  /** The object's name; an error's message. */
  name: string
  namespace: string
  resourceVersion: string
  object: unknown
}

export interface RunningWatch {
  id: number
  options: WatchOptions
  title: string
  path: string
  state: 'open' | 'paused' | 'ended' | 'failed'
  message?: string
  events: SeenEvent[]
  /** Arrived while paused: shown when the watch goes on. */
  held: SeenEvent[]
}

interface WatchState {
  watches: RunningWatch[]
  selected: number | undefined
  start(options: WatchOptions): number
  pause(id: number): void
  resume(id: number): void
  stop(id: number): void
  clear(id: number): void
  remove(id: number): void
  select(id: number): void
}

const KEPT_EVENTS = 5000
const GATHER_MILLISECONDS = 30
const controllers = new Map<number, AbortController>()
let lastId = 0
let lastEvent = 0

interface WatchedObject {
  metadata?: { name?: string; namespace?: string; resourceVersion?: string }
  message?: string
}

function seen(line: unknown): SeenEvent {
  const { type, object } = line as { type: string; object: WatchedObject }
  const { name = object.message ?? '', namespace = '', resourceVersion = '' } = object.metadata ?? {}
  return { id: ++lastEvent, at: Date.now(), type, name, namespace, resourceVersion, object }
}

const newest = (events: SeenEvent[], arrived: SeenEvent[]): SeenEvent[] => [...events, ...arrived].slice(-KEPT_EVENTS)

export const useWatches = create<WatchState>((set, get) => {
  const change = (id: number, update: (watch: RunningWatch) => RunningWatch) =>
    set(({ watches }) => ({ watches: watches.map((watch) => (watch.id === id ? update(watch) : watch)) }))

  const arrive = (id: number, arrived: SeenEvent[]) =>
    change(id, (watch) =>
      watch.state === 'paused' ? { ...watch, held: newest(watch.held, arrived) } : { ...watch, events: newest(watch.events, arrived) },
    )

  /** Events come in bursts: one update of the page for all that arrive together. */
  function gather(id: number): (event: SeenEvent) => void {
    let waiting: SeenEvent[] = []
    return (event) => {
      waiting.push(event)
      if (waiting.length > 1) return
      setTimeout(() => {
        const arrived = waiting
        waiting = []
        arrive(id, arrived)
      }, GATHER_MILLISECONDS)
    }
  }

  async function run(id: number, path: string, signal: AbortSignal): Promise<void> {
    const add = gather(id)
    const end = (state: 'ended' | 'failed', message: string) => change(id, (watch) => ({ ...watch, state, message }))
    try {
      const how = await stream({ method: 'GET', path, signal }, (line) => add(seen(line)))
      end('ended', how === 'aborted' ? 'You stopped it.' : 'The server ended the stream.')
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      end('failed', error instanceof ApiFailure ? reason : `The connection broke: ${reason}. Start it again from the last version seen.`)
    }
  }

  return {
    watches: [],
    selected: undefined,
    start(options) {
      const id = ++lastId
      const path = watchPath(options)
      const watch: RunningWatch = { id, options, title: titleOf(options), path, state: 'open', events: [], held: [] }
      set(({ watches }) => ({ watches: [...watches, watch], selected: id }))
      const controller = new AbortController()
      controllers.set(id, controller)
      void run(id, path, controller.signal)
      return id
    },
    pause: (id) => change(id, (watch) => (watch.state === 'open' ? { ...watch, state: 'paused' } : watch)),
    resume: (id) =>
      change(id, (watch) =>
        watch.state === 'paused' ? { ...watch, state: 'open', events: newest(watch.events, watch.held), held: [] } : watch,
      ),
    stop: (id) => controllers.get(id)?.abort(),
    clear: (id) => change(id, (watch) => ({ ...watch, events: [], held: [] })),
    remove(id) {
      controllers.get(id)?.abort()
      controllers.delete(id)
      const watches = get().watches.filter((watch) => watch.id !== id)
      set({ watches, selected: watches[watches.length - 1]?.id })
    },
    select: (selected) => set({ selected }),
  }
})

function titleOf({ resource, namespace, labelSelector, fieldSelector }: WatchOptions): string {
  const where = resource.namespaced ? ` · ${namespace === '' ? 'all namespaces' : namespace}` : ''
  const which = [labelSelector, fieldSelector].filter((selector) => selector !== '').join(', ')
  return resource.resource + where + (which ? ` · ${which}` : '')
}

export function watchPath(options: WatchOptions): string {
  const query = new URLSearchParams({ watch: '1' })
  if (options.resourceVersion) query.set('resourceVersion', options.resourceVersion)
  if (options.labelSelector) query.set('labelSelector', options.labelSelector)
  if (options.fieldSelector) query.set('fieldSelector', options.fieldSelector)
  if (options.bookmarks) query.set('allowWatchBookmarks', 'true')
  return `${pathOf(options.resource, options.namespace || undefined)}?${query}`
}

/** Where a watch can go on: the newest version that it told of. */
export function lastVersionOf({ events, held }: RunningWatch): string | undefined {
  return [...events, ...held].reverse().find(({ resourceVersion }) => resourceVersion !== '')?.resourceVersion
}
