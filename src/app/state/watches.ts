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
  type: string
  name: string
  namespace: string
  resourceVersion: string
  object: unknown
}

export interface RunningWatch {
  id: number
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

const KEPT_EVENTS = 2000
const GATHER_MILLISECONDS = 30
const controllers = new Map<number, AbortController>()
let lastId = 0
let lastEvent = 0

interface WatchedObject {
  metadata?: { name?: string; namespace?: string; resourceVersion?: string }
  message?: string
}

export const useWatches = create<WatchState>((set, get) => {
  const change = (id: number, update: (watch: RunningWatch) => RunningWatch) =>
    set(({ watches }) => ({ watches: watches.map((watch) => (watch.id === id ? update(watch) : watch)) }))

  /** Events come in bursts: one update of the page for all that arrive together. */
  function gather(id: number): (event: SeenEvent) => void {
    let waiting: SeenEvent[] = []
    return (event) => {
      waiting.push(event)
      if (waiting.length > 1) return
      setTimeout(() => {
        const arrived = waiting
        waiting = []
        change(id, (watch) =>
          watch.state === 'paused'
            ? { ...watch, held: [...watch.held, ...arrived].slice(-KEPT_EVENTS) }
            : { ...watch, events: [...watch.events, ...arrived].slice(-KEPT_EVENTS) },
        )
      }, GATHER_MILLISECONDS)
    }
  }

  return {
    watches: [],
    selected: undefined,
    start(options) {
      const id = ++lastId
      const path = watchPath(options)
      const where = options.resource.namespaced ? (options.namespace === '' ? 'all namespaces' : options.namespace) : 'cluster'
      set(({ watches }) => ({
        watches: [...watches, { id, title: `${options.resource.resource} · ${where}`, path, state: 'open', events: [], held: [] }],
        selected: id,
      }))
      const controller = new AbortController()
      controllers.set(id, controller)
      const add = gather(id)
      const end = (state: RunningWatch['state'], message?: string) =>
        change(id, (watch) => ({ ...watch, state, ...(message ? { message } : {}) }))
      stream({ method: 'GET', path, signal: controller.signal }, (line) => {
        const { type, object } = line as { type: string; object: WatchedObject }
        const { name = object.message ?? '', namespace = '', resourceVersion = '' } = object.metadata ?? {}
        add({ id: ++lastEvent, at: Date.now(), type, name, namespace, resourceVersion, object })
      }).then(
        (how) => end('ended', how === 'aborted' ? 'stopped here' : 'the server ended the stream'),
        (error: unknown) =>
          end(
            'failed',
            error instanceof ApiFailure ? error.message : `the connection broke: ${error instanceof Error ? error.message : String(error)}`,
          ),
      )
      return id
    },
    pause: (id) => change(id, (watch) => (watch.state === 'open' ? { ...watch, state: 'paused' } : watch)),
    resume: (id) =>
      change(id, (watch) =>
        watch.state === 'paused'
          ? { ...watch, state: 'open', events: [...watch.events, ...watch.held].slice(-KEPT_EVENTS), held: [] }
          : watch,
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

export function watchPath(options: WatchOptions): string {
  const query = new URLSearchParams({ watch: '1' })
  if (options.resourceVersion) query.set('resourceVersion', options.resourceVersion)
  if (options.labelSelector) query.set('labelSelector', options.labelSelector)
  if (options.fieldSelector) query.set('fieldSelector', options.fieldSelector)
  if (options.bookmarks) query.set('allowWatchBookmarks', 'true')
  return `${pathOf(options.resource, options.namespace || undefined)}?${query}`
}
