import { create } from 'zustand'
import type { Release } from '../../../engine/releases/release'

export interface Draft {
  method: string
  path: string
  body: string
  contentType: string
  /** User of the logged request; undefined: the selected user. */
  who: string | undefined
}

interface ComparisonState {
  draft: Draft
  left: Release | undefined
  right: Release | undefined
  set(change: Partial<Pick<ComparisonState, 'draft' | 'left' | 'right'>>): void
}

export const useComparison = create<ComparisonState>((set) => ({
  draft: {
    method: 'GET',
    path: '/apis/networking.k8s.io/v1',
    body: '',
    contentType: 'application/json',
    who: undefined,
  },
  left: undefined,
  right: undefined,
  set,
}))
