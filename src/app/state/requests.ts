import { create } from 'zustand'
import { bodyWithoutCredentials, headersWithoutCredentials } from './log-credentials'
import type { LoggedRequest } from './logged-request'
import { RequestLog } from './request-log'
import { throttle } from './throttle'

interface RequestState {
  /** Throttled; `requestLog` has the newest requests. */
  log: readonly LoggedRequest[]
  dropped: number
  responses: number
  selected: number | undefined
  add(request: Omit<LoggedRequest, 'id'>): number
  update(id: number, change: Partial<LoggedRequest>): void
  select(id: number | undefined): void
  clear(): void
}

const PACE = { leadingMs: 16, intervalMs: 120 }
const kept = new RequestLog()
let lastId = 0

const { schedule, flush } = throttle(() => {
  const { entries: log, dropped, responses } = kept
  useRequests.setState({ log, dropped, responses })
}, PACE)

export const useRequests = create<RequestState>((set) => ({
  log: [],
  dropped: 0,
  responses: 0,
  selected: undefined,
  add(request) {
    const id = ++lastId
    kept.add({ ...withoutCredentials(request.path, request), id })
    schedule()
    return id
  },
  update(id, change) {
    const entry = kept.get(id)
    if (entry === undefined) return
    kept.change(id, withoutCredentials(entry.path, change))
    schedule()
    const { status = 0 } = { ...entry, ...change }
    if (change.open === false && entry.method !== 'GET' && status < 300)
      for (const listener of writeListeners) listener(entry.path)
  },
  select(selected) {
    flush()
    set({ selected })
  },
  clear() {
    kept.clear()
    schedule()
    flush()
    set({ selected: undefined })
  },
}))

/** The log without throttling. */
export function requestLog(): readonly LoggedRequest[] {
  flush()
  return kept.entries
}

/** Longer responses are truncated to limit memory. */
const KEPT_CHARACTERS = 200_000

function shortened(text: string): string {
  if (text.length <= KEPT_CHARACTERS) return text
  return `${text.slice(0, KEPT_CHARACTERS)}\n… ${text.length - KEPT_CHARACTERS} more characters are not stored`
}

/** Applied to every entry, whichever code logs it. */
function withoutCredentials<Part extends Partial<LoggedRequest>>(path: string, part: Part): Part {
  const { headers, body, response } = part
  return {
    ...part,
    ...(headers === undefined ? {} : { headers: headersWithoutCredentials(headers) }),
    ...(body === undefined ? {} : { body: bodyWithoutCredentials(path, body) }),
    ...(response === undefined
      ? {}
      : { response: shortened(bodyWithoutCredentials(path, response)) }),
  }
}

const writeListeners = new Set<(path: string) => void>()

/** Calls back with the path of every accepted write. */
export function onWrite(listener: (path: string) => void): void {
  writeListeners.add(listener)
}
