import type { Lesson } from './lesson'

/** The given release if the lesson holds for it, else the newest one. */
export function releaseFor({ releases }: Lesson, release: string): string {
  if (releases === undefined || releases.includes(release)) return release
  return releases.at(-1) ?? release
}

/** undefined for a lesson of all releases. */
export function releasesText({ releases }: Lesson): string | undefined {
  if (releases === undefined) return undefined
  const [first, last] = [releases[0], releases.at(-1)]
  return first === last ? `Kubernetes ${first}` : `Kubernetes ${first} to ${last}`
}
