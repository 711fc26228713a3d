/** The moment that the page shows: now, or a revision of the cluster that has passed, which can be looked at and not changed. */
import { create } from 'zustand'

interface MomentState {
  /** undefined: now. */
  revision: number | undefined
  show(revision: number | undefined): void
}

export const useMoment = create<MomentState>((set) => ({
  revision: undefined,
  show: (revision) => set({ revision }),
}))

/** Why nothing can be changed at the moment that the page shows; undefined: it can. */
export function pastProblem(): string | undefined {
  const { revision } = useMoment.getState()
  return revision === undefined ? undefined : `the page shows revision ${revision}, which cannot be changed any more: go back to now first`
}

/** The query of a list that shows a revision, beginning with `?`; empty for now. */
export const queryAt = (revision: number | undefined): string =>
  revision === undefined ? '' : `?resourceVersion=${revision}&resourceVersionMatch=Exact`
