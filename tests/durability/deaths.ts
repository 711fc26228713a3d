/**
 * Deaths of a process in the middle of its work on IndexedDB: at any request of any transaction, or after one completes and
 * before the process gets the event. The browser rolls open transactions back; the process does nothing more.
 */

/** Requests by which a transaction reads and writes. */
const STEPS = ['get', 'getAll', 'add', 'put', 'delete', 'clear', 'openCursor'] as const

type Step = (this: IDBObjectStore, ...given: unknown[]) => unknown

class Death extends Error {}

export interface Mortal {
  /** Whether it has died. */
  dead(): boolean
  /** Resolves when it dies. */
  death: Promise<void>
  /** The next life begins: everything works again. */
  bury(): void
}

/**
 * @param steps how many requests still take place
 * @param completes whether the transaction of the last one is still completed, which then no one hears of
 */
export function dieAfter(steps: number, completes: boolean): Mortal {
  const store = IDBObjectStore.prototype as unknown as Record<(typeof STEPS)[number], Step>
  const database = IDBDatabase.prototype
  const before = new Map(STEPS.map((name) => [name, store[name]]))
  const open = database.transaction
  let left = steps
  let dead = false
  let reported: () => void = () => undefined
  const death = new Promise<void>((resolve) => {
    reported = resolve
  })
  const die = () => {
    dead = true
    reported()
  }
  for (const name of STEPS) {
    const work = before.get(name) as Step
    store[name] = function (...given) {
      if (dead) throw new Death('there is no process any more')
      if (left-- > 0) return work.apply(this, given)
      if (completes && left === -1) {
        // Completed by the browser, though its process is gone by then.
        this.transaction.addEventListener('complete', die)
        return work.apply(this, given)
      }
      if (completes && left > -50) return work.apply(this, given)
      die()
      this.transaction.abort()
      throw new Death('killed')
    }
  }
  database.transaction = function (...given) {
    if (dead) throw new Death('there is no process any more')
    return open.apply(this, given)
  }
  return {
    dead: () => dead,
    death,
    bury() {
      for (const name of STEPS) store[name] = before.get(name) as Step
      database.transaction = open
    },
  }
}
