/**
 * Derives the state at any time from the changes of a store: the value of a key, or the items of a
 * list.
 */
import { type Change, contentText, type Scope, type State, selects } from './history'

export class Timeline {
  private readonly byKey = new Map<string, Change[]>()
  private readonly byRevision = new Map<number, Change>()

  /** @param changes in order of revision */
  constructor(readonly changes: readonly Change[]) {
    for (const change of changes) {
      const chain = this.byKey.get(change.key)
      if (chain) chain.push(change)
      else this.byKey.set(change.key, [change])
      this.byRevision.set(change.revision, change)
    }
  }

  keys(): string[] {
    return [...this.byKey.keys()]
  }

  of(key: string): readonly Change[] {
    return this.byKey.get(key) ?? []
  }

  change(revision: number): Change | undefined {
    return this.byRevision.get(revision)
  }

  /** The change that made the key what it is at a revision. */
  at(key: string, revision: number): Change | undefined {
    return lastBefore(this.of(key), (change) => change.revision <= revision)
  }

  /** The newest revision that was durable at a time. */
  durableAt(time: number): number {
    return lastBefore(this.changes, (change) => change.at <= time)?.revision ?? 0
  }

  /** Changes above `after` and up to `end`. */
  between(after: number, end: number): readonly Change[] {
    return this.changes.slice(firstAfter(this.changes, after), firstAfter(this.changes, end))
  }

  /** What a list shows of a revision: keys in order. */
  list(scope: Scope, revision: number): { key: string; state: State }[] {
    const found: { key: string; state: State }[] = []
    for (const key of this.keys()) {
      const state = this.at(key, revision)?.state
      if (state && selects(scope, key, state)) found.push({ key, state })
    }
    return found.sort((a, b) => (a.key < b.key ? -1 : 1))
  }
}

function lastBefore(
  changes: readonly Change[],
  holds: (change: Change) => boolean,
): Change | undefined {
  let low = 0
  let high = changes.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(changes[middle] as Change)) low = middle + 1
    else high = middle
  }
  return changes[low - 1]
}

function firstAfter(changes: readonly Change[], revision: number): number {
  let low = 0
  let high = changes.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((changes[middle] as Change).revision <= revision) low = middle + 1
    else high = middle
  }
  return low
}

export const sameState = (a: State, b: State): boolean =>
  a.revision === b.revision && a.uid === b.uid && contentText(a) === contentText(b)

export const stateText = (state: State | undefined): string =>
  state === undefined
    ? 'nothing'
    : `${state.data.by ?? '?'} at ${state.revision}${state.team === '' ? '' : ` (${state.team})`}`
