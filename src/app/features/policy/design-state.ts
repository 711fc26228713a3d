import { create } from 'zustand'
import { load, store } from '../../state/stored'
import backup from './samples/backup.yaml?raw'
import definition from './samples/definition.yaml?raw'

export interface DesignInput {
  definition: string
  sample: string
  version: string
}

export const FIRST_DESIGN: DesignInput = {
  definition,
  sample: backup,
  version: 'v1',
}

interface DesignState {
  input: DesignInput
  change(change: Partial<DesignInput>): void
}

const KEY = 'design'

export const useDesign = create<DesignState>((set, get) => ({
  input: { ...FIRST_DESIGN, ...load<Partial<DesignInput>>(KEY, {}) },
  change(change) {
    const input = { ...get().input, ...change }
    set({ input })
    store(KEY, input)
  },
}))
