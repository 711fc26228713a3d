/** Follows the consequences of the last write until controllers stop reacting. */
import { create } from 'zustand'
import type { Consequences } from '../../../hosts/shared/channel'
import { useCluster } from '../../state/cluster'
import { useConnection } from '../../state/connection'
import { useRequests } from '../../state/requests'
import { throttle } from '../../state/throttle'
import { outsideWrite, outsideWrites } from './outside'
import { type LastWrite, lastRequestOf, lastWriteOf } from './roots'

interface CausesState {
  write: LastWrite | undefined
  found: Consequences | undefined
  following: boolean
}

export const useCauses = create<CausesState>(() => ({
  write: undefined,
  found: undefined,
  following: false,
}))

const FIRST_MILLISECONDS = 120
const NEXT_MILLISECONDS = 500
/** The chain is settled after this time without a step. */
const QUIET_MILLISECONDS = 12_000
/** Writes of another client within this time are one run. */
const RUN_MILLISECONDS = 1500
const OWN_PACE = { leadingMs: 0, intervalMs: 500 }
/** Late enough for the log to have this page's own responses. */
const OUTSIDE_PACE = { leadingMs: 400, intervalMs: 500 }

export function followLastWrite(): () => void {
  let stopped = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let quietSince = 0
  let own: number | undefined
  let outsideAt = 0
  let place: string | undefined

  async function read(): Promise<void> {
    const { write } = useCauses.getState()
    const channel = useConnection.getState().connection?.channel
    if (stopped || write?.roots === undefined || channel === undefined) return
    const known = useCauses.getState().found?.newest
    const found = await channel
      .request('consequences', { ...write.roots, known })
      .catch(() => undefined)
    const now = useCauses.getState()
    if (stopped || now.write !== write) return
    const grown = (found?.steps.length ?? 0) > (now.found?.steps.length ?? 0)
    if (grown) quietSince = Date.now()
    const following = Date.now() - quietSince < QUIET_MILLISECONDS
    useCauses.setState(found === undefined ? { following } : { found, following })
    if (following) timer = setTimeout(() => void read(), NEXT_MILLISECONDS)
  }

  function show(write: LastWrite | undefined): void {
    clearTimeout(timer)
    quietSince = Date.now()
    useCauses.setState({ write, found: undefined, following: write?.roots !== undefined })
    if (write?.roots !== undefined) timer = setTimeout(() => void read(), FIRST_MILLISECONDS)
  }

  function look(): void {
    if (stopped) return
    const { log } = useRequests.getState()
    const last = lastRequestOf(log)?.id
    if (last === own) return
    own = last
    outsideAt = 0
    show(lastWriteOf(log))
  }

  async function lookOutside(): Promise<void> {
    const channel = useConnection.getState().connection?.channel
    const first = place === undefined
    const recent = await channel?.request('writes', { after: place }).catch(() => undefined)
    if (stopped || recent === undefined) return
    place = recent.place
    // Earlier writes were not made while the strip was shown.
    if (first || !recent.continues) return
    const writes = outsideWrites(recent.items, useRequests.getState().log)
    if (writes.length === 0) return
    const sameRun = Date.now() - outsideAt < RUN_MILLISECONDS
    outsideAt = Date.now()
    show(outsideWrite(writes, sameRun ? useCauses.getState().write : undefined))
  }

  look()
  // A long run writes hundreds of times a second.
  const looking = throttle(look, OWN_PACE)
  const outside = throttle(() => void lookOutside(), OUTSIDE_PACE)
  outside.schedule()
  const unsubscribes = [
    useRequests.subscribe(looking.schedule),
    useCluster.subscribe(
      ({ revision }, before) => revision !== before.revision && outside.schedule(),
    ),
  ]
  return () => {
    stopped = true
    clearTimeout(timer)
    for (const unsubscribe of unsubscribes) unsubscribe()
  }
}
