/**
 * Retained states of every key, oldest first. After 5 (put a), 7 (put a), 9 (delete a), 11 (put a):
 *   chain of a: [5 v][7 v][9 -][11 v]
 * - At revision 8 a read sees the version of 7, at 9 and 10 none.
 * - Compaction at 9 leaves [11 v], at 8 [7 v][9 -][11 v]: reads at 8 need the version of 7.
 */
import { SortedMap } from './sorted-map'
import type { HistoryVersion, StorageEvent, StoredObject } from './storage'

/** For a deletion, `stored` is the last state with the deletion's revision. */
export interface Write {
  deleted: boolean
  stored: StoredObject
  author: string | undefined
}

interface Chain {
  versions: HistoryVersion[]
}

export interface VersionId {
  key: string
  revision: number
}

export class Versions {
  private readonly chains = new Map<string, Chain>()
  /** `known` includes deleted keys with retained versions. */
  private live = new SortedMap<Chain>()
  private known = new SortedMap<Chain>()
  private log: StorageEvent[] = []

  get size(): number {
    return this.log.length
  }

  latest(key: string): StoredObject | undefined {
    const chain = this.chains.get(key)
    return chain && newest(chain)
  }

  at(key: string, revision: number): StoredObject | undefined {
    const chain = this.chains.get(key)
    return chain && stateAt(chain, revision)
  }

  history(key: string): readonly HistoryVersion[] {
    return this.chains.get(key)?.versions ?? []
  }

  rangeNow(start: string, end: string, limit: number): StoredObject[] {
    return this.live.slice(start, end, limit).map((chain) => newest(chain) as StoredObject)
  }

  rangeAt(start: string, end: string, revision: number): StoredObject[] {
    const found: StoredObject[] = []
    for (const chain of this.known.slice(start, end)) {
      const stored = stateAt(chain, revision)
      if (stored) found.push(stored)
    }
    return found
  }

  count(start: string, end: string): number {
    return this.live.count(start, end)
  }

  /** @returns undefined if a deleted key did not exist */
  write({ stored, deleted, author }: Write): StorageEvent | undefined {
    const { key, revision } = stored
    const chain = this.chains.get(key)
    const previous = chain && newest(chain)
    if (deleted && previous === undefined) return undefined
    this.append(chain, key, { revision, stored: deleted ? undefined : stored, author })
    const type = deleted ? 'DELETED' : previous ? 'MODIFIED' : 'ADDED'
    const event: StorageEvent = { type, key, current: stored, previous, revision }
    this.log.push(event)
    return event
  }

  static of(states: readonly HistoryVersion[]): Versions {
    const versions = new Versions()
    for (const state of states)
      if (state.stored) versions.chains.set(state.stored.key, { versions: [state] })
    const keys = [...versions.chains.keys()].sort()
    const chains = keys.map((key) => versions.chains.get(key) as Chain)
    versions.live = SortedMap.of(keys, chains)
    versions.known = SortedMap.of(keys, chains)
    return versions
  }

  private append(chain: Chain | undefined, key: string, version: HistoryVersion): void {
    const existed = chain !== undefined && newest(chain) !== undefined
    const kept = chain ?? this.begin(key, version)
    if (chain) chain.versions.push(version)
    if (version.stored === undefined) this.live.delete(key)
    else if (!existed) this.live.add(key, kept)
  }

  private begin(key: string, version: HistoryVersion): Chain {
    // Push would allocate room for seventeen, and most objects are written once.
    const chain: Chain = { versions: [version] }
    this.chains.set(key, chain)
    this.known.add(key, chain)
    return chain
  }

  eventsAfter(revision: number): StorageEvent[] {
    return this.log.slice(this.logIndex(revision))
  }

  eventsOf(revision: number): StorageEvent[] {
    return this.log.slice(this.logIndex(revision - 1), this.logIndex(revision))
  }

  revisionAt(index: number): number {
    return this.log[index]?.revision ?? 0
  }

  private logIndex(revision: number): number {
    let low = 0
    let high = this.log.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.log[middle] as StorageEvent).revision <= revision) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Linear in the changes up to the revision. */
  compact(revision: number): VersionId[] {
    const removed: VersionId[] = []
    const touched = new Set(this.log.splice(0, this.logIndex(revision)).map((event) => event.key))
    for (const key of touched) {
      const chain = this.chains.get(key)
      if (chain === undefined) continue
      const { versions } = chain
      let drop = 0
      while (
        drop + 1 < versions.length &&
        (versions[drop + 1] as HistoryVersion).revision <= revision
      )
        drop++
      const first = versions[drop] as HistoryVersion
      if (first.revision <= revision && first.stored === undefined) drop++
      for (const version of versions.splice(0, drop))
        removed.push({ key, revision: version.revision })
      if (versions.length > 0) continue
      this.chains.delete(key)
      this.known.delete(key)
    }
    return removed
  }
}

function newest({ versions }: Chain): StoredObject | undefined {
  return versions[versions.length - 1]?.stored
}

function stateAt({ versions }: Chain, revision: number): StoredObject | undefined {
  let low = 0
  let high = versions.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((versions[middle] as HistoryVersion).revision <= revision) low = middle + 1
    else high = middle
  }
  return versions[low - 1]?.stored
}
