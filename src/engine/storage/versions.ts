/**
 * Version chains: every key's kept states, oldest first.
 *
 * Example. Revisions 5 (put a), 7 (put a), 9 (delete a), 11 (put a):
 *   chain of a: [5 v][7 v][9 -][11 v]
 * At revision 8 one sees the version of 7, at 9 and 10 nothing. After compaction at 9 the chain is [11 v]: what 9 hides goes with it.
 * After compaction at 8 it is [7 v][9 -][11 v]: the newest state at 8 stays, since 8 can still be asked for.
 */

import { SortedKeys } from './sorted-keys'
import type { StorageEvent, StoredObject } from './storage'

interface Version {
  revision: number
  /** undefined: the key was deleted. */
  stored: StoredObject | undefined
}

export class Versions {
  private readonly chains = new Map<string, Version[]>()
  /** Keys that exist now, and keys of which anything is kept. */
  readonly live = new SortedKeys()
  readonly known = new SortedKeys()
  /** Changes in order, for watches that start in the past. */
  private log: StorageEvent[] = []

  latest(key: string): StoredObject | undefined {
    const chain = this.chains.get(key)
    return chain?.[chain.length - 1]?.stored
  }

  at(key: string, revision: number): StoredObject | undefined {
    const chain = this.chains.get(key) ?? []
    for (let i = chain.length - 1; i >= 0; i--) {
      const version = chain[i] as Version
      if (version.revision <= revision) return version.stored
    }
    return undefined
  }

  history(key: string): readonly Version[] {
    return this.chains.get(key) ?? []
  }

  /** Appends a state and returns the event that tells of it. */
  put(stored: StoredObject): StorageEvent {
    const { key, revision } = stored
    const previous = this.latest(key)
    this.append(key, { revision, stored })
    this.live.add(key)
    return this.logged({ type: previous ? 'MODIFIED' : 'ADDED', key, current: stored, previous, revision })
  }

  /** @param last the deleted state under the deletion's revision */
  remove(last: StoredObject): StorageEvent {
    const { key, revision } = last
    const previous = this.latest(key)
    this.append(key, { revision, stored: undefined })
    this.live.delete(key)
    return this.logged({ type: 'DELETED', key, current: last, previous, revision })
  }

  /** A state from before this process: it is there, but no event tells of it. */
  load(stored: StoredObject): void {
    this.append(stored.key, { revision: stored.revision, stored })
    this.live.add(stored.key)
  }

  private append(key: string, version: Version): void {
    const chain = this.chains.get(key)
    if (chain) chain.push(version)
    else {
      this.chains.set(key, [version])
      this.known.add(key)
    }
  }

  private logged(event: StorageEvent): StorageEvent {
    this.log.push(event)
    return event
  }

  /** Events behind a revision, in order. */
  *eventsAfter(revision: number): Generator<StorageEvent> {
    let low = 0
    let high = this.log.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.log[middle] as StorageEvent).revision <= revision) low = middle + 1
      else high = middle
    }
    for (; low < this.log.length; low++) yield this.log[low] as StorageEvent
  }

  compact(revision: number): void {
    this.log = this.log.filter((event) => event.revision > revision)
    for (const [key, chain] of this.chains) {
      let keep = 0
      while (keep + 1 < chain.length && (chain[keep + 1] as Version).revision <= revision) keep++
      const first = chain[keep] as Version
      if (first.revision <= revision && first.stored === undefined) keep++
      if (keep >= chain.length) {
        this.chains.delete(key)
        this.known.delete(key)
      } else if (keep > 0) chain.splice(0, keep)
    }
  }
}
