import type { JsonObject } from '../core/object'
import type { TypeNode } from '../schema/model'
import type { Trace } from '../telemetry/trace'
import type { SentRequest } from './repair'

export interface ActingUser {
  name: string
  uid?: string
  groups?: readonly string[]
  extra?: Readonly<Record<string, readonly string[]>>
}

export interface Sending {
  /** Impersonated by the caller; absent: the caller. */
  user?: ActingUser | undefined
  dryRun?: boolean
}

export interface BranchResponse {
  status: number
  /** undefined unless it is a JSON object. */
  body: JsonObject | undefined
  trace: Trace | undefined
}

/** A copy of the cluster in memory. Its requests change nothing else. */
export interface Branch {
  send(request: SentRequest, sending?: Sending): Promise<BranchResponse>
  /** Resolves when controllers have reacted to the writes so far. */
  settle(): Promise<void>
  close(): Promise<void>
}

export interface Branches {
  open(): Promise<Branch>
  typeOf(group: string, version: string, resource: string): TypeNode | undefined
  /** Reads from the cluster itself, which has earlier revisions. */
  read(path: string): Promise<JsonObject | undefined>
}
