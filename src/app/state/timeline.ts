import { create } from 'zustand'
import type { Change } from '../../hosts/shared/channel'
import { useConnection } from './connection'
import { useMoment } from './moment'

interface TimelineState {
  /** Oldest first. */
  changes: readonly Change[]
  /** Earlier revisions are compacted. */
  oldest: number
  read(): Promise<void>
}

/** Initial objects are created within this time. */
const BEGINNING_MILLISECONDS = 2000

/** Drops all but the last change of the initial objects. */
function withoutBeginning(changes: readonly Change[]): Change[] {
  const begun = changes[0]?.at
  if (begun === undefined || changes[0]?.type !== 'ADDED') return [...changes]
  const later = changes.findIndex(
    ({ type, at }) => type !== 'ADDED' || at === undefined || at > begun + BEGINNING_MILLISECONDS,
  )
  return changes.slice(Math.max(0, (later < 0 ? changes.length : later) - 1))
}

let reading = false
/** Changes arrived during the read, so it is repeated. */
let unread = false

export const useTimeline = create<TimelineState>((set, get) => ({
  changes: [],
  oldest: 0,
  async read() {
    const channel = useConnection.getState().connection?.channel
    if (channel === undefined) return
    unread = reading
    if (reading) return
    reading = true
    try {
      const before = get()
      const after = before.changes.at(-1)?.revision ?? 0
      const { oldest, newest, changes } = await channel.request('timeline', { after })
      // The cluster was replaced: start over.
      if (newest < after) return set({ changes: [], oldest })
      // Initial objects need no steps of their own.
      const behind = after === 0 ? withoutBeginning(changes) : changes
      const known =
        oldest > before.oldest
          ? before.changes.filter(({ revision }) => revision > oldest)
          : before.changes
      if (behind.length > 0 || oldest !== before.oldest)
        set({ oldest, changes: [...known, ...behind] })
      const { revision, show } = useMoment.getState()
      if (revision !== undefined && revision < oldest)
        show(oldest, get().changes.find((change) => change.revision >= oldest)?.at)
    } finally {
      reading = false
      if (unread) void get().read()
    }
  },
}))
