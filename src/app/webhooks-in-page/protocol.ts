/** What the page, the sandboxed frame and the workers in it say to each other. */

/** A request as a handler sees it. */
export interface HandlerRequest {
  method: string
  path: string
  query: Record<string, string>
  headers: Record<string, string>
  body: string
}

/** `request` goes to the worker as it is: a HandlerRequest, or what scripts are told (scripts/protocol.ts). */
export type ToFrame =
  | { kind: 'call'; id: number; name: string; code: string; request: unknown; milliseconds: number }
  | { kind: 'cancel'; id: number }
  /** Answered with `here` by the frame itself. */
  | { kind: 'there?' }

export type Level = 'log' | 'info' | 'warn' | 'error'

/** `line` is what the handler prints; the others are of the answer. */
export type HandlerMessage =
  | { kind: 'line'; name: string; level: Level; text: string }
  | { kind: 'head'; id: number; status: number; headers: Record<string, string> }
  | { kind: 'chunk'; id: number; text: string }
  | { kind: 'end'; id: number }
  | { kind: 'failed'; id: number; message: string }

export type FromFrame = HandlerMessage | { kind: 'here' }
