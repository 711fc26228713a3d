/** Typed requests of the page to its host over a message port, with one response each. */
import type { Change } from '../../engine/causality/change'
import type { Consequences, Roots, Step } from '../../engine/causality/consequences'
import type { Jwk } from '../../engine/core/environment'
import type { KubeObject } from '../../engine/core/object'
import type { Release } from '../../engine/releases/release'
import type { AuditEvent } from '../../engine/telemetry/audit/event'
import type { PolicyFinding } from '../../engine/telemetry/policy-findings'
import type { Trace, Written } from '../../engine/telemetry/trace'
import type { ClockState } from '../../engine/time/cluster-clock'
import type { TestFile } from '../../policy-test/documents'
import type { CaseResult } from '../../policy-test/types'
import type { AccessRequests, QueryAttributes } from './access'
import type { EngineSettings } from './engine-settings'
import type { HandlerCall } from './handlers'
import type { TrialRequest, TrialResponse } from './trial'

export type { AuditEvent, Change, ClockState, Consequences, PolicyFinding, Roots, Step }

export interface HostStatus {
  revision: number
  compactRevision: number
  objects: number
  /** Keys of corrupt records that were skipped. */
  damaged: string[]
  /** Kinds with changes after the revision; undefined if compacted. */
  written?: string[]
}

export interface ObjectAddress {
  group: string
  /** Plural name, such as `deployments`. */
  resource: string
  /** Empty for cluster-scoped objects. */
  namespace: string
  name: string
}

export interface Timeline {
  /** Earlier state is compacted. */
  oldest: number
  newest: number
  changes: Change[]
}

/** The cluster before its release changed. */
export interface KeptSnapshot {
  release: Release
  /** Milliseconds of real time since the epoch. */
  at: number
  objects: number
}

export interface StoredState {
  revision: number
  /** undefined for a deletion. */
  createRevision: number | undefined
  /** undefined for a deletion. */
  object: KubeObject | undefined
  /** undefined for the server itself. */
  author: string | undefined
}

/** Continues after the `place` of an earlier response. */
export type RecentQuery = { after: string | undefined } | undefined

export interface Recent<Item> {
  /** Oldest first: after the requested place, or all stored ones. */
  items: Item[]
  /** Position of the last item, for the next request. */
  place: string
  /** No item after the requested place is missing. */
  continues: boolean
}

export interface ChannelRequests extends AccessRequests {
  /** Includes changes after a revision, if given. Starts the engine if needed. */
  status: { request: { after: number } | undefined; response: HostStatus }
  /** Deletes everything; the engine restarts with its bootstrap objects. */
  reset: { request: undefined; response: undefined }
  /** Ordered by key; `keys[i]` belongs to `objects[i]`. */
  export: {
    request: undefined
    response: { revision: number; objects: KubeObject[]; keys: string[] }
  }
  /** Removes the workspace with its database and engine. */
  remove: { request: undefined; response: undefined }
  /** Replaces all objects, including uids and times, and optionally clock and settings. */
  import: {
    request: {
      objects: KubeObject[]
      clock?: Pick<ClockState, 'time' | 'rate'>
      settings?: Partial<EngineSettings>
    }
    response: { objects: number }
  }
  settings: { request: undefined; response: EngineSettings }
  /** Restarts with the same data. Rejects invalid settings with the reason. */
  configure: { request: Partial<EngineSettings>; response: EngineSettings }
  /** The state before the last change of the release. */
  snapshot: { request: undefined; response: KeptSnapshot | undefined }
  /** Restores that state and its settings. Cluster time and revisions continue. */
  restore: { request: undefined; response: EngineSettings }
  timeline: { request: { after: number }; response: Timeline }
  /** Undefined if nothing changed since the `known` revision. */
  consequences: { request: Roots; response: Consequences | undefined }
  /** Every object at a revision, ordered by key. Fails if compacted. */
  moment: { request: { revision: number }; response: { objects: KubeObject[] } }
  clock: { request: undefined; response: ClockState }
  /**
   * Sets the clock's rate, or steps to the next timer. Responds when the resulting work is done.
   */
  steer: { request: { rate?: number; step?: boolean }; response: ClockState }
  /** Older revisions get 410 Gone from then on. */
  compact: { request: undefined; response: { compactRevision: number } }
  /** Oldest first. */
  history: { request: ObjectAddress; response: StoredState[] }
  /** A new key, stored nowhere, and its certificate request in PEM. */
  certificateRequest: {
    request: { commonName: string; organizations: string[] }
    response: { request: string; key: Jwk }
  }
  /** Sends requests in turn to a temporary copy of the cluster, without webhooks. */
  trial: { request: { requests: TrialRequest[] }; response: TrialResponse[] }
  /** Runs policy tests on a separate cluster. Rejects invalid files with the reason. */
  policyTests: { request: { files: TestFile[] }; response: CaseResult[] }
  /** Writes of all clients: of this page, other tabs and the bridge. */
  writes: { request: RecentQuery; response: Recent<ClientWrite> }
  traces: { request: RecentQuery; response: Recent<RequestTrace> }
  /** The latest audit events, and the policy as text; an empty one logs nothing. */
  audit: { request: RecentQuery; response: Recent<AuditEvent> & { policy: string } }
  /** Lasts until the worker stops. Rejects an invalid policy with the error's position. */
  auditPolicy: { request: { policy: string }; response: undefined }
}

/** `id` is the response's `audit-id` header. */
export interface ClientWrite {
  id: string
  userAgent: string
  written: Written
}

/** `id` is the response's `audit-id` header. */
export type RequestTrace = Pick<
  Trace,
  | 'id'
  | 'method'
  | 'target'
  | 'received'
  | 'status'
  | 'failure'
  | 'spans'
  | 'user'
  | 'impersonated'
  | 'authorization'
  | 'annotations'
  | 'policies'
  | 'userAgent'
> & {
  milliseconds: number
  /** Its attributes for authorization. */
  attributes: QueryAttributes | undefined
}

export type ChannelRequest = {
  [Kind in keyof ChannelRequests]: { kind: Kind; request: ChannelRequests[Kind]['request'] }
}[keyof ChannelRequests]

export type ChannelResponse = { ok: true; response: unknown } | { ok: false; message: string }

export interface Channel {
  /** @throws Error with the host's message */
  request<Kind extends keyof ChannelRequests>(
    kind: Kind,
    request: ChannelRequests[Kind]['request'],
  ): Promise<ChannelRequests[Kind]['response']>
}

/**
 * `claim`: take control of this page. `stay`: keep running. `keep`: cache the page, which is idle.
 */
export type WorkerMessage = { mark: typeof CHANNEL_MARK } & (
  | { kind: 'claim' }
  | { kind: 'stay' }
  | { kind: 'keep'; build: string }
  | { kind: 'request'; workspace: string; request: ChannelRequest }
)

/** Calls a handler; the response uses the message's port. */
export interface PageMessage {
  mark: typeof CHANNEL_MARK
  kind: 'call'
  /** Pages of other workspaces decline. */
  workspace: string
  call: HandlerCall
}

/** Distinguishes this application's messages. */
export const CHANNEL_MARK = 'kubetab-channel'

export function isPageMessage(data: unknown): data is PageMessage {
  return (
    typeof data === 'object' &&
    data !== null &&
    'mark' in data &&
    data.mark === CHANNEL_MARK &&
    'call' in data
  )
}

export function isWorkerMessage(data: unknown): data is WorkerMessage {
  return typeof data === 'object' && data !== null && 'mark' in data && data.mark === CHANNEL_MARK
}
