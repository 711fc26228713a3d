/** The log of everything that this page and its scripts asked the server, newest last. */
import { create } from 'zustand'
import { bodyWithoutCredentials, headersWithoutCredentials } from './log-credentials'

/** What made a request: a person's action, a script, or the page keeping itself up to date. */
export type Origin = 'action' | 'script' | 'page'

export interface LoggedRequest {
  id: number
  at: number
  method: string
  /** Path and query. */
  path: string
  who: string
  origin: Origin
  /** As they are shown: credentials are never kept. */
  headers: Record<string, string>
  body?: string
  status?: number
  responseHeaders?: Record<string, string>
  response?: string
  milliseconds?: number
  /** The stream is still open. */
  open?: boolean
  /** Lines of a stream so far. */
  lines?: number
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

/** A person's requests are kept longer than the page's own. */
const KEPT = { action: 1000, script: 1000, page: 300 }
let lastId = 0

export const useRequests = create<RequestState>((set, get) => ({
  log: [],
  selected: undefined,
  add(request) {
    const id = ++lastId
    set(({ log }) => ({ log: [...trimmed(log, request.origin), { ...withoutCredentials(request.path, request), id }] }))
    return id
  },
  update(id, change) {
    const entry = get().log.find((other) => other.id === id)
    if (entry === undefined) return
    const shown = withoutCredentials(entry.path, change)
    set(({ log }) => ({ log: log.map((other) => (other.id === id ? { ...other, ...shown } : other)) }))
    const { status = 0 } = { ...entry, ...change }
    if (change.open === false && entry.method !== 'GET' && status < 300) for (const listener of writeListeners) listener(entry.path)
  },
  select: (selected) => set({ selected }),
  clear: () => set({ log: [], selected: undefined }),
}))

/** An answer of megabytes is kept by its beginning: the log is for reading, and is not to fill the memory. */
const KEPT_CHARACTERS = 200_000

function shortened(text: string): string {
  if (text.length <= KEPT_CHARACTERS) return text
  return `${text.slice(0, KEPT_CHARACTERS)}\n… ${text.length - KEPT_CHARACTERS} more characters are not kept here`
}

/** Whoever logs: nothing that lets somebody in gets into the log. */
function withoutCredentials<Part extends Partial<LoggedRequest>>(path: string, part: Part): Part {
  const { headers, body, response } = part
  return {
    ...part,
    ...(headers === undefined ? {} : { headers: headersWithoutCredentials(headers) }),
    ...(body === undefined ? {} : { body: bodyWithoutCredentials(path, body) }),
    ...(response === undefined ? {} : { response: shortened(bodyWithoutCredentials(path, response)) }),
  }
}

function trimmed(log: LoggedRequest[], origin: Origin): LoggedRequest[] {
  const same = log.filter((entry) => entry.origin === origin)
  const oldest = same[same.length - KEPT[origin]]
  return oldest === undefined ? log : log.filter((entry) => entry !== oldest)
}

const writeListeners = new Set<(path: string) => void>()

/** Calls back with the path of every write that the server accepted. */
export function onWrite(listener: (path: string) => void): void {
  writeListeners.add(listener)
}
