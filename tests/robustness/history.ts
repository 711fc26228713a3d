/**
 * What concurrent clients did and saw, as data: made by a simulation (world.ts), or by clients of real servers. `check.ts` checks it.
 *
 * Times are numbers that grow with every call and every return; milliseconds and counters both work.
 */

/** What clients write into an object: the team is a label, by which watches and lists select. */
export interface Content {
  team: string
  data: Readonly<Record<string, string>>
}

export interface State extends Content {
  revision: number
  uid: string
}

/**
 * A request of a client for one object. Every write sets `data.by` to a token of its own, so that a
 * stored object identifies its writer.
 */
export type Intent =
  | { verb: 'get' }
  | { verb: 'create'; content: Content }
  /** Replaces the content. @param expected the required revision */
  | { verb: 'update'; content: Content; expected?: number }
  /** Sets members of the data, and the team if given. */
  | { verb: 'patch'; team?: string; set: Readonly<Record<string, string>>; expected?: number }
  /** The same, and creates the object if it is not there. */
  | { verb: 'apply'; set: Readonly<Record<string, string>> }
  | { verb: 'delete'; expected?: number; uid?: string }

export type Result =
  /** No conclusive response: it may have happened, may happen later, or never. */
  | { type: 'unknown' }
  /** @param state what was read or written; for a deletion only its uid is known */
  | { type: 'done'; state: State | { uid: string } }
  | { type: 'absent' }
  /** Create: it is there already. */
  | { type: 'exists' }
  /** The revision differs from the required one. */
  | { type: 'conflict' }

export interface Operation {
  client: string
  /** The server that received the request. */
  server: string
  key: string
  intent: Intent
  called: number
  /** Infinity if no response came. */
  returned: number
  result: Result
}

/** `namespace/name` is the key; empty members select nothing. */
export interface Scope {
  namespace: string
  name: string
  team: string
}

export interface Page {
  revision: number
  items: { key: string; state: State }[]
}

/** A list in one page or several. */
export interface Listing {
  client: string
  server: string
  scope: Scope
  /** undefined: the newest state; `notOlder` may be newer. */
  requested?: { revision: number; match: 'exact' | 'notOlder' }
  called: number
  /** When the first page was there, which decides which state all of them show. */
  returned: number
  pages: Page[]
  /** No more pages followed because all are there. */
  whole: boolean
}

export type Seen = { at: number } & (
  | { type: 'ADDED' | 'MODIFIED' | 'DELETED'; key: string; state: State }
  | { type: 'BOOKMARK'; revision: number }
)

/** One stream, from its opening to its end. */
export interface Stream {
  client: string
  server: string
  scope: Scope
  /** The revision that it was to begin behind; 0: with what is there. */
  after: number
  opened: number
  seen: Seen[]
  /** The watch was open at the end, with nothing in flight: it must have delivered everything. */
  lasted: boolean
}

/** A change as the store keeps it. Each has a revision of its own, for clients change one object at a time. */
export interface Change {
  revision: number
  /** When it became durable, on the clock of the calls. */
  at: number
  key: string
  /** undefined: deleted. */
  state: State | undefined
}

export interface History {
  operations: Operation[]
  listings: Listing[]
  streams: Stream[]
  /** What the store states that happened, in order of revision. */
  changes: Change[]
  /** The store's revision when clients began. */
  begun: number
}

/** What is wrong, in one sentence, and the keys whose history shows it. */
export interface Finding {
  rule: string
  message: string
  keys: string[]
  /** Around when. */
  at: number
}

export const contentText = ({ team, data }: Content): string =>
  `${team}|${Object.keys(data)
    .sort()
    .map((name) => `${name}=${data[name]}`)
    .join(',')}`

export function selects(scope: Scope, key: string, state: Content): boolean {
  const [namespace, name] = key.split('/')
  return (
    (scope.namespace === '' || scope.namespace === namespace) &&
    (scope.name === '' || scope.name === name) &&
    (scope.team === '' || scope.team === state.team)
  )
}
