export interface HandlerRequest {
  method: string
  path: string
  query: Record<string, string>
  headers: Record<string, string>
  body: string
}

/** The worker gets `request` unchanged: a HandlerRequest, or a message to a script. */
export type ToFrame =
  | { kind: 'call'; id: number; name: string; code: string; request: unknown; milliseconds: number }
  | { kind: 'cancel'; id: number }
  /** The frame itself responds with `here`. */
  | { kind: 'there?' }

export type Level = 'log' | 'info' | 'warn' | 'error'

/** `line` is console output; the others are parts of the response. */
export type HandlerMessage =
  | { kind: 'line'; name: string; level: Level; text: string }
  | { kind: 'head'; id: number; status: number; headers: Record<string, string> }
  | { kind: 'chunk'; id: number; text: string }
  | { kind: 'end'; id: number }
  | { kind: 'failed'; id: number; message: string }

export type FromFrame = HandlerMessage | { kind: 'here' }
