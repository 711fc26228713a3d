import { create } from 'zustand'
import type { CallMessage, HandlerCall } from '../../../hosts/shared/handlers'

export interface LoggedCall {
  id: number
  handler: string
  at: number
  method: string
  url: string
  request: string
  /** undefined: no response yet. */
  status: number | undefined
  response: string
  failure: string | undefined
  milliseconds: number | undefined
}

export interface PrintedLine {
  id: number
  handler: string
  level: 'log' | 'info' | 'warn' | 'error'
  text: string
}

interface CallState {
  calls: LoggedCall[]
  lines: PrintedLine[]
  begin(handler: string, call: HandlerCall): number
  update(id: number, message: CallMessage): void
  print(handler: string, level: PrintedLine['level'], text: string): void
  clear(handler: string): void
}

/** Of all webhooks. */
export const KEPT_CALLS = 100
export const KEPT_LINES = 500
const MAX_CHARS = 100_000
let lastId = 0

export const useHandlerCalls = create<CallState>((set) => {
  const update = (id: number, change: (call: LoggedCall) => Partial<LoggedCall>) =>
    set(({ calls }) => ({
      calls: calls.map((call) => (call.id === id ? { ...call, ...change(call) } : call)),
    }))
  const ended = ({ at }: LoggedCall) => ({
    milliseconds: performance.timeOrigin + performance.now() - at,
  })
  return {
    calls: [],
    lines: [],
    begin(handler, { method, url, body }) {
      const id = ++lastId
      const at = performance.timeOrigin + performance.now()
      const call = {
        id,
        handler,
        at,
        method,
        url,
        request: body,
        status: undefined,
        response: '',
        failure: undefined,
        milliseconds: undefined,
      }
      set(({ calls }) => ({ calls: [...calls.slice(1 - KEPT_CALLS), call] }))
      return id
    },
    update(id, message) {
      if (message.kind === 'head') update(id, () => ({ status: message.status }))
      else if (message.kind === 'chunk')
        update(id, ({ response }) => ({ response: (response + message.text).slice(0, MAX_CHARS) }))
      else if (message.kind === 'end') update(id, ended)
      else if (message.kind === 'failed')
        update(id, (call) => ({ failure: message.message, ...ended(call) }))
    },
    print: (handler, level, text) =>
      set(({ lines }) => ({
        lines: [...lines.slice(1 - KEPT_LINES), { id: ++lastId, handler, level, text }],
      })),
    clear: (cleared) => {
      const others = ({ handler }: { handler: string }) => handler !== cleared
      set(({ calls, lines }) => ({ calls: calls.filter(others), lines: lines.filter(others) }))
    },
  }
})
