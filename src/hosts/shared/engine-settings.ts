/**
 * Settings of the engine in the browser, stored next to the cluster. A change restarts the engine
 * with the same data, as changed flags of kube-apiserver do.
 */

export { CONTROLLER_NAMES } from '../../engine/controllers/names'

import { DEFAULT_RELEASE, type Release } from '../../engine/releases/release'
import type { ApiServerOptions } from '../../engine/server/server-options'
import { type AccessSettings, accessOptionsOf, FIRST_ACCESS } from './access-settings'
import type { Handler } from './handlers'

export interface EngineSettings {
  /** The value of `--controllers`: `*` for all, `-name` to exclude one. */
  controllers: string[]
  scheduler: boolean
  nodes: number
  release: Release
  /** Their data may contain members that the current release does not have. */
  formerReleases?: Release[]
  /** Minutes of cluster time until history is compacted; 0 compacts only by size. */
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
  access: AccessSettings
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

/**
 * The release of workspaces, links and files without a release: they are older than that setting.
 */
export const UNNAMED_RELEASE: Release = '1.31'

/**
 * @param stored settings of an earlier version, which may lack newer members
 * @param release the one to assume if the settings name none
 */
export function settingsFrom(
  stored: Partial<EngineSettings> | undefined,
  release: Release = UNNAMED_RELEASE,
): EngineSettings {
  return { ...FIRST_SETTINGS, release, ...stored, access: { ...FIRST_ACCESS, ...stored?.access } }
}

/** The settings after a change. A change of the release adds the former one to the list. */
export function changedSettings(
  settings: EngineSettings,
  change: Partial<EngineSettings>,
): EngineSettings {
  const { release, formerReleases = [] } = settings
  const next = { ...settings, ...change }
  if (next.release === release || formerReleases.includes(release)) return next
  return { ...next, formerReleases: [...formerReleases, release] }
}
