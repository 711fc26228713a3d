/** Whether a newer version of the page is available. */
import { create } from 'zustand'

export const useUpdate = create<{ newer: boolean }>(() => ({ newer: false }))
