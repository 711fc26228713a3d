import { create } from 'zustand'
import { useActors } from '../../state/actors'
import type { LoggedRequest } from '../../state/logged-request'
import { type CarriedOut, carryOut, undo } from './carry-out'
import { type Repair, type Review, reviewOf } from './review'
import { REPAIRS } from './texts'

export interface Applied {
  repair: Repair
  busy: 'applying' | 'undoing' | undefined
  /** Absent while it is applied for the first time. */
  carriedOut?: CarriedOut
  /** Names of what could not be undone; absent: not undone. */
  kept?: string[]
}

interface RepairState {
  /** By the id of the rejected request. */
  reviews: ReadonlyMap<number, Review | { failure: string } | 'pending'>
  applied: ReadonlyMap<number, Applied>
  find(entry: LoggedRequest): Promise<void>
  /** @returns undefined if the actor is unknown by now */
  apply(entry: LoggedRequest, repair: Repair): Promise<CarriedOut | undefined>
  /** Also searches again, because the cluster has changed. */
  undo(entry: LoggedRequest): Promise<void>
}

/** Older reviews describe another state of the cluster. */
const MOST_REVIEWS = 50

export const useRepairs = create<RepairState>((set, get) => {
  const setReview = (id: number, review: Review | { failure: string } | 'pending') =>
    set(({ reviews }) => ({
      reviews: new Map([...reviews, [id, review] as const].slice(-MOST_REVIEWS)),
    }))
  const setApplied = (id: number, one: Applied) =>
    set(({ applied }) => ({
      applied: new Map([...applied, [id, one] as const].slice(-MOST_REVIEWS)),
    }))
  return {
    reviews: new Map(),
    applied: new Map(),
    async find(entry) {
      if (get().reviews.has(entry.id)) return
      setReview(entry.id, 'pending')
      try {
        setReview(entry.id, await reviewOf(entry))
      } catch (error) {
        setReview(entry.id, { failure: error instanceof Error ? error.message : String(error) })
      }
    },
    async apply(entry, repair) {
      const actor = useActors.getState().actors.find(({ name }) => name === entry.who)
      if (actor === undefined || get().applied.get(entry.id)?.busy !== undefined) return undefined
      setApplied(entry.id, { repair, busy: 'applying' })
      const carriedOut = await carryOut(repair, actor)
      setApplied(entry.id, { repair, busy: undefined, carriedOut })
      return carriedOut
    },
    async undo(entry) {
      const { id } = entry
      const one = get().applied.get(id)
      if (one?.carriedOut === undefined || one.busy !== undefined) return
      setApplied(id, { ...one, busy: 'undoing' })
      const kept = await undo(one.carriedOut.written)
      if (one.carriedOut.deleted) kept.push(REPAIRS.deletion)
      set(({ reviews }) => ({ reviews: new Map([...reviews].filter(([other]) => other !== id)) }))
      setApplied(id, { ...one, busy: undefined, kept })
      await get().find(entry)
    },
  }
})
