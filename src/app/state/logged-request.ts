export type Origin = 'action' | 'script' | 'page'

export interface LoggedRequest {
  id: number
  at: number
  method: string
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
  open?: boolean
  lines?: number
  failure?: string
}
