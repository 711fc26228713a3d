/**
 * Protocol between the page and a script's worker, over calls of the webhook frame. The script is
 * one call, and its messages are response chunks. Each message to the script is a call with an
 * immediate response, which detects a blocked script.
 */

export type Level = 'log' | 'warn' | 'error' | 'info'

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

export type FromScript =
  | { kind: 'lines'; lines: Line[] }
  /** Continuous output, which would block the page. */
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
