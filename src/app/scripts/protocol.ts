/**
 * The messages between the page and a script in its worker, over the calls of the webhook frame.
 * The script as a whole is one call; its messages are chunks of a response that lasts until it
 * ends. Each message to the script is a call of its own with an immediate response, so that a
 * blocked script is noticed.
 */

export type Level = 'log' | 'warn' | 'error' | 'info'

/** A line that a script prints. */
export interface Line {
  level: Level
  text: string
}

/** Messages to a script. */
export type ToScript =
  | { kind: 'start' }
  /** Health check. */
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
