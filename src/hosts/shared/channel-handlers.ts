import { newCertificateRequest } from '../../engine/authentication/certificates/request'
import { consequencesOf } from '../../engine/causality/consequences'
import type { Signatures } from '../../engine/core/environment'
import { resourceKey, storables } from '../../engine/server/keys'
import type { ApiServer } from '../../engine/server/server'
import type { ApiServerOptions } from '../../engine/server/server-options'
import type { Storage } from '../../engine/storage/storage'
import type { PersistentStore } from '../../persistence/indexeddb'
import { readTestSet } from '../../policy-test/documents'
import { runTestSet } from '../../policy-test/run'
import { accessHandlersOf } from './access-handlers'
import type { ChannelRequests, ClockState } from './channel'
import { changedSettings, type EngineSettings, LIVE_SETTINGS } from './engine-settings'
import { consoleLog, nextTurn, systemClock, systemRandom } from './environment'
import type { Handler } from './handlers'
import type { PersistedClock } from './persisted-clock'
import type { RecentRequests } from './recent-requests'
import { type Snapshots, type StoredRow, snapshotOf } from './snapshots'
import { tablesFor } from './tables-for'
import { kindsWritten, timelineOf } from './timeline'
import { runTrial } from './trial'

/** Only the controller that reports type errors of policies. */
const TRIAL_CONTROLLERS = ['validatingadmissionpolicy-status-controller']

/** Webhooks may have side effects, so a trial disables them. */
const WEBHOOKS = ['MutatingAdmissionWebhook', 'ValidatingAdmissionWebhook']

export interface Running {
  server: ApiServer
  store: PersistentStore
  settings: EngineSettings
  clock: PersistedClock
}

export type ChannelHandlers = {
  [Kind in keyof ChannelRequests]: (
    query: ChannelRequests[Kind]['request'],
  ) => Promise<ChannelRequests[Kind]['response']>
}

export interface EngineControl {
  readonly signatures: Signatures
  readonly snapshots: Snapshots
  readonly recent: RecentRequests
  start(): Promise<Running>
  end(): Promise<void>
  /** @param change of the store, applied before the next start */
  restart(change: (store: PersistentStore) => Promise<void>): Promise<void>
  /** @param time state of the cluster clock; real time if absent */
  restartWith(
    rows: StoredRow[],
    time?: Pick<ClockState, 'time' | 'rate'>,
    settings?: EngineSettings,
  ): Promise<void>
  removeStore(): Promise<void>
  /** @throws OptionError, FileError for invalid settings */
  validate(settings: EngineSettings): Promise<void>
  serverOf(settings: EngineSettings, storage: Storage, rest?: Partial<ApiServerOptions>): ApiServer
  setHandlers(handlers: readonly Handler[]): void
}

export function channelHandlersOf(engine: EngineControl): ChannelHandlers {
  return {
    ...accessHandlersOf(async () => (await engine.start()).server),
    certificateRequest: (subject) => newCertificateRequest(subject, engine.signatures),
    status: async (query) => {
      const { server, store } = await engine.start()
      const { storage } = server
      const written = query && kindsWritten(storage, query.after)
      return {
        revision: storage.currentRevision(),
        compactRevision: storage.compactRevision(),
        objects: await storage.count('/registry/'),
        damaged: store.damaged(),
        ...(written && { written }),
      }
    },
    export: async () => {
      const { server } = await engine.start()
      const { revision, items } = await server.storage.range('/registry/')
      return {
        revision,
        objects: items.map(({ object }) => object),
        keys: items.map(({ key }) => key),
      }
    },
    reset: async () => {
      await engine.restartWith([])
      return undefined
    },
    snapshot: () => engine.snapshots.kept(),
    restore: async () => {
      const { rows, settings } = await engine.snapshots.read()
      await engine.validate(settings)
      // Cluster time does not go back: certificates and tokens depend on it.
      await engine.restartWith(rows, (await engine.start()).clock.state(), settings)
      return settings
    },
    remove: async () => {
      await engine.end()
      await engine.removeStore()
      return undefined
    },
    import: async ({ objects, clock, settings }) => {
      const { settings: present } = await engine.start()
      const next = settings && { ...present, seedUses: 0, formerReleases: [], ...settings }
      if (next) await engine.validate(next)
      const rows = storables(objects, await tablesFor((next ?? present).release))
      await engine.restartWith(rows, clock, next)
      return { objects: objects.length }
    },
    settings: async () => (await engine.start()).settings,
    configure: async (change) => {
      const running = await engine.start()
      const settings = changedSettings(running.settings, change)
      if (Object.keys(change).every((name) => LIVE_SETTINGS.includes(name))) {
        await running.store.saveSettings(settings)
        running.settings = settings
        engine.setHandlers(settings.handlers)
        return settings
      }
      await engine.validate(settings)
      if (settings.release !== running.settings.release)
        await engine.snapshots.keep(await snapshotOf(running))
      await engine.restart((store) => store.saveSettings(settings))
      return settings
    },
    trial: async ({ requests }) => {
      const { server, settings } = await engine.start()
      await server.ready()
      const still = { ...settings, controllers: TRIAL_CONTROLLERS, scheduler: false, nodes: 0 }
      return runTrial(
        server.storage,
        (storage) => engine.serverOf(still, storage, { disableAdmissionPlugins: WEBHOOKS }),
        requests,
        () => new Promise(nextTurn),
      )
    },
    policyTests: async ({ files }) =>
      runTestSet(readTestSet(files), {
        release: (await engine.start()).settings.release,
        clock: systemClock,
        random: systemRandom,
        log: consoleLog,
      }),
    timeline: async ({ after }) => timelineOf((await engine.start()).server.storage, after),
    consequences: async (roots) => {
      const { server } = await engine.start()
      return consequencesOf(server.storage, server.controllerWrites(), roots)
    },
    moment: async ({ revision }) => {
      const { items } = await (await engine.start()).server.storage.range('/registry/', {
        revision,
      })
      return { objects: items.map(({ object }) => object) }
    },
    clock: async () => (await engine.start()).clock.state(),
    steer: async (how) => (await engine.start()).clock.steer(how),
    writes: async (query) => engine.recent.writes.after(query?.after),
    traces: async (query) => engine.recent.traces.after(query?.after),
    audit: async (query) => ({
      policy: engine.recent.policy,
      ...engine.recent.events.after(query?.after),
    }),
    auditPolicy: async ({ policy }) => {
      const { server } = await engine.start()
      engine.recent.setPolicy(policy, server)
      return undefined
    },
    compact: async () => {
      const { server } = await engine.start()
      await server.storage.compact(server.storage.currentRevision())
      return { compactRevision: server.storage.compactRevision() }
    },
    history: async ({ group, resource, namespace, name }) => {
      const { server } = await engine.start()
      const versions = await server.storage.history(resourceKey(group, resource, namespace, name))
      return versions.map(({ revision, stored, author }) => ({
        revision,
        author,
        createRevision: stored?.createRevision,
        object: stored?.object,
      }))
    },
  }
}
