/** Who does something in a simulated world: clients that write and read, watchers that list and watch, and accidents. */

import type { KubeObject } from '../../src/engine/core/object'
import { isStream } from '../../src/engine/http/messages'
import { Actor } from './actor'
import { type Chance, chanceOf } from './chance'
import { isWorkedOn, keyOf, pageOf, pathOf, queryOf, stateOf, textOf } from './client'
import type { History, Listing, Scope, Stream } from './history'
import type { Breakage } from './world'
import { type Life, NAMES, NAMESPACES, type Plan, World } from './world'
import { Client } from './writing-client'

/** Runs a world to its end. @throws Error for a response that no server should give */
export async function simulate(
  plan: Plan,
  breakage: Breakage = {},
): Promise<{ history: History; failures: string[] }> {
  const world = new World(plan, breakage)
  const errors: unknown[] = []
  let under = 0
  const act = (work: Promise<void>): void => {
    under++
    work.catch((error: unknown) => errors.push(error)).finally(() => under--)
  }
  const engines = Array.from({ length: plan.engines }, (_, index) => index)
  act(begin(world))
  await world.schedule.run()
  if (errors.length > 0) throw errors[0]
  world.history.begun = world.log.revision
  world.log.faults = { rejected: 0.02, lost: 0.02, slow: 0.05 }
  for (let i = 0; i < plan.clients; i++) act(new Client(world, i).live())
  for (let i = 0; i < plan.watchers; i++) act(new WatchingClient(world, i).live())
  act(accidents(world))
  const patient = engines.map((index) => new PatientWatcher(world, index))
  for (const watcher of patient) act(watcher.live())
  act(
    (async () => {
      // The patient ones alone are left.
      await lastActors(world, () => under - patient.length - 1)
      world.log.faults = undefined
      for (const index of engines) await world.engine(index)
      for (const watcher of patient) watcher.finish()
    })(),
  )
  await world.schedule.run()
  if (errors.length > 0) throw errors[0]
  await world.end()
  return { history: world.history, failures: world.failures }
}

/** Turns in which nothing is completed before time passes. */
const QUIET_TURNS = 2_000
/** Longer than an engine waits for anything. */
const QUIET_TIME = 60_000
/** After so many such times a world is abandoned: what is left waits for what never comes. */
const QUIET_TIMES = 20

/**
 * Waits for the actors that come to an end. A read that waits for a version times out by the clock of its engine, and behind the last
 * accident nothing else moves it.
 * @throws Error when what is left never ends
 */
async function lastActors(world: World, left: () => number): Promise<void> {
  const { schedule, history } = world
  const completed = () =>
    history.operations.length + history.listings.length + history.streams.length - left()
  let [before, quiet] = [completed(), 0]
  while (left() > 0) {
    await schedule.turn()
    if (completed() !== before) [before, quiet] = [completed(), 0]
    else if (++quiet % QUIET_TURNS === 0) world.passTime(QUIET_TIME)
    if (quiet < QUIET_TURNS * QUIET_TIMES) continue
    schedule.abandon()
    throw new Error(`seed ${world.plan.seed}: ${left()} actors wait for what never comes`)
  }
}

/** Namespaces to work in. */
async function begin(world: World): Promise<void> {
  for (let index = 0; index < world.plan.engines; index++) await world.start(index)
  const life = await world.engine(0)
  for (const name of NAMESPACES) {
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
    const { status } = await life.sendRequest({
      method: 'POST',
      target: '/api/v1/namespaces',
      body,
    })
    if (status !== 201) throw new Error(`no namespace to work in: ${status}`)
  }
}

/** Lists and watches, and goes on watching where it was interrupted. */
class WatchingClient extends Actor {
  constructor(world: World, number: number) {
    const { streams, watchers } = world.plan
    super(world, `watcher-${number}`, Math.ceil(streams / watchers), number % world.plan.engines)
  }

