import type { Lesson } from './lesson'

/**
 * The release of the lesson's cluster: the given one if the lesson holds for it, else the newest
 * one for which it holds.
 */
export function releaseFor({ releases }: Lesson, release: string): string {
  if (releases === undefined || releases.includes(release)) return release
  return releases.at(-1) ?? release
}

/** For the learner; undefined for a lesson that holds for all releases. */
export function releasesText({ releases }: Lesson): string | undefined {
  if (releases === undefined) return undefined
  const [first, last] = [releases[0], releases.at(-1)]
  return first === last ? `Kubernetes ${first}` : `Kubernetes ${first} to ${last}`
}
