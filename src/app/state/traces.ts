/** Polled while a view needs them. */
import { useEffect } from 'react'
import { create } from 'zustand'
import type { AuditEvent, RequestTrace } from '../../hosts/shared/channel'
import { useConnection } from './connection'
import { useRequests } from './requests'
import { throttle } from './throttle'

interface TraceState {
  /** By the `audit-id` of the response. */
  traces: ReadonlyMap<string, RequestTrace>
  refresh(): Promise<void>
}

/** More than the engine stores. */
const KEPT_TRACES = 1000

/** Continuation point of the next fetch. */
let tracesKnown: string | undefined

const useTraces = create<TraceState>((set, get) => ({
  traces: new Map(),
  async refresh() {
    const { connection } = useConnection.getState()
    const page = await connection?.channel
      .request('traces', { after: tracesKnown })
      .catch(() => undefined)
    if (page === undefined) return
    tracesKnown = page.place
    if (page.items.length === 0) return
    const all = new Map([...get().traces, ...page.items.map((trace) => [trace.id, trace] as const)])
    set({ traces: new Map([...all].slice(-KEPT_TRACES)) })
  },
}))

/** Requests come in bursts: their traces are fetched in batches. */
const PACE = { leadingMs: 150, intervalMs: 500 }
const { schedule: refreshSoon } = throttle(() => void useTraces.getState().refresh(), PACE)

export function useFreshTraces(): ReadonlyMap<string, RequestTrace> {
  const policy = useRequests((state) => state.responses)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again when the traces change
  useEffect(refreshSoon, [policy])
  return useTraces((state) => state.traces)
}

/** @returns undefined if the engine no longer has it */
export async function traceOf(auditId: string): Promise<RequestTrace | undefined> {
  if (!useTraces.getState().traces.has(auditId)) await useTraces.getState().refresh()
  return useTraces.getState().traces.get(auditId)
}

/** As many as the engine stores. */
export const KEPT_EVENTS = 1000

interface AuditState {
  events: AuditEvent[]
  policy: string | undefined
  draft: string | undefined
  failure: string | undefined
  refresh(): Promise<void>
  edit(draft: string | undefined): void
  /** @throws Error naming the invalid position */
  setPolicy(policy: string): Promise<void>
}

/** Continuation point of the next fetch. */
let eventsKnown: string | undefined

export const useAudit = create<AuditState>((set, get) => ({
  events: [],
  policy: undefined,
  draft: undefined,
  failure: undefined,
  async refresh() {
    const { connection } = useConnection.getState()
    if (connection === undefined) return
    try {
      const after = eventsKnown
      const { items, policy, place, continues } = await connection.channel.request('audit', {
        after,
      })
      // A concurrent fetch already has these events.
      if (after !== eventsKnown) return
      eventsKnown = place
      const before = get()
      // Nothing new: avoids a render.
      if (continues && items.length === 0 && before.policy === policy) return
      set({
        events: continues ? [...before.events, ...items].slice(-KEPT_EVENTS) : items,
        policy,
        failure: undefined,
      })
    } catch (error) {
      set({ failure: error instanceof Error ? error.message : String(error) })
    }
  },
  edit: (draft) => set({ draft }),
  async setPolicy(policy) {
    const { connection } = useConnection.getState()
    if (connection === undefined) throw new Error('the server has not started yet')
    await connection.channel.request('auditPolicy', { policy })
    set({ policy, draft: undefined })
  },
}))

const LOOK_MILLISECONDS = 1500

export function useFreshAudit(): AuditState {
  const state = useAudit()
  const { refresh } = state
  const connected = useConnection(({ connection }) => connection !== undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again for another connection
  useEffect(() => {
    void refresh()
    const timer = setInterval(() => document.hidden || void refresh(), LOOK_MILLISECONDS)
    return () => clearInterval(timer)
  }, [refresh, connected])
  return state
}
