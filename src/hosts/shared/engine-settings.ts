/**
 * What a person may set of the engine in the browser. Kept in the store next to the cluster; a change restarts the engine with the
 * same data, as the flags of kube-apiserver request a restart.
 */

export { CONTROLLER_NAMES } from '../../engine/controllers/names'

import { DEFAULT_RELEASE, type Release } from '../../engine/releases/release'
import type { ApiServerOptions } from '../../engine/server-options'
import { type AccessSettings, accessOptionsOf, FIRST_ACCESS } from './access-settings'
import type { Handler } from './handlers'

export interface EngineSettings {
  /** Names of controllers as `--controllers` takes them: `*` for all, `-name` without that one. */
  controllers: string[]
  /** Whether pods are given nodes. */
  scheduler: boolean
  /** So many nodes are simulated. */
  nodes: number
  /** The release that the server answers as. */
  release: Release
  /** Minutes of the cluster's time after which history is discarded; 0: only when there is too much of it. */
  historyMinutes: number
  /** Makes names, uids and tokens repeat: whoever opens the same shared link gets the same. Absent: they are drawn by chance. */
  seed?: number
  /** Engines that began with the seed: each draws on from another place, or uids would come twice. */
  seedUses?: number
  /** Who is let in, and who may do what. */
  access: AccessSettings
  /** Servers written in the page, which the engine calls. */
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

/** The settings as options of the server. What cannot be is rejected by the server itself, when it is made of them. @throws FileError */
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

/** What a running engine obeys without being started again. */
export const LIVE_SETTINGS: readonly string[] = ['handlers'] satisfies (keyof EngineSettings)[]

/** @param stored what an earlier page kept, perhaps before a setting was there */
export function settingsFrom(stored: Partial<EngineSettings> | undefined): EngineSettings {
  return { ...FIRST_SETTINGS, ...stored, access: { ...FIRST_ACCESS, ...stored?.access } }
}
