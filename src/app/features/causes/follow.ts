/** Follows the consequences of the last write until controllers stop reacting. */
import { create } from 'zustand'
import type { Consequences } from '../../../hosts/shared/channel'
import { useConnection } from '../../state/connection'
import { useRequests } from '../../state/requests'
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

export function followLastWrite(): () => void {
  let stopped = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let quietSince = 0

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

  function look(): void {
    const { log } = useRequests.getState()
    if (lastRequestOf(log)?.id === useCauses.getState().write?.request.id) return
    const write = lastWriteOf(log)
    clearTimeout(timer)
    quietSince = Date.now()
    useCauses.setState({ write, found: undefined, following: write?.roots !== undefined })
    if (write?.roots !== undefined) timer = setTimeout(() => void read(), FIRST_MILLISECONDS)
  }

  look()
  const unsubscribe = useRequests.subscribe(look)
  return () => {
    stopped = true
    clearTimeout(timer)
    unsubscribe()
  }
}
