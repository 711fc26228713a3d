/**
 * The engine's settings in the browser, stored with the cluster. A change restarts the engine over
 * the same data.
 */

export { CONTROLLER_NAMES } from '../../engine/controllers/names'

import { DEFAULT_RELEASE, type Release } from '../../engine/releases/release'
import type { ApiServerOptions } from '../../engine/server/server-options'
import { type AccessSettings, accessOptionsOf, FIRST_ACCESS } from './access-settings'
import type { Handler } from './handlers'

export interface EngineSettings {
  /** `--controllers`: `*` for all, `-name` excludes one. */
  controllers: string[]
  scheduler: boolean
  nodes: number
  release: Release
  /** Their data may have members that the current release lacks. */
  formerReleases?: Release[]
  /** Minutes of cluster time until compaction; 0 compacts only by size. */
  historyMinutes: number
  /** Makes names, uids and tokens reproducible for users of a shared link; random if absent. */
  seed?: number
  /** Engines started with the seed. Each uses another sequence, so that uids are unique. */
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

/** The server validates the options. @throws FileError */
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

/** Applied without a restart. */
export const LIVE_SETTINGS: readonly string[] = ['handlers'] satisfies (keyof EngineSettings)[]

/** The release of workspaces, links and files that predate this setting. */
export const UNNAMED_RELEASE: Release = '1.31'

/**
 * @param stored by an earlier version, possibly without newer members
 * @param release assumed if the settings name none
 */
export function settingsFrom(
  stored: Partial<EngineSettings> | undefined,
  release: Release = UNNAMED_RELEASE,
): EngineSettings {
  return { ...FIRST_SETTINGS, release, ...stored, access: { ...FIRST_ACCESS, ...stored?.access } }
}

/** A change of the release adds the former one to the list. */
export function changedSettings(
  settings: EngineSettings,
  change: Partial<EngineSettings>,
): EngineSettings {
  const { release, formerReleases = [] } = settings
  const next = { ...settings, ...change }
  if (next.release === release || formerReleases.includes(release)) return next
  return { ...next, formerReleases: [...formerReleases, release] }
}
