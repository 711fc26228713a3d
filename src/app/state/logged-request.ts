/** The origin of a request: a user action, a script, or an update of the page. */

export type Origin = 'action' | 'script' | 'page'

export interface LoggedRequest {
  id: number
  at: number
  method: string
  /** Path and query. */
  path: string
  who: string
  origin: Origin
  /** As they are shown: credentials are never kept. */
  headers: Record<string, string>
  body?: string
  status?: number
  responseHeaders?: Record<string, string>
  response?: string
  milliseconds?: number
  /** The stream is still open. */
  open?: boolean
  /** Lines of a stream so far. */
  lines?: number
  failure?: string
}
