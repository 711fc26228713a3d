/** The moment that the page shows: now, or a revision of the cluster that has passed, which can be looked at and not changed. */
import { create } from 'zustand'

interface MomentState {
  /** undefined: now. */
  revision: number | undefined
  /** Milliseconds since the epoch; undefined: now, or unknown. */
  at: number | undefined
  show(revision: number | undefined, at?: number): void
}

export const useMoment = create<MomentState>((set) => ({
  revision: undefined,
  at: undefined,
  show: (revision, at) => set({ revision, at: revision === undefined ? undefined : at }),
}))

/** Why nothing can be changed at the moment that the page shows; undefined: it can. */
export function pastProblem(): string | undefined {
  const { revision } = useMoment.getState()
  return revision === undefined
    ? undefined
    : `You are viewing revision ${revision}. Return to now to make changes.`
}

/** The query of a list that shows a revision, beginning with `?`; empty for now. */
export const queryAt = (revision: number | undefined): string =>
  revision === undefined ? '' : `?resourceVersion=${revision}&resourceVersionMatch=Exact`

/** The query of a list that holds one object as it was at a revision: a single object is served only as it is now. */
export const queryOfOne = (revision: number, name: string): string =>
  `${queryAt(revision)}&fieldSelector=metadata.name%3D${encodeURIComponent(name)}`