  private scope: Scope = { namespace: '', name: '', team: '' }
  /** Where the last stream got to; 0 if it may not be gone on with. */
  private reached = 0

  protected async act(life: Life, chance: Chance): Promise<void> {
    const continues = this.reached > 0 && chance.happens(0.7)
    if (!continues) {
      const namespace = chance.pick(['', ...NAMESPACES] as const)
      const name = namespace !== '' && chance.happens(0.3) ? chance.pick(NAMES) : ''
      this.scope = {
        namespace,
        name,
        team: chance.happens(0.4) ? chance.pick(['red', 'blue'] as const) : '',
      }
      this.reached = await this.list(life, chance)
    }
    if (chance.happens(0.3)) return
    const after = chance.happens(0.1) ? 0 : this.reached
    if (after === 0 && chance.happens(0.5)) return
    this.reached = await this.watch(life, chance, after)
  }

  /** @returns the revision that it showed; 0 if it came to nothing */
  private async list(life: Life, chance: Chance): Promise<number> {
    const { schedule, history } = this.world
    const { scope } = this
    const limit = chance.happens(0.5) ? 1 + chance.below(4) : 0
    const requested: Listing['requested'] =
      this.know.revision > 0 && chance.happens(0.3)
        ? { revision: this.know.revision, match: chance.happens(0.5) ? 'exact' : 'notOlder' }
        : undefined
    const listing: Listing = {
      client: this.name,
      server: life.server,
      scope,
      ...(requested ? { requested } : {}),
      called: schedule.now(),
      returned: Number.POSITIVE_INFINITY,
      pages: [],
      whole: false,
    }
    const match = { exact: 'Exact', notOlder: 'NotOlderThan' } as const
    const first: Record<string, string> = requested
      ? {
          resourceVersion: String(requested.revision),
          resourceVersionMatch: match[requested.match],
        }
      : {}
    let token = ''
    do {
      const query = queryOf(scope, {
        ...(token === '' ? first : { continue: token }),
        ...(limit > 0 ? { limit: String(limit) } : {}),
      })
      const response = await this.received(
        life,
        life.sendRequest({ method: 'GET', target: `${pathOf(scope.namespace)}?${query}` }),
      )
      if (response === undefined) break
      // Discarded meanwhile, or not there yet.
      if (response.status === 410 || response.status >= 500) break
      if (response.status !== 200)
        throw new Error(`a list returned ${response.status}: ${textOf(response.body)}`)
      const { continue: next, ...page } = pageOf(textOf(response.body))
      if (listing.pages.length === 0) listing.returned = schedule.now()
      listing.pages.push(page)
      token = next
      await schedule.turns(chance.below(4))
    } while (token !== '')
    const [page] = listing.pages
    if (page === undefined) return 0
    listing.whole = token === ''
    history.listings.push(listing)
    for (const { items } of listing.pages)
      for (const { key, state } of items) this.know.record(key, state)
    this.know.revision = Math.max(this.know.revision, page.revision)
    return page.revision
  }

  private async watch(life: Life, chance: Chance, after: number): Promise<number> {
    const stream = await openStream(this.world, life, this.name, this.scope, after)
    if (stream === undefined) return 0
    await Promise.race([stream.ended, this.world.schedule.turns(chance.below(400))])
    stream.leave()
    return stream.reached()
  }
}

interface OpenStream {
  record: Stream
  ended: Promise<void>
  leave(): void
  /** The last delivered revision; 0 after a response that its resourceVersion is too old. */
  reached(): number
}

