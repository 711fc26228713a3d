/**
 * Simulates concurrent clients and engines over a shared store. A seed decides everything: engines die
 * between commit and response, commits fail or take long, responses and streams get lost, history is
 * compacted, and time passes.
 */
import { SimulatedClock, seededRandom } from '../../src/engine/core/environment'
import { IDEMPOTENCY_HEADER } from '../../src/engine/core/names'
import type { ApiResponse } from '../../src/engine/http/messages'
import { type ApiServer, createApiServer } from '../../src/engine/server/server'
import type { CommittedChange } from '../../src/engine/storage/backend'
import { createMemoryStorage } from '../../src/engine/storage/memory'
import type { Storage } from '../../src/engine/storage/storage'
import { TEST_RELEASE } from '../support/release'
import { chanceOf } from './chance'
import { isWorkedOn, stateOf } from './client'
import type { Change, History } from './history'
import { Schedule } from './schedule'
import { type Lifetime, SharedLog } from './shared-log'

export interface Plan {
  seed: number
  engines: number
  clients: number
  watchers: number
  /** Operations of all clients together. */
  operations: number
  /**
   * Lists and streams of all watchers together, and acts of the world's own against all of them.
   */
  streams: number
  accidents: number
  /**
   * Left out: `client-1 17` is the seventeenth operation of that client. How a failing run is made
   * smaller.
   */
  omitted?: ReadonlySet<string>
}

/** What a test breaks to see that it is noticed. */
export interface Breakage {
  storage?(storage: Storage): Storage
  log?: typeof SharedLog
}

export const NAMESPACES = ['one', 'two'] as const
export const NAMES = ['a', 'b', 'c', 'd', 'e'] as const
const PREFIX = '/registry/configmaps/'
const TOKEN = 'admin-token'

export interface RequestInput {
  method: string
  target: string
  body?: object
  type?: string
  /** Names the write, so that a repetition is known. */
  id?: string
}

/** One run of an engine, from its start to its crash. */
export interface Life extends Lifetime {
  server: string
  api: ApiServer
  clock: SimulatedClock
  sendRequest(requested: RequestInput): Promise<ApiResponse>
  die(): void
}

const encoder = new TextEncoder()

export class World {
  readonly schedule: Schedule
  readonly log: SharedLog
  readonly history: History = { operations: [], listings: [], streams: [], changes: [], begun: 0 }
  /** Failed assumptions of an engine, as it logged them. */
  readonly failures: string[] = []
  private readonly lives: (Life | undefined)[] = []
  private lifeCount = 0
  /** The number of compactions of an engine. */
  compactions = 0
  /** Writes that are being repeated: what they are known by must not be discarded meanwhile. */
  repetitions = 0

  constructor(
    readonly plan: Plan,
    private readonly breakage: Breakage = {},
  ) {
    this.schedule = new Schedule(chanceOf(plan.seed, 'schedule'))
    const Log = breakage.log ?? SharedLog
    this.log = new Log(this.schedule, chanceOf(plan.seed, 'log'), (change) =>
      this.committed(change),
    )
  }

  private committed(change: CommittedChange): void {
    const { revision, object } = change
    const key = change.key.slice(PREFIX.length)
    if (!change.key.startsWith(PREFIX) || !isWorkedOn(key)) return
    const entry: Change = {
      revision,
      at: this.schedule.now(),
      key,
      state: object && stateOf(object),
    }
    this.history.changes.push(entry)
  }

  /** An engine that lives; waits for it to be started again if it does not. */
  async engine(index: number): Promise<Life> {
    for (;;) {
      const life = this.lives[index]
      if (life) return life
      await this.schedule.turn()
    }
  }

  /**
   * Time passes for every engine: what waits for a version of an object, or for another server,
   * times out.
   */
  passTime(milliseconds: number): void {
    for (const life of this.lives) life?.clock.advance(milliseconds)
  }

  kill(index: number): void {
    const life = this.lives[index]
    if (life === undefined) return
    this.lives[index] = undefined
    life.die()
  }

  async start(index: number): Promise<void> {
    const clock = new SimulatedClock()
    let died: () => void = () => undefined
    const death = new Promise<void>((resolve) => {
      died = resolve
    })
    const lifetime: Lifetime = { dead: false, death }
    const backend = this.log.backend(lifetime)
    const kept = createMemoryStorage({ backend, initial: await backend.load(), freeze: true })
    const api = createApiServer({
      release: TEST_RELEASE,
      clock,
      random: seededRandom(this.plan.seed * 1000 + ++this.lifeCount),
      log: {
        error: (message, cause) => {
          if (!String(cause).includes('for a test'))
            this.failures.push(`${message}: ${cause instanceof Error ? cause.stack : cause}`)
        },
      },
      storage: this.breakage.storage?.(kept) ?? kept,
      tokens: `${TOKEN},admin,admin-uid,"system:masters"\n`,
    })
    await api.ready()
    const life: Life = Object.assign(lifetime, {
      server: `engine-${index}`,
      api,
      clock,
      sendRequest: (requested: RequestInput) => api.handle(requestOf(requested)),
      die: () => {
        life.dead = true
        died()
      },
    })
    this.lives[index] = life
  }

  /** Everything that is on its way has arrived. */
  async end(): Promise<void> {
    await this.schedule.run()
    for (const life of this.lives) life?.die()
  }
}

function requestOf({ method, target, body, type = 'application/json', id }: RequestInput) {
  const bytes = body === undefined ? new Uint8Array() : encoder.encode(JSON.stringify(body))
  const headers: Record<string, string> = {
    authorization: `Bearer ${TOKEN}`,
    accept: 'application/json',
    'user-agent': 'robustness',
    ...(body ? { 'content-type': type } : {}),
    ...(id ? { [IDEMPOTENCY_HEADER]: id } : {}),
  }
  return {
    method,
    target,
    header: (name: string) => headers[name],
    headerNames: () => Object.keys(headers),
    body: () => Promise.resolve(bytes),
  }
}
