/**
 * What the page and a script in its worker say to each other. They speak through the frame of webhooks, which knows calls and their
 * answers: the script as a whole is one call whose answer goes on until it ends, its pieces being the messages of the script; and
 * whatever the page tells it is a call of its own, answered at once, so that a script that answers nothing any more is noticed.
 */

export type Level = 'log' | 'warn' | 'error' | 'info'

/** A line that a script prints. */
export interface Line {
  level: Level
  text: string
}

/** What the page tells a script. */
export type ToScript =
  | { kind: 'start' }
  /** Nothing: whether it still answers. */
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

/** What a script tells the page, as JSON. */
export type FromScript =
  | { kind: 'lines'; lines: Line[] }
  /** It prints without a pause: nobody reads that, and the page would have no time for anything else. */
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
