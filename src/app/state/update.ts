/** Whether a newer version of the page is there to be taken. */
import { create } from 'zustand'

export const useUpdate = create<{ newer: boolean }>(() => ({ newer: false }))
