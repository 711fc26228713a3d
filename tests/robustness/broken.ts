/** Stores that are broken on purpose, each in one way: the check must see it, or it is worth nothing. */
import type { CommitBatch } from '../../src/engine/storage/backend'
import type {
  Storage,
  StorageEvent,
  StoredObject,
  WatchSink,
} from '../../src/engine/storage/storage'
import { type Lifetime, SharedLog } from './shared-log'
import type { Breakage } from './world'

/** Config maps of clients: the rest stays sound, or no engine would start. */
const isClients = (key: string): boolean =>
  key.startsWith('/registry/configmaps/one/') || key.startsWith('/registry/configmaps/two/')

/** Every so many times. */
function now(every: number): () => boolean {
  let count = 0
  return () => ++count % every === 0
}

const over = (storage: Storage, changed: Partial<Storage>): Storage =>
  new Proxy(storage, {
    get: (target, name) => {
      const member =
        name in changed ? changed[name as keyof Storage] : target[name as keyof Storage]
      return typeof member === 'function' ? member.bind(target) : member
    },
  })

/** @param reported returns the delivered event, usually the event itself */
const watched = (
  storage: Storage,
  reported: (event: StorageEvent, sink: WatchSink) => void,
): Storage =>
  over(storage, {
    watch: (prefix, after, sink) => {
      const pass = (event: StorageEvent) =>
        isClients(event.key) ? reported(event, sink) : sink.event(event)
      return storage.watch(prefix, after, { event: pass, end: (reason) => sink.end(reason) })
    },
  })

/** The state before the newest, as someone saw it once. */
function former(storage: Storage): (key: string) => Promise<StoredObject | undefined> {
  return async (key) => (await storage.history(key)).at(-2)?.stored
}

/** States that it has written what it has not: after the next start the revisions are given out again. */
class LosingLog extends SharedLog {
  private readonly discards = now(150)
  protected override write(life: Lifetime, batch: CommitBatch): void {
    if (!this.discards() || this.faults === undefined) super.write(life, batch)
  }
}

/** Accepts every commit, without a check for concurrent writes. */
class UnfencedLog extends SharedLog {
  protected override write(life: Lifetime, batch: CommitBatch): void {
    super.write(life, { ...batch, from: this.revision })
  }
}

/** Delivers every n-th event twice. */
export const repeating = (every: number): Breakage => ({
  storage: (storage) => {
    const isTime = now(every)
    return watched(storage, (event, sink) => {
      sink.event(event)
      if (isTime()) sink.event(event)
    })
  },
})

interface Broken {
  engines: number
  breakage: Breakage
  /** A finding that the check must report, among others. */
  caught: RegExp
}

export const BROKEN: Record<string, Broken> = {
  'loses updates: nothing is guarded': {
    engines: 1,
    caught: /no order of the operations/,
    breakage: {
      storage: (storage) =>
        over(storage, {
          transaction: (guards, changes, options) =>
            storage.transaction(
              changes.some(({ key, type }) => isClients(key) && type === 'put') ? [] : guards,
              changes,
              options,
            ),
        }),
    },
  },
  'reads what was before': {
    engines: 1,
    caught: /no order of the operations/,
    breakage: {
      storage: (storage) => {
        const old = former(storage)
        const isTime = now(50)
        return over(storage, {
          get: async (key, options) =>
            (isClients(key) && isTime() ? await old(key) : undefined) ?? storage.get(key, options),
        })
      },
    },
  },
  'drops an event': {
    engines: 1,
    caught: /where .* was due|never sent|before .* was sent/,
    breakage: {
      storage: (storage) => {
        const isTime = now(200)
        return watched(storage, (event, sink) => {
          if (!isTime()) sink.event(event)
        })
      },
    },
  },
  'sends an event twice': {
    engines: 1,
    caught: /sent \w+ .* where .* was due|nothing was due/,
    breakage: repeating(200),
  },
  'sends two events in the wrong order': {
    engines: 1,
    caught: /where .* was due/,
    breakage: {
      storage: (storage) => {
        const isTime = now(200)
        const held = new Map<WatchSink, StorageEvent>()
        return watched(storage, (event, sink) => {
          const before = held.get(sink)
          held.delete(sink)
          if (before === undefined && isTime()) held.set(sink, event)
          else sink.event(event)
          if (before) sink.event(before)
        })
      },
    },
  },
  'sends a bookmark ahead of the events': {
    engines: 1,
    caught: /had a bookmark of \d+ before .* was sent/,
    breakage: {
      storage: (storage) => {
        const isTime = now(5)
        const held = new Map<WatchSink, StorageEvent>()
        return watched(storage, (event, sink) => {
          const before = held.get(sink)
          held.delete(sink)
          if (before) sink.event(before)
          if (isTime()) held.set(sink, event)
          else sink.event(event)
        })
      },
    },
  },
  'shows a list of two moments': {
    engines: 1,
    caught: /a list of .* where .* was due/,
    breakage: {
      storage: (storage) => {
        const old = former(storage)
        const isTime = now(5)
        return over(storage, {
          range: async (prefix, options) => {
            const result = await storage.range(prefix, options)
            const [first, ...rest] = result.items
            if (first === undefined || !isClients(first.key) || !isTime()) return result
            return { ...result, items: [(await old(first.key)) ?? first, ...rest] }
          },
        })
      },
    },
  },
  'shows later pages as of now': {
    engines: 1,
    caught: /a list of .* (where .* was due|ends before)/,
    breakage: {
      storage: (storage) =>
        over(storage, {
          range: async (prefix, options) => {
            if (options?.after === undefined || options.revision === undefined)
              return storage.range(prefix, options)
            const { revision, ...rest } = options
            return { ...(await storage.range(prefix, rest)), revision }
          },
        }),
    },
  },
  'gives a revision out again': {
    engines: 1,
    caught: /is not what the store has|is not in the store/,
    breakage: { log: LosingLog },
  },
  'lets two engines commit over each other': {
    engines: 2,
    caught: /follows|no order of the operations/,
    breakage: { log: UnfencedLog },
  },
  'reads behind what another engine has written': {
    engines: 2,
    caught: /no order of the operations|was there before it was requested/,
    breakage: {
      log: class extends SharedLog {
        override backend(life: Lifetime) {
          const { current: _, ...rest } = super.backend(life)
          return rest
        }
      },
    },
  },
}
