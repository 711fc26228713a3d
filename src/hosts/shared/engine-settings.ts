/**
 * Settings of the engine in the browser, stored next to the cluster. A change restarts the engine
 * with the same data, as changed flags of kube-apiserver do.
 */

export { CONTROLLER_NAMES } from '../../engine/controllers/names'

import { DEFAULT_RELEASE, type Release } from '../../engine/releases/release'
import type { ApiServerOptions } from '../../engine/server-options'
import { type AccessSettings, accessOptionsOf, FIRST_ACCESS } from './access-settings'
import type { Handler } from './handlers'

export interface EngineSettings {
  /** The value of `--controllers`: `*` for all, `-name` to exclude one. */
  controllers: string[]
  /** Whether the scheduler assigns pods to nodes. */
  scheduler: boolean
  /** Number of simulated nodes. */
  nodes: number
  /** The Kubernetes release that the server emulates. */
  release: Release
  /** Minutes of cluster time after which history is compacted; 0 compacts only by size. */
  historyMinutes: number
  /**
   * Makes names, uids and tokens reproducible for all users of a shared link. Absent for random
   * values.
   */
  seed?: number
  /**
   * Number of engines started with the seed. Each uses another sequence, so that uids are unique.
   */
  seedUses?: number
  /** Authentication and authorization. */
  access: AccessSettings
  /** Servers written in the page that the engine calls. */
  handlers: Handler[]
}

export const FIRST_SETTINGS: EngineSettings = {
  controllers: ['*'],
  scheduler: true,
  nodes: 3,
  release: DEFAULT_RELEASE,
  historyMinutes: 0,
  access: FIRST_ACCESS,
  handlers: [],
}

/**
 * Converts settings to server options. The server itself validates them.
 * @throws FileError
 */
export function optionsOf({
  controllers,
  scheduler,
  nodes,
  release,
  historyMinutes,
  access,
}: EngineSettings): Partial<ApiServerOptions> {
  return {
    controllers,
    scheduler,
    nodes,
    release,
    compactionInterval: historyMinutes * 60_000,
    ...accessOptionsOf(access),
  }
}

/** Settings that a running engine applies without a restart. */
export const LIVE_SETTINGS: readonly string[] = ['handlers'] satisfies (keyof EngineSettings)[]

/** @param stored settings of an earlier version, which may lack newer members */
export function settingsFrom(stored: Partial<EngineSettings> | undefined): EngineSettings {
  return { ...FIRST_SETTINGS, ...stored, access: { ...FIRST_ACCESS, ...stored?.access } }
}
