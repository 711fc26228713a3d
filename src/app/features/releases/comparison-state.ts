import { create } from 'zustand'
import type { Release } from '../../../engine/releases/release'
import { WORKSPACE } from '../../state/workspace'

export interface Draft {
  method: string
  path: string
  body: string
  contentType: string
  /** User of the logged request; undefined: the selected user. */
  who: string | undefined
}

export interface Side {
  workspace: string
  /** undefined: the release of the workspace. */
  release: Release | undefined
  /** undefined: the user of the request. */
  user: string | undefined
  /** `Name=true,Other=false`, as in `--feature-gates`. */
  gates: string
}

export type SideName = 'left' | 'right'

const SIDE: Side = { workspace: WORKSPACE, release: undefined, user: undefined, gates: '' }

interface ComparisonState {
  draft: Draft
  left: Side
  right: Side
  /** No side has been chosen yet. */
  initial: boolean
  set(change: Partial<Pick<ComparisonState, 'draft'>>): void
  setSide(name: SideName, change: Partial<Side>): void
}

export const useComparison = create<ComparisonState>((set) => ({
  draft: {
    method: 'GET',
    path: '/apis/networking.k8s.io/v1',
    body: '',
    contentType: 'application/json',
    who: undefined,
  },
  left: SIDE,
  right: SIDE,
  initial: true,
  set,
  setSide: (name, change) =>
    set((state) => ({ initial: false, [name]: { ...state[name], ...change } })),
}))
