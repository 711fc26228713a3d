import type { ApiObject } from './types'

/** An error response, with the server's message. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure'
  /** HTTP status: 404, 409, 422 … */
  readonly code: number
  /** `NotFound`, `AlreadyExists`, `Invalid` … */
  readonly reason: string
  /** The Status object of the response; for other bodies, one with the text as message. */
  readonly status: ApiObject

  constructor(code: number, status: ApiObject) {
    super(typeof status.message === 'string' ? status.message : `HTTP ${code}`)
    this.code = code
    this.reason = typeof status.reason === 'string' ? status.reason : ''
    this.status = status
  }
}
