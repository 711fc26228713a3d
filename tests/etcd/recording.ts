/**
 * Clients of several hosts that record their operations and responses. Clients of a stopped host
 * continue at another.
 */

import type { KubeObject } from '../../src/engine/core/object'
import { type Chance, chanceOf } from '../robustness/chance'
import {
  isWorkedOn,
  keyOf,
  pageOf,
  pathOf,
  queryOf,
  requestFor,
  resultOf,
  stateOf,
} from '../robustness/client'
import type {
  Content,
  History,
  Intent,
  Listing,
  Result,
  Scope,
  State,
  Stream,
} from '../robustness/history'
import { NAMES, NAMESPACES } from '../robustness/world'
import { kubeObject } from '../support/json-objects'
import { type Host, sendRequest, watch } from './hosts'

const TEAMS = ['', 'red', 'blue'] as const
const EVERYTHING: Scope = { namespace: '', name: '', team: '' }
const AUTHORIZED = { authorization: 'Bearer admin-token' }

export class Recording {
  readonly history: History = { operations: [], listings: [], streams: [], changes: [], begun: 0 }
  private time = 0
  private over = false
  /** The last revision of all, set once writes have stopped. */
  private last = Number.POSITIVE_INFINITY
  private readonly open = new Map<AbortController, Stream>()

  /** Starts the clients. @param hosts may change: a restarted host replaces its predecessor */
  constructor(private readonly hosts: Host[]) {}

  now(): number {
    return ++this.time
  }

  async begin(): Promise<void> {
    for (const name of NAMESPACES) {
      const { status } = await sendRequest(this.host(0), 'POST', '/api/v1/namespaces', {
        kind: 'Namespace',
        apiVersion: 'v1',
        metadata: { name },
      })
      if (status !== 201) throw new Error(`no namespace to work in: ${status}`)
    }
  }

  private host(index: number): Host {
    return this.hosts[index % this.hosts.length] as Host
  }

  async work(client: string, home: number, count: number, done: () => void): Promise<void> {
    const known = new Map<string, State>()
    let at = home
    for (let i = 0; i < count; i++) {
      const chance = chanceOf('hosts', client, i)
      const key = `${chance.pick(NAMESPACES)}/${chance.pick(NAMES)}`
      // Sometimes sends the request to another host, as a load balancer would.
      const host = this.host(chance.happens(0.3) ? chance.below(this.hosts.length) : at)
      const responded = chance.happens(0.15)
        ? await this.list(client, host, chance, known)
        : await this.operate(
            client,
            host,
            key,
            intentOf(chance, `${client}.${i}`, client, known.get(key)),
            known,
          )
      if (!responded) at++
      done()
    }
  }

