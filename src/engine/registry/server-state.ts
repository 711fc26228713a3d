/** State that requests share. */
import type { SigningAuthority } from '../core/environment'
import { HealthCounts } from '../telemetry/health-counts'

export class ServerState {
  /** By requester. The last successful mode is tried first. */
  readonly impersonationModes = new Map<string, string>()
  /** By request ID. */
  readonly writesInProgress = new Map<string, Promise<unknown>>()
  /** By storage prefix. */
  readonly lastWrites = new Map<string, Promise<unknown>>()
  /** When each OpenAPI document was first served, by hash, for Last-Modified. */
  readonly documentTimes = new Map<string, number>()
  readonly health = new HealthCounts()
  generatedAuthority: Promise<SigningAuthority> | undefined
}
