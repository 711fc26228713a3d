/** What the engine tells of the requests it served: the stages of each, and the audit events. Asked for while somebody looks. */
import { useEffect } from 'react'
import { create } from 'zustand'
import type { AuditEvent, RequestTrace } from '../../hosts/shared/channel'
import { useConnection } from './connection'
import { useRequests } from './requests'

interface TraceState {
  /** By the `audit-id` of the response. */
  traces: ReadonlyMap<string, RequestTrace>
  refresh(): Promise<void>
}

export const useTraces = create<TraceState>((set) => ({
  traces: new Map(),
  async refresh() {
    const { connection } = useConnection.getState()
    const traces = await connection?.channel.request('traces', undefined).catch(() => undefined)
    if (traces) set({ traces: new Map(traces.map((trace) => [trace.id, trace])) })
  },
}))

/** Requests come in bursts: they are asked about together. */
const GATHER_MILLISECONDS = 150

/** Keeps the traces as new as the request log, as long as the caller is shown. */
export function useFreshTraces(): ReadonlyMap<string, RequestTrace> {
  const { traces, refresh } = useTraces()
  const answered = useRequests(({ log }) => log.filter(({ status }) => status !== undefined).length)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another answer is the reason to ask again
  useEffect(() => {
    const timer = setTimeout(() => void refresh(), GATHER_MILLISECONDS)
    return () => clearTimeout(timer)
  }, [answered, refresh])
  return traces
}

interface AuditState {
  events: AuditEvent[]
  /** Text of the policy in force; undefined until it has been read. */
  policy: string | undefined
  /** What is being typed instead of it. */
  draft: string | undefined
  failure: string | undefined
  refresh(): Promise<void>
  edit(draft: string | undefined): void
  /** @throws Error naming the place of what is wrong */
  setPolicy(policy: string): Promise<void>
}

export const useAudit = create<AuditState>((set, get) => ({
  events: [],
  policy: undefined,
  draft: undefined,
  failure: undefined,
  async refresh() {
    const { connection } = useConnection.getState()
    if (connection === undefined) return
    try {
      const { events, policy } = await connection.channel.request('audit', undefined)
      const last = events.at(-1)
      const before = get()
      // The same events again are no reason to draw them again.
      if (before.policy === policy && before.events.length === events.length && isSame(before.events.at(-1), last)) return
      set({ events, policy, failure: undefined })
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

function isSame(one: AuditEvent | undefined, other: AuditEvent | undefined): boolean {
  return one?.auditID === other?.auditID && one?.stage === other?.stage
}

const LOOK_MILLISECONDS = 1500

/** Reads the audit events now and from time to time, as long as the caller is shown. */
export function useFreshAudit(): AuditState {
  const state = useAudit()
  const { refresh } = state
  const connected = useConnection(({ connection }) => connection !== undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a connection is the reason to ask
  useEffect(() => {
    void refresh()
    const timer = setInterval(() => document.hidden || void refresh(), LOOK_MILLISECONDS)
    return () => clearInterval(timer)
  }, [refresh, connected])
  return state
}
