/** State that the stages of one server share between requests. */
import type { SigningAuthority } from '../core/environment'
import { HealthCounts } from '../telemetry/health-counts'

export class ServerState {
  /** The last successful impersonation mode of each requester, which is tried first. */
  readonly impersonationModes = new Map<string, string>()
  /** Idempotent writes in progress, by the id of the request. */
  readonly writesInProgress = new Map<string, Promise<unknown>>()
  /** The last write of each kind whose writes are serialized, by storage prefix. */
  readonly lastWrites = new Map<string, Promise<unknown>>()
  /** When each OpenAPI document was first served, by hash, for Last-Modified. */
  readonly documentTimes = new Map<string, number>()
  readonly health = new HealthCounts()
  /** The certificate authority while it is generated. */
  generatedAuthority: Promise<SigningAuthority> | undefined
}
