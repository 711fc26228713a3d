import { create } from 'zustand'

export const useUpdate = create<{ newer: boolean }>(() => ({ newer: false }))
