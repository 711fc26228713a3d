/** What the page asks its host for in addition to HTTP: one typed request, one answer, over a message port. */
import type { Jwk } from '../../engine/environment'
import type { KubeObject } from '../../engine/object'
import type { AuditEvent } from '../../engine/telemetry/audit/event'
import type { PolicyFinding } from '../../engine/telemetry/policy-findings'
import type { Trace } from '../../engine/telemetry/trace'
import type { ClockState } from '../../engine/time/cluster-clock'
import type { TestFile } from '../../policy-test/documents'
import type { CaseResult } from '../../policy-test/types'
import type { AccessRequests, QueryAttributes } from './access'
import type { EngineSettings } from './engine-settings'
import type { HandlerCall } from './handlers'
import type { TrialRequest, TrialResponse } from './trial'

export type { AuditEvent, ClockState, PolicyFinding }

export interface HostStatus {
  revision: number
  /** States before this revision are discarded. */
  compactRevision: number
  objects: number
  /** Keys of stored records that had lost their shape and were left out. */
  damaged: string[]
  /** The kinds of which something was written behind the revision that was asked about; undefined: that is not stored. */
  written?: string[]
}

export interface ObjectAddress {
  group: string
  /** `deployments` */
  resource: string
  /** Empty for objects of the cluster. */
  namespace: string
  name: string
}

/** What one revision changed. */
export interface Change {
  revision: number
  type: 'ADDED' | 'MODIFIED' | 'DELETED'
  kind: string
  namespace: string
  name: string
  /** In the cluster's time, where the object tells; milliseconds since the epoch. */
  at: number | undefined
}

export interface Timeline {
  /** States before this revision are discarded. */
  oldest: number
  newest: number
  changes: Change[]
}

export interface StoredState {
  revision: number
  /** The revision that created the object; undefined for a deletion. */
  createRevision: number | undefined
  /** undefined: this revision deleted it. */
  object: KubeObject | undefined
  /** The user who wrote it; undefined: the server by itself. */
  author: string | undefined
}

/** What is known already: the place that was told with it. */
export type RecentQuery = { after: string | undefined } | undefined

export interface Recent<Item> {
  /** Oldest first: those behind the place that was asked about, or all that are stored. */
  items: Item[]
  /** Where they end: to be named with the next question. */
  place: string
  /** They are all that came behind the place that was asked about. */
  continues: boolean
}

export interface ChannelRequests extends AccessRequests {
  /** How the engine stands, and what was written behind a revision, if one is named; starts it if it does not run. */
  status: { request: { after: number } | undefined; response: HostStatus }
  /** Discards everything; the engine starts again with its bootstrap objects. */
  reset: { request: undefined; response: undefined }
  /** Every stored object, in the order of their keys. */
  export: { request: undefined; response: { revision: number; objects: KubeObject[] } }
  /** Removes the workspace: its database goes, and its engine with it. The next request would begin a new one. */
  remove: { request: undefined; response: undefined }
  /** Replaces everything by these objects, uids and times included; with a clock, the cluster's time goes on from there; with settings, the engine has them too. */
  import: {
    request: {
      objects: KubeObject[]
      clock?: Pick<ClockState, 'time' | 'rate'>
      settings?: Partial<EngineSettings>
    }
    response: { objects: number }
  }
  /** What is set of the engine. */
  settings: { request: undefined; response: EngineSettings }
  /** Sets some of it: the engine starts again with the same data. Rejected, with the reason, if no server can be made of it. */
  configure: { request: Partial<EngineSettings>; response: EngineSettings }
  /** The changes behind a revision, as far as they are stored, oldest first. */
  timeline: { request: { after: number }; response: Timeline }
  /** Every object as it was at a revision, in the order of their keys. Rejected for one that is discarded. */
  moment: { request: { revision: number }; response: { objects: KubeObject[] } }
  /** The cluster's time. */
  clock: { request: undefined; response: ClockState }
  /** Lets the cluster's time run at another speed, or go to what falls due next; answers when what follows from that is done. */
  steer: { request: { rate?: number; step?: boolean }; response: ClockState }
  /** Discards the states before the newest revision: what requests one of them meets 410 from then on. */
  compact: { request: undefined; response: { compactRevision: number } }
  /** The kept states of an object, oldest first. */
  history: { request: ObjectAddress; response: StoredState[] }
  /** A new key, which is kept nowhere else, and a request in PEM for a certificate of it, as a CertificateSigningRequest carries it. */
  certificateRequest: {
    request: { commonName: string; organizations: string[] }
    response: { request: string; key: Jwk }
  }
  /** What requests would come to, one after another, in a copy of the cluster that is discarded afterwards; webhooks are not asked. */
  trial: { request: { requests: TrialRequest[] }; response: TrialResponse[] }
  /** Runs a set of policy tests on a cluster of its own. Rejected, with the reason, if the files are no such set. */
  policyTests: { request: { files: TestFile[] }; response: CaseResult[] }
  /** What became of the last requests. */
  traces: { request: RecentQuery; response: Recent<RequestTrace> }
  /** The last audit events, and the text of the policy that they follow; an empty policy writes nothing. */
  audit: { request: RecentQuery; response: Recent<AuditEvent> & { policy: string } }
  /** Rejected with the place of what is wrong in the policy. Kept until the worker is stopped. */
  auditPolicy: { request: { policy: string }; response: undefined }
}

/** A request's trace as data; `id` is the response's `audit-id` header. */
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
  /** What it requested, in the words of authorization. */
  asked: QueryAttributes | undefined
}

export type ChannelRequest = {
  [Kind in keyof ChannelRequests]: { kind: Kind; request: ChannelRequests[Kind]['request'] }
}[keyof ChannelRequests]

export type ChannelResponse = { ok: true; response: unknown } | { ok: false; message: string }

/** The page's end. */
export interface Channel {
  /** @throws Error with the host's words when it cannot do what it is asked */
  request<Kind extends keyof ChannelRequests>(
    kind: Kind,
    request: ChannelRequests[Kind]['request'],
  ): Promise<ChannelRequests[Kind]['response']>
}

/** What the page says to a worker. `claim`: take this page over. `stay`: do not be put to sleep, someone is here. `keep`: keep the page's files, it is at rest. */
export type WorkerMessage = { mark: typeof CHANNEL_MARK } & (
  | { kind: 'claim' }
  | { kind: 'stay' }
  | { kind: 'keep'; build: string }
  | { kind: 'request'; workspace: string; request: ChannelRequest }
)

/** What a worker says to a page: that a handler is called, which it answers over the message's port. */
export interface PageMessage {
  mark: typeof CHANNEL_MARK
  kind: 'call'
  /** Whose handler it is: pages of others decline. */
  workspace: string
  call: HandlerCall
}

/** Mark of this application's messages among others that a worker may get. */
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
