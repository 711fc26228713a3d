export interface Held {
  /** Oldest first; absent for all since 1.31. */
  releases?: readonly string[]
}

/** The given release if the lesson or incident holds for it, else the newest one. */
export function releaseFor({ releases }: Held, release: string): string {
  if (releases === undefined || releases.includes(release)) return release
  return releases.at(-1) ?? release
}

/** undefined for one of all releases. */
export function releasesText({ releases }: Held): string | undefined {
  if (releases === undefined) return undefined
  const [first, last] = [releases[0], releases.at(-1)]
  return first === last ? `Kubernetes ${first}` : `Kubernetes ${first} to ${last}`
}
