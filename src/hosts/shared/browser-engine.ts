/** The engine in a service worker or page, created on demand from IndexedDB. */
import { type Signatures, seededRandom } from '../../engine/core/environment'
import type { Outbound } from '../../engine/core/outbound'
import { loadTables } from '../../engine/release-tables/load-tables'
import { tablesOf } from '../../engine/release-tables/tables'
import { DEFAULT_RELEASE } from '../../engine/releases/release'
import { readKinds } from '../../engine/server/served-api'
import { type ApiServer, createApiServer } from '../../engine/server/server'
import type { ApiServerOptions, Campaign } from '../../engine/server/server-options'
import { createMemoryStorage } from '../../engine/storage/memory'
import type { Storage } from '../../engine/storage/storage'
import type { Stores } from '../../persistence/in-memory'
import {
  openPersistentStore,
  type PersistentStore,
  removePersistentStore,
} from '../../persistence/indexeddb'
import type { ChannelRequest, ChannelResponse, ClockState } from './channel'
import {
  type ChannelHandlers,
  channelHandlersOf,
  type EngineControl,
  type Running,
} from './channel-handlers'
import { type EngineSettings, optionsOf, settingsFrom } from './engine-settings'
import { consoleLog, nextTurn, systemClock, systemRandom } from './environment'
import { type CallHandlers, type Handler, NO_HANDLERS } from './handlers'
import { browserOutbound } from './outbound'
import { databaseOf, FIRST_WORKSPACE } from './paths'
import { clockToStore, PersistedClock } from './persisted-clock'
import { RecentRequests } from './recent-requests'
import { Snapshots, type StoredRow } from './snapshots'
import { decodedChanges, decodingBackend } from './stored-form'
import { tablesFor } from './tables-for'
import { unavailable } from './unavailable'
import { webSignatures } from './web-signatures'

/** Every start of the worker loads all stored changes. */
const HISTORY_LIMIT = 5_000

/** Spreads the seeds of successive engines. */
const GOLDEN = 0x9e3779b9

/** The revision of a store without commits. */
const EMPTY_REVISION = 1

export interface BrowserEngineOptions {
  databaseName?: string
  signatures?: Signatures
  call?: CallHandlers
  campaign?: Campaign | undefined
  /** The browser's databases if absent. */
  stores?: Stores
}

const DATABASES: Stores = { open: openPersistentStore, remove: removePersistentStore }

export class BrowserEngine {
  private running: Promise<Running> | undefined
  private draining = false
  private readonly recent = new RecentRequests()

  private readonly databaseName: string
  private readonly signatures: Signatures
  private readonly campaign: Campaign | undefined
  private readonly outbound: Outbound
  private readonly stores: Stores
  private readonly snapshots: Snapshots
  private handlers: readonly Handler[] = []
  private readonly channelHandlers: ChannelHandlers

  /** @param options signatures, handler calls, and leader election among engines of one database */
  constructor({
    databaseName = databaseOf(FIRST_WORKSPACE),
    signatures = webSignatures,
    call = NO_HANDLERS,
    campaign,
    stores = DATABASES,
  }: BrowserEngineOptions = {}) {
    this.stores = stores
    this.databaseName = databaseName
    this.snapshots = new Snapshots(async () => (await this.start()).store)
    this.signatures = signatures
    this.outbound = browserOutbound(() => this.handlers, call)
    this.campaign = campaign
    this.channelHandlers = channelHandlersOf(this.control())
  }

  /** The first request reports a failed start. */
  async wake(): Promise<void> {
    const running = await this.start().catch(() => undefined)
    await running?.server.ready()
  }

  /** The next request retries a failed start. */
  private start(): Promise<Running> {
    this.running ??= this.build().catch((error: unknown) => {
      this.running = undefined
      throw error
    })
    return this.running
  }