/** @returns undefined if the stream was rejected or its server died first */
async function openStream(
  world: World,
  life: Life,
  client: string,
  scope: Scope,
  after: number,
): Promise<OpenStream | undefined> {
  const { schedule, history } = world
  const record: Stream = {
    client,
    server: life.server,
    scope,
    after,
    opened: schedule.now(),
    seen: [],
    lasted: false,
  }
  const query = queryOf(scope, {
    watch: '1',
    allowWatchBookmarks: 'true',
    ...(after > 0 ? { resourceVersion: String(after) } : {}),
  })
  const received = life.sendRequest({
    method: 'GET',
    target: `${pathOf(scope.namespace)}?${query}`,
  })
  const response = await Promise.race([received, life.death.then(() => undefined)])
  if (response === undefined || !isStream(response.body)) return undefined
  history.streams.push(record)
  let expired = false
  let closed = false
  let finish: () => void = () => undefined
  const ended = new Promise<void>((resolve) => {
    finish = () => {
      closed = true
      resolve()
    }
  })
  void life.death.then(finish)
  let rest = ''
  const decoder = new TextDecoder()
  const take = (line: string): void => {
    const { type, object } = JSON.parse(line) as { type: string; object: KubeObject }
    const at = schedule.now()
    if (type === 'ERROR') expired = true
    else if (type === 'BOOKMARK')
      record.seen.push({ at, type, revision: Number(object.metadata.resourceVersion) })
    else if (isWorkedOn(keyOf(object)))
      record.seen.push({ at, type: type as 'ADDED', key: keyOf(object), state: stateOf(object) })
  }
  const cancel = response.body.start({
    write(chunk) {
      if (closed) return true
      rest += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
      const lines = rest.split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) if (line !== '') take(line)
      return true
    },
    end: finish,
    abort: finish,
  })
  return {
    record,
    ended,
    leave() {
      if (closed) return
      finish()
      cancel()
    },
    reached() {
      if (expired) return 0
      const last = record.seen.at(-1)
      if (last === undefined) return after
      return last.type === 'BOOKMARK' ? last.revision : last.state.revision
    },
  }
}

/** Watches everything all the time, and looks at its last streams when all is over. */
class PatientWatcher {
  private finished: () => void = () => undefined
  private readonly over = new Promise<void>((resolve) => {
    this.finished = resolve
  })
  private done = false

  constructor(
    private readonly world: World,
    private readonly index: number,
  ) {}

  finish(): void {
    this.done = true
    this.finished()
  }

  async live(): Promise<void> {
    const scope: Scope = { namespace: '', name: '', team: '' }
    let reached = this.world.history.begun
    for (;;) {
      const life = await this.world.engine(this.index)
      // Too old meanwhile: it begins with what is there.
      const stream = await openStream(this.world, life, `patient-${this.index}`, scope, reached)
      if (stream === undefined) {
        if (this.done) return
        await this.world.schedule.turn()
        continue
      }
      await Promise.race([stream.ended, this.over])
      if (this.done) {
        await this.drain(life, stream)
        return
      }
      stream.leave()
      reached = stream.reached()
    }
  }

  /** All writes are done, so the delivered events must be complete. */
  private async drain(life: Life, stream: OpenStream): Promise<void> {
    // News of other engines' writes arrive within some turns.
    await this.world.schedule.turns(200)
    stream.record.lasted = !life.dead
    stream.leave()
  }
}

/** Engines die and start again, histories are discarded, time passes. */
async function accidents(world: World): Promise<void> {
  const { plan, schedule } = world
  for (let i = 0; i < plan.accidents; i++) {
    const chance = chanceOf(plan.seed, 'accident', i)
    await schedule.turns(5 + chance.below(40))
    if (plan.omitted?.has(`accident ${i}`)) continue
    const index = chance.below(plan.engines)
    const kind = chance.below(10)
    const life = await world.engine(index)
    if (kind < 3) {
      world.kill(index)
      await schedule.turns(chance.below(20))
      await world.start(index)
    } else if (kind < 5) {
      while (world.repetitions > 0) await schedule.turn()
      const { storage } = life.api
      const reached = storage.currentRevision()
      world.compactions++
      if (reached > world.history.begun)
        storage
          .compact(reached - Math.min(reached - world.history.begun, chance.below(60)))
          .catch(() => undefined)
    } else life.clock.advance(chance.below(90_000))
  }
}
