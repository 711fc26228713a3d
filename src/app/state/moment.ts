import { create } from 'zustand'
import * as texts from './texts'

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

/** The error of writes at an earlier revision; undefined: now. */
export function pastProblem(): string | undefined {
  const { revision } = useMoment.getState()
  return revision === undefined ? undefined : texts.readOnly(revision)
}

/** The query of a list at a revision, with `?`; empty for now. */
export const queryAt = (revision: number | undefined): string =>
  revision === undefined ? '' : `?resourceVersion=${revision}&resourceVersionMatch=Exact`

/** A list of one object, because a get returns its current state only. */
export const queryOfOne = (revision: number, name: string): string =>
  `${queryAt(revision)}&fieldSelector=metadata.name%3D${encodeURIComponent(name)}`
