/** The release that a lesson's cluster runs. */
import type { Lesson } from './lesson'

/** @returns the given release if the lesson holds for it, else the newest one for which it holds */
export function releaseFor({ releases }: Lesson, release: string): string {
  if (releases === undefined || releases.includes(release)) return release
  return releases.at(-1) ?? release
}

/** The releases as text for a learner; undefined for a lesson that holds for all. */
export function releasesText({ releases }: Lesson): string | undefined {
  if (releases === undefined) return undefined
  const [first, last] = [releases[0], releases.at(-1)]
  return first === last ? `Kubernetes ${first}` : `Kubernetes ${first} to ${last}`
}
