import type { SigningAuthority } from '../core/environment'
import { HealthCounts } from '../telemetry/health-counts'

export class ServerState {
  /** By requester; the last successful mode is tried first. */
  readonly impersonationModes = new Map<string, string>()
  /** By request ID. */
  readonly writesInProgress = new Map<string, Promise<unknown>>()
  /** By storage prefix. */
  readonly lastWrites = new Map<string, Promise<unknown>>()
  /** When a document was first served, by its hash, for Last-Modified. */
  readonly documentTimes = new Map<string, number>()
  readonly health = new HealthCounts()
  generatedAuthority: Promise<SigningAuthority> | undefined
}