  private async build(): Promise<Running> {
    const store = await this.stores.open(this.databaseName)
    // In parallel: each is a round trip to the database.
    const reading = Promise.all([store.settings(), store.load(), store.clock()])
    // After the database requests are sent, because it blocks this thread.
    nextTurn(readKinds)
    // New workspaces run the newest release; a failure is reported below.
    const preloading = loadTables(DEFAULT_RELEASE).catch(() => undefined)
    const [ofSettings, initial, ofClock] = await reading
    const stored = ofSettings as Partial<EngineSettings> | undefined
    const isNew = stored === undefined && initial.revision <= EMPTY_REVISION
    const kept = settingsFrom(stored, isNew ? DEFAULT_RELEASE : undefined)
    const { seed, seedUses = 0 } = kept
    const settings = seed === undefined ? kept : { ...kept, seedUses: seedUses + 1 }
    if (settings !== kept) await store.saveSettings(settings)
    // A workspace keeps its release under later defaults. The database applies this before the
    // first commit.
    else if (isNew) store.saveSettings(settings).catch(() => undefined)
    this.handlers = settings.handlers
    if (tablesOf(settings.release) === undefined) await preloading
    const tables = await tablesFor(settings.release)
    const isMixed = settings.formerReleases?.some((release) => release !== settings.release)
    const storage = createMemoryStorage({
      backend: isMixed ? decodingBackend(store, tables) : store,
      initial: isMixed ? { ...initial, changes: decodedChanges(initial.changes, tables) } : initial,
      historyLimit: HISTORY_LIMIT,
    })
    const clock = new PersistedClock(store, ofClock)
    const server = this.serverOf(settings, storage, {
      outbound: this.outbound,
      ...(seed === undefined ? {} : { random: seededRandom((seed + seedUses * GOLDEN) >>> 0) }),
      clock: clock.clock,
      working: (working) => (working ? clock.clock.hold() : clock.clock.release()),
      ...(this.campaign && { campaign: this.campaign }),
    })
    this.recent.follow(server)
    if (this.draining) server.drain()
    return { server, store, settings, clock }
  }

  /**
   * On a temporary server, so that the running one survives invalid settings.
   * @throws OptionError, FileError
   */
  private async validate(settings: EngineSettings): Promise<void> {
    await loadTables(settings.release)
    await this.serverOf(settings, createMemoryStorage()).close()
  }

  /** @throws OptionError, FileError for invalid settings */
  private serverOf(
    settings: EngineSettings,
    storage: Storage,
    rest: Partial<ApiServerOptions> = {},
  ): ApiServer {
    return createApiServer({
      ...optionsOf(settings),
      clock: systemClock,
      timers: systemClock,
      random: systemRandom,
      log: consoleLog,
      stopwatch: () => performance.now(),
      storage,
      signatures: this.signatures,
      ownAuthority: 'in-header',
      defer: nextTurn,
      ...rest,
    })
  }

  /**
   * @param target path and query, without the page's base path
   * @returns the engine's response, or a 503 Status with the reason
   */
  async fetch(request: Request, target: string): Promise<Response> {
    try {
      const { server } = await this.start()
      return await server.fetchTarget(request, target)
    } catch (error) {
      return unavailable(error)
    }
  }

  /** Ends watches and rejects new ones with Retry-After, before the worker is replaced. */
  async drain(): Promise<void> {
    this.draining = true
    const running = await this.running?.catch(() => undefined)
    if (this.draining) running?.server.drain()
  }

  async resume(): Promise<void> {
    this.draining = false
    const running = await this.running?.catch(() => undefined)
    if (!this.draining) running?.server.resume()
  }

  /** The next request starts the engine from the stored state. */
  async end(): Promise<void> {
    const running = await this.running?.catch(() => undefined)
    this.running = undefined
    running?.clock.stop()
    await running?.server.close()
  }

  /** What requests of the channel use. */
  private control(): EngineControl {
    return {
      signatures: this.signatures,
      snapshots: this.snapshots,
      recent: this.recent,
      start: () => this.start(),
      end: () => this.end(),
      restart: (change) => this.restart(change),
      restartWith: (rows, time, settings) => this.restartWith(rows, time, settings),
      removeStore: () => this.stores.remove(this.databaseName),
      validate: (settings) => this.validate(settings),
      serverOf: (settings, storage, rest) => this.serverOf(settings, storage, rest),
      setHandlers: (handlers) => {
        this.handlers = handlers
      },
    }
  }

  async respond({ kind, request }: ChannelRequest): Promise<ChannelResponse> {
    try {
      const handle = this.channelHandlers[kind] as (request: unknown) => Promise<unknown>
      return { ok: true, response: await handle(request) }
    } catch (error) {
      return { ok: false, message: error instanceof Error ? error.message : String(error) }
    }
  }

  /** @param time state of the cluster clock; real time if absent */
  private restartWith(
    rows: StoredRow[],
    time?: Pick<ClockState, 'time' | 'rate'>,
    settings?: EngineSettings,
  ): Promise<void> {
    return this.restart(async (store) => {
      if (settings) await store.saveSettings(settings)
      await store.replace(rows)
      await store.saveClock(time && clockToStore(time))
      await store.saveSnapshot(undefined)
      this.recent.clear()
    })
  }

  /** @param change of the store, applied before the next start */
  private async restart(change: (store: PersistentStore) => Promise<void>): Promise<void> {
    await this.running?.catch(() => undefined)
    // Without the engine, which the stored data may keep from starting.
    const store = await this.stores.open(this.databaseName)
    try {
      await change(store)
    } finally {
      store.close()
    }
    await this.end()
  }
}
