import { create } from 'zustand'
import { load, store } from '../../state/stored'

interface TreeState {
  /** Rows that the user opened or closed contrary to their default. */
  toggled: ReadonlySet<string>
  /** Includes kinds without objects. */
  all: boolean
  filter: string
  toggle(...ids: string[]): void
  showAll(all: boolean): void
  setFilter(filter: string): void
}

const saved = load<{ toggled: string[]; all: boolean }>('tree', { toggled: [], all: false })

export const useTree = create<TreeState>((set, get) => {
  const keep = () => store('tree', { toggled: [...get().toggled], all: get().all })
  return {
    toggled: new Set(saved.toggled),
    all: saved.all,
    filter: '',
    toggle(...ids) {
      const toggled = new Set(get().toggled)
      for (const id of ids) if (!toggled.delete(id)) toggled.add(id)
      set({ toggled })
      keep()
    },
    showAll(all) {
      set({ all })
      keep()
    },
    setFilter: (filter) => set({ filter }),
  }
})
