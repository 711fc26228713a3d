import { create } from 'zustand'
import { IN_LESSON } from './lesson-workspace'
import { clearPanelSizes, load, store } from './stored'
import { type Pane, useView } from './view'

/** Two columns need more width; a lesson uses some of it. */
export const ONE_PANE = `(max-width: ${IN_LESSON ? 1099 : 767}px)`

/** Three columns, or two in medium windows. */
export type Sharing = 'wide' | 'medium'

export interface Arrangement {
  hidden: readonly Pane[]
  objectFirst: boolean
}

interface LayoutState {
  sharing: Sharing
  arrangements: Record<Sharing, Arrangement>
  enlarged: Pane | undefined
  /** A new number resets the sizes. */
  epoch: number
  share(sharing: Sharing): void
  toggle(panel: Pane): void
  enlarge(panel: Pane): void
  swap(): void
  reset(): void
}

const FIRST: Arrangement = { hidden: [], objectFirst: false }
const KEY = 'layout'

export const useLayout = create<LayoutState>((set, get) => {
  const arrange = (change: (before: Arrangement) => Partial<Arrangement>) => {
    const { sharing, arrangements } = get()
    const before = arrangements[sharing]
    const next = { ...arrangements, [sharing]: { ...before, ...change(before) } }
    set({ arrangements: next })
    store(KEY, next)
  }
  return {
    sharing: 'wide',
    arrangements: {
      wide: FIRST,
      medium: FIRST,
      ...load<Partial<Record<Sharing, Arrangement>>>(KEY, {}),
    },
    enlarged: undefined,
    epoch: 0,
    share: (sharing) => set({ sharing, enlarged: undefined }),
    toggle(panel) {
      const hides = !get().arrangements[get().sharing].hidden.includes(panel)
      arrange(({ hidden }) => ({
        hidden: hides ? [...hidden, panel] : hidden.filter((other) => other !== panel),
      }))
      set({ enlarged: undefined })
      // Resets the pane, so that a later request for this panel is a change.
      if (hides && useView.getState().pane === panel) useView.setState({ pane: 'editor' })
    },
    enlarge(panel) {
      const enlarged = get().enlarged === panel ? undefined : panel
      useView.setState({ pane: panel })
      set({ enlarged })
    },
    swap: () => arrange(({ objectFirst }) => ({ objectFirst: !objectFirst })),
    reset() {
      clearPanelSizes()
      store(KEY, {})
      set({
        arrangements: { wide: FIRST, medium: FIRST },
        enlarged: undefined,
        epoch: get().epoch + 1,
      })
    },
  }
})

// Requesting a panel shows it.
useView.subscribe(({ pane }, before) => {
  if (pane === before.pane) return
  const { enlarged, sharing, arrangements, toggle } = useLayout.getState()
  if (arrangements[sharing].hidden.includes(pane)) toggle(pane)
  if (enlarged !== undefined && enlarged !== pane) useLayout.setState({ enlarged: undefined })
})
