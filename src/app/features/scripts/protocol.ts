/**
 * The page and a script exchange messages over calls of the webhook frame. The script is one call,
 * whose response chunks are its messages. Each message to it is a call with an immediate response,
 * which detects a blocked script.
 */

export type Level = 'log' | 'warn' | 'error' | 'info'

export interface Line {
  level: Level
  text: string
}

export type ToScript =
  | { kind: 'start' }
  | { kind: 'ping' }
  | {
      kind: 'head'
      request: number
      status: number
      statusText: string
      headers: [string, string][]
    }
  | { kind: 'body'; request: number; bytes: Uint8Array }
  | { kind: 'end'; request: number }
  | { kind: 'failed'; request: number; message: string }

/** Messages of a script, as JSON. */
export type FromScript =
  | { kind: 'lines'; lines: Line[] }
  /** Output without a pause, which would block the page. */
  | { kind: 'flood' }
  | {
      kind: 'request'
      request: number
      method: string
      path: string
      headers: [string, string][]
      body?: string
    }
  | { kind: 'abort'; request: number }
  | { kind: 'done' }
