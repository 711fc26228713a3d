/** Dates from kubernetes.io, "Releases". */
import { minorOf } from '../release-tables/minor'
import { compareReleases, releaseAfter } from './release'

/** `1.0` first. */
const DAYS = [
  '2015-07-10 2015-11-09 2016-03-16 2016-07-01 2016-09-26 2016-12-12 2017-03-28 2017-06-30 2017-09-28 2017-12-15',
  '2018-03-26 2018-06-27 2018-09-27 2018-12-03 2019-03-25 2019-06-19 2019-09-18 2019-12-09 2020-03-25 2020-08-26',
  '2020-12-08 2021-04-08 2021-08-04 2021-12-07 2022-05-03 2022-08-23 2022-12-09 2023-04-11 2023-08-15 2023-12-13',
  '2024-04-17 2024-08-13 2024-12-11 2025-04-23 2025-08-27',
]
  .join(' ')
  .split(' ')

/** Three releases a year since 2021. */
const MONTHS_BETWEEN_RELEASES = 4
const NEWEST = DAYS.length - 1

export interface ReleaseDay {
  day: string
  /** Not in this table yet: assumes three releases a year. */
  expected: boolean
}

export function dayOf(release: string): ReleaseDay {
  const minor = minorOf(release)
  const known = DAYS[minor]
  if (known !== undefined) return { day: known, expected: false }
  return {
    day: monthsLater(DAYS[NEWEST] as string, (minor - NEWEST) * MONTHS_BETWEEN_RELEASES),
    expected: true,
  }
}

/** At most the last of the month. */
export function monthsLater(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const index = year * 12 + (month - 1) + months
  const lastOfMonth = new Date(Date.UTC(Math.floor(index / 12), (index % 12) + 1, 0)).getUTCDate()
  return new Date(Date.UTC(Math.floor(index / 12), index % 12, Math.min(date, lastOfMonth)))
    .toISOString()
    .slice(0, 10)
}

/** Whichever is longer. */
export interface Span {
  months: number
  releases: number
}

/** Nine months and three releases after 1.22 (4 August 2021) is 1.25 (23 August 2022). */
export function firstReleaseAfter(release: string, { months, releases }: Span): string {
  const notBefore = monthsLater(dayOf(release).day, months)
  let found = releaseAfter(release, Math.max(1, releases))
  while (dayOf(found).day < notBefore) found = releaseAfter(found, 1)
  return found
}

export function laterOf(one: string, other: string): string {
  return compareReleases(one, other) < 0 ? other : one
}
