import { minorOf } from '../release-tables/minor'
import type { ReleaseTables } from '../release-tables/tables'

const EARLIER = [
  '1.15',
  '1.16',
  '1.17',
  '1.18',
  '1.19',
  '1.20',
  '1.21',
  '1.22',
  '1.23',
  '1.24',
  '1.25',
  '1.26',
  '1.27',
  '1.28',
  '1.29',
  '1.30',
  '1.31',
  '1.32',
] as const

/** Need loaded tables (release-tables/tables.ts). */
export const NEWER_RELEASES = ['1.33', '1.34', '1.35', '1.36', '1.37'] as const

export type Release = (typeof EARLIER)[number] | (typeof NEWER_RELEASES)[number]

/** Without loaded tables (kubernetes.io, "Deprecated API Migration Guide"). */
export const RELEASES: readonly [Release, ...Release[]] = EARLIER

/** Oldest first. */
export const ALL_RELEASES: readonly Release[] = [...EARLIER, ...NEWER_RELEASES]

/** Of new workspaces, and of servers if no option names one. */
export const DEFAULT_RELEASE: Release = '1.37'

/** What a server emulates (`--emulated-version`, `--min-compatibility-version`). */
export interface Emulation {
  /** The emulated release; that of the server if none is emulated. */
  version: Release
  /** The oldest release that other servers of the cluster may have. */
  compatible: string
}

/** An API version of kinds that only one server has. */
export interface OwnVersion {
  group: string
  version: string
}

/** The release as `/version` reports it. */
export interface ReleaseIdentity {
  name: Release
  major: string
  minor: string
  /** `v1.31.4` */
  git: string
  /** Of a server with kinds of its own; `id` identifies these. */
  own?: { tables: ReleaseTables; id: string; versions: readonly OwnVersion[] }
}

/** Recorded, or else the last (kubernetes.io, "Releases"). */
const LAST_PATCH: Record<Release, number> = {
  '1.15': 12,
  '1.16': 15,
  '1.17': 17,
  '1.18': 20,
  '1.19': 16,
  '1.20': 15,
  '1.21': 14,
  '1.22': 17,
  '1.23': 17,
  '1.24': 17,
  '1.25': 16,
  '1.26': 15,
  '1.27': 16,
  '1.28': 15,
  '1.29': 14,
  '1.30': 14,
  '1.31': 4,
  '1.32': 13,
  '1.33': 13,
  '1.34': 13,
  '1.35': 4,
  '1.36': 6,
  '1.37': 2,
}

export function identityOf(name: Release): ReleaseIdentity {
  const [major = '', minor = ''] = name.split('.')
  return { name, major, minor, git: `v${name}.${LAST_PATCH[name]}` }
}

/** @param text `1.21`, `v1.21` or `v1.21.14` */
export function parseRelease(text: string): Release | undefined {
  const [, release] = /^v?(1\.\d+)(?:\.\d+)?$/.exec(text) ?? []
  return ALL_RELEASES.find((known) => known === release)
}

/** Minor releases from `b` to `a`, negative if `a` is older. */
export function compareReleases(a: string, b: string): number {
  return minorOf(a) - minorOf(b)
}

export function hasCome(since: string, release: string): boolean {
  return compareReleases(since, release) <= 0
}

/** @param count negative: earlier */
export function releaseAfter(release: string, count: number): string {
  return `1.${minorOf(release) + count}`
}