  /** @returns whether the host responded */
  private async operate(
    client: string,
    host: Host,
    key: string,
    intent: Intent,
    known: Map<string, State>,
  ): Promise<boolean> {
    const { method, target, body, type = 'application/json' } = requestFor(key, client, intent)
    const called = this.now()
    let result: Result = { type: 'unknown' }
    try {
      const response = await fetch(`${host.url}${target}`, {
        method,
        headers: { ...AUTHORIZED, ...(body ? { 'content-type': type } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      result = resultOf(intent, {
        status: response.status,
        headers: {},
        body: await response.text(),
      })
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
    }
    const returned = result.type === 'unknown' ? Number.POSITIVE_INFINITY : this.now()
    this.history.operations.push({
      client,
      server: host.name,
      key,
      intent,
      called,
      returned,
      result,
    })
    if (result.type === 'done' && 'revision' in result.state) known.set(key, result.state)
    else if (result.type === 'absent' || result.type === 'done') known.delete(key)
    return result.type !== 'unknown'
  }

  private async list(
    client: string,
    host: Host,
    chance: Chance,
    known: Map<string, State>,
  ): Promise<boolean> {
    const scope: Scope = {
      ...EVERYTHING,
      namespace: chance.pick(['', ...NAMESPACES] as const),
      team: chance.pick(TEAMS),
    }
    const newest = Math.max(0, ...[...known.values()].map(({ revision }) => revision))
    const requested: Listing['requested'] =
      newest > 0 && chance.happens(0.4)
        ? { revision: newest, match: chance.happens(0.5) ? 'exact' : 'notOlder' }
        : undefined
    const match = { exact: 'Exact', notOlder: 'NotOlderThan' } as const
    let query: Record<string, string> = requested
      ? {
          resourceVersion: String(requested.revision),
          resourceVersionMatch: match[requested.match],
        }
      : {}
    const limit: Record<string, string> = chance.happens(0.5)
      ? { limit: String(1 + chance.below(4)) }
      : {}
    const listing: Listing = {
      client,
      server: host.name,
      scope,
      ...(requested ? { requested } : {}),
      called: this.now(),
      returned: 0,
      pages: [],
      whole: false,
    }
    let page = host
    for (let token = 'first'; token !== ''; ) {
      const target = `${pathOf(scope.namespace)}?${queryOf(scope, { ...query, ...limit })}`
      const response = await fetch(`${page.url}${target}`, { headers: AUTHORIZED }).catch(
        () => undefined,
      )
      if (response?.status !== 200) break
      const { continue: next, ...shown } = pageOf(await response.text())
      if (listing.pages.length === 0) listing.returned = this.now()
      listing.pages.push(shown)
      token = next
      query = { continue: next }
      // The next page may come from another host.
      page = this.host(chance.below(this.hosts.length))
      listing.whole = token === ''
    }
    if (listing.pages.length > 0) this.history.listings.push(listing)
    return listing.pages.length > 0
  }

  /** Watches all objects until the end, at another host whenever its own stops. */
  async follow(client: string, home: number): Promise<void> {
    let reached = this.history.begun
    for (let at = home; !this.over; at++) {
      const host = this.host(at)
      const leave = new AbortController()
      const stream: Stream = {
        client,
        server: host.name,
        scope: EVERYTHING,
        after: reached,
        opened: this.now(),
        seen: [],
        lasted: false,
      }
      this.history.streams.push(stream)
      this.open.set(leave, stream)
      const path = `${pathOf('')}?watch=1&allowWatchBookmarks=true&resourceVersion=${reached}`
      try {
        for await (const { type, object } of watch(host, path, leave.signal)) {
          const reported = kubeObject(object)
          if (type === 'ERROR') throw new Error(`a watch ended with ${JSON.stringify(object)}`)
          const seen = this.seen(type, reported)
          if (seen === undefined) continue
          stream.seen.push(seen)
          reached = seen.type === 'BOOKMARK' ? seen.revision : seen.state.revision
          if (reached >= this.last) leave.abort()
        }
      } catch (error) {
        if (error instanceof Error && error.message.startsWith('a watch ended')) throw error
        // The host is down, or the watch is complete.
      }
      if (this.over && leave.signal.aborted) stream.lasted = true
      this.open.delete(leave)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  private seen(type: string, object: KubeObject): Stream['seen'][number] | undefined {
    const at = this.now()
    if (type === 'BOOKMARK') return { at, type, revision: Number(object.metadata.resourceVersion) }
    if (!isWorkedOn(keyOf(object))) return undefined
    return { at, type: type as 'ADDED', key: keyOf(object), state: stateOf(object) }
  }

  /** Stops the watchers once they have received all events, or after a timeout. */
  async finish(last: number): Promise<void> {
    const final = this.history.changes.at(-1)?.revision ?? last
    this.last = final
    const behind = () => [...this.open.values()].some(({ seen }) => revisionOf(seen.at(-1)) < final)
    for (let waited = 0; behind() && waited < 5_000; waited += 20)
      await new Promise((resolve) => setTimeout(resolve, 20))
    this.over = true
    for (const leave of this.open.keys()) leave.abort()
  }
}

const revisionOf = (seen: Stream['seen'][number] | undefined): number =>
  seen === undefined ? 0 : seen.type === 'BOOKMARK' ? seen.revision : seen.state.revision

function intentOf(chance: Chance, token: string, client: string, known: State | undefined): Intent {
  const content = (): Content => ({ team: chance.pick(TEAMS), data: { by: token } })
  const expected = known && chance.happens(0.6) ? { expected: known.revision } : {}
  const kind = chance.below(100)
  if (kind < 30) return { verb: 'get' }
  if (kind < 48) return { verb: 'create', content: content() }
  if (kind < 62) return { verb: 'update', content: content(), ...expected }
  if (kind < 76) return { verb: 'patch', set: { by: token, [`p-${client}`]: token }, ...expected }
  if (kind < 88) return { verb: 'apply', set: { by: token, [`a-${client}`]: token } }
  return {
    verb: 'delete',
    ...expected,
    ...(known && chance.happens(0.2) ? { uid: known.uid } : {}),
  }
}
