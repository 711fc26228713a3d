/** Releases that the server can answer as: document 1, "Removed API versions by release". */

export const RELEASES = [
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

export type Release = (typeof RELEASES)[number]

export const DEFAULT_RELEASE: Release = '1.31'

/** @param text `1.21`, `v1.21` or `v1.21.14` @returns undefined for what is none of RELEASES */
export function parseRelease(text: string): Release | undefined {
  const [, release] = /^v?(1\.\d+)(?:\.\d+)?$/.exec(text) ?? []
  return RELEASES.find((known) => known === release)
}

/** Negative: `a` is the older one. Releases of any age, `1.8` too. */
export function compareReleases(a: string, b: string): number {
  const [left = 0, right = 0] = [a, b].map((release) => {
    const [major = 0, minor = 0] = release.split('.').map(Number)
    return major * 1000 + minor
  })
  return left - right
}

/** Whether the element that came with `since` is there in the release. */
export function hasCome(since: string, release: string): boolean {
  return compareReleases(since, release) <= 0
}

/** So many releases later, or earlier. */
export function releaseAfter(release: string, count: number): string {
  const [major = 0, minor = 0] = release.split('.').map(Number)
  return `${major}.${minor + count}`
}
