/** The revision that the page shows; a past one is read-only. */
import { create } from 'zustand'

interface MomentState {
  /** undefined: now. */
  revision: number | undefined
  /** Milliseconds since the epoch; undefined for now, or unknown. */
  at: number | undefined
  show(revision: number | undefined, at?: number): void
}

export const useMoment = create<MomentState>((set) => ({
  revision: undefined,
  at: undefined,
  show: (revision, at) => set({ revision, at: revision === undefined ? undefined : at }),
}))

/** Why nothing can be changed; undefined for the current state. */
export function pastProblem(): string | undefined {
  const { revision } = useMoment.getState()
  return revision === undefined
    ? undefined
    : `You are viewing revision ${revision}. Return to now to make changes.`
}

/** The query of a list at a revision, with `?`; empty for now. */
export const queryAt = (revision: number | undefined): string =>
  revision === undefined ? '' : `?resourceVersion=${revision}&resourceVersionMatch=Exact`

/** Lists one object at a revision: a GET serves only the current object. */
export const queryOfOne = (revision: number, name: string): string =>
  `${queryAt(revision)}&fieldSelector=metadata.name%3D${encodeURIComponent(name)}`
