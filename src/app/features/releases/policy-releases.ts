import { ALL_RELEASES, compareReleases, releaseAfter } from '../../../engine/releases'
import type { PolicyElement, Verdict } from '../../../engine/releases/deprecation-policy'

/** Future releases, enough to deprecate something now. */
const NEXT = 8

/** Oldest first, from 1.0. */
export const POLICY_RELEASES: readonly string[] = [
  ...Array.from({ length: 15 }, (_, minor) => `1.${minor}`),
  ...ALL_RELEASES,
  ...Array.from({ length: NEXT }, (_, i) => releaseAfter(ALL_RELEASES.at(-1) ?? '', i + 1)),
]

/** From before the introduction until after the last event. */
export function chartedReleases(
  { introduced }: Pick<PolicyElement, 'introduced'>,
  { events }: Pick<Verdict, 'events'>,
): string[] {
  const last = events.reduce(
    (latest, { release }) => (compareReleases(latest, release) < 0 ? release : latest),
    introduced,
  )
  return POLICY_RELEASES.filter(
    (release) =>
      compareReleases(releaseAfter(introduced, -1), release) <= 0 &&
      compareReleases(release, releaseAfter(last, 1)) <= 0,
  )
}
