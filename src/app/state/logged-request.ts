/** A user action, a script, or an update of the page. */

export type Origin = 'action' | 'script' | 'page'

export interface LoggedRequest {
  id: number
  at: number
  method: string
  /** Path and query. */
  path: string
  who: string
  origin: Origin
  /** Without credentials. */
  headers: Record<string, string>
  body?: string
  status?: number
  responseHeaders?: Record<string, string>
  response?: string
  milliseconds?: number
  /** The stream is still open. */
  open?: boolean
  lines?: number
  failure?: string
}
