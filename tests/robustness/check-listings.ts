/** What a list must be: the whole state at the revision that it names, on every page; not older than what was requested. */
import type { Finding, Listing } from './history'
import { sameState, stateText, type Timeline } from './timeline'

export function checkListing(listing: Listing, timeline: Timeline): Finding | undefined {
  const { pages, scope, requested, called, returned, whole } = listing
  const revision = pages[0]?.revision ?? 0
  const torn = pages.find((page) => page.revision !== revision)
  if (torn) return finding(listing, `has pages of revisions ${revision} and ${torn.revision}`)
  if (requested?.match === 'exact' && revision !== requested.revision)
    return finding(listing, `was to show revision ${requested.revision}, but shows ${revision}`)
  if (requested?.match === 'notOlder' && revision < requested.revision)
    return finding(
      listing,
      `was to be at least of revision ${requested.revision}, but is of ${revision}`,
    )
  const before = timeline.durableAt(called)
  if (requested === undefined && revision < before)
    return finding(
      listing,
      `shows revision ${revision}, but ${before} was there before it was requested`,
    )
  if (revision > timeline.durableAt(returned) && timeline.change(revision))
    return finding(listing, `shows revision ${revision} before it was durable`)
  const items = pages.flatMap((page) => page.items)
  const expected = timeline.list(scope, revision)
  for (const [i, { key, state }] of items.entries()) {
    const due = expected[i]
    if (due === undefined || due.key !== key || !sameState(due.state, state)) {
      const keys = due ? [key, due.key] : [key]
      return finding(
        listing,
        `of revision ${revision} has ${key} ${stateText(state)} where ${due ? `${due.key} ${stateText(due.state)}` : 'nothing'} was due`,
        ...keys,
      )
    }
  }
  const missing = expected[items.length]
  if (whole && missing)
    return finding(
      listing,
      `of revision ${revision} ends before ${missing.key} ${stateText(missing.state)}`,
      missing.key,
    )
  return undefined
}

function finding(
  { client, server, called, requested }: Listing,
  message: string,
  ...keys: string[]
): Finding {
  const what = requested ? ` (${requested.match} ${requested.revision})` : ''
  return {
    rule: 'lists are snapshots',
    message: `a list of ${client} on ${server}${what} ${message}`,
    keys,
    at: called,
  }
}
