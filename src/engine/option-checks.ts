/** Options of a server that are checked before it is made: release, versions, hidden metrics. */
import { OptionError } from './option-error'
import { DEFAULT_RELEASE, parseRelease, RELEASES, type Release, releaseAfter } from './releases/release'
import { RuntimeConfigError, servedGroups } from './releases/served'
import { goQuote } from './schema/go-text'

/** @throws OptionError */
export function releaseOf(given: string = DEFAULT_RELEASE): Release {
  const release = parseRelease(given)
  if (release !== undefined) return release
  throw new OptionError(`unknown release ${goQuote(given)}, known are ${RELEASES[0]} to ${RELEASES.at(-1)}`)
}

/** @throws OptionError for any release but the one before */
export function showsHidden(given: string | undefined, release: Release): boolean {
  if (!given) return false
  const before = releaseAfter(release, -1)
  if (given === before) return true
  throw new OptionError(
    `--show-hidden-metrics-for-version must be omitted or have the value '${before}'. Only the previous minor version is allowed`,
  )
}

/** @throws OptionError */
export function groupsOf(config: Readonly<Record<string, string>> | undefined, release: Release): ReturnType<typeof servedGroups> {
  try {
    return servedGroups(config, release)
  } catch (error) {
    throw error instanceof RuntimeConfigError ? new OptionError(error.message) : error
  }
}
