/** The log of everything that this page asked the server, newest last. */
import { create } from 'zustand'

export interface LoggedRequest {
  id: number
  at: number
  method: string
  /** Path and query. */
  path: string
  who: string
  /** What made it: a person's action, a script, or the page keeping itself up to date. */
  origin: 'action' | 'script' | 'page'
  headers: Record<string, string>
  body?: string
  status?: number
  responseHeaders?: Record<string, string>
  response?: string
  milliseconds?: number
  /** The stream is still open. */
  open?: boolean
  failure?: string
}

interface RequestState {
  log: LoggedRequest[]
  selected: number | undefined
  add(request: Omit<LoggedRequest, 'id'>): number
  update(id: number, change: Partial<LoggedRequest>): void
  select(id: number | undefined): void
  clear(): void
}

const KEPT = 1000
let lastId = 0

export const useRequests = create<RequestState>((set) => ({
  log: [],
  selected: undefined,
  add(request) {
    const id = ++lastId
    set(({ log }) => ({ log: [...log.slice(-KEPT + 1), { ...request, id }] }))
    return id
  },
  update(id, change) {
    set(({ log }) => ({ log: log.map((entry) => (entry.id === id ? { ...entry, ...change } : entry)) }))
  },
  select: (selected) => set({ selected }),
  clear: () => set({ log: [], selected: undefined }),
}))
