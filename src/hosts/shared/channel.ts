/** What the page asks its host for besides HTTP: one typed request, one answer, over a message port. */
import type { Jwk } from '../../engine/environment'
import type { KubeObject } from '../../engine/object'
import type { AuditEvent } from '../../engine/observation/audit/event'
import type { PolicyFinding } from '../../engine/observation/policy-findings'
import type { Trace } from '../../engine/observation/trace'
import type { TestFile } from '../../policy-test/documents'
import type { CaseResult } from '../../policy-test/types'
import type { AccessRequests, AskedAttributes } from './access'
import type { EngineSettings } from './engine-settings'
import type { TrialAnswer, TrialRequest } from './trial'

export type { AuditEvent, PolicyFinding }

export interface HostStatus {
  revision: number
  /** States before this revision are forgotten. */
  compactRevision: number
  objects: number
  /** Keys of stored records that had lost their shape and were left out. */
  damaged: string[]
}

export interface ObjectAddress {
  group: string
  /** `deployments` */
  resource: string
  /** Empty for objects of the cluster. */
  namespace: string
  name: string
}

export interface KeptState {
  revision: number
  /** The revision that created the object; undefined for a deletion. */
  createRevision: number | undefined
  /** undefined: this revision deleted it. */
  object: KubeObject | undefined
  /** The user who wrote it; undefined: the server by itself. */
  author: string | undefined
}

export interface ChannelRequests extends AccessRequests {
  /** How the engine stands; starts it if it does not run. */
  status: { ask: undefined; answer: HostStatus }
  /** Forgets everything; the engine starts anew with its bootstrap objects. */
  reset: { ask: undefined; answer: undefined }
  /** Every stored object, in the order of their keys. */
  export: { ask: undefined; answer: { revision: number; objects: KubeObject[] } }
  /** Removes the workspace: its database goes, and its engine with it. The next request would begin a new one. */
  remove: { ask: undefined; answer: undefined }
  /** Replaces everything by these objects, uids and times included. */
  import: { ask: { objects: KubeObject[] }; answer: { objects: number } }
  /** What is set of the engine. */
  settings: { ask: undefined; answer: EngineSettings }
  /** Sets some of it: the engine starts anew with the same data. Refused, with the reason, if no server can be made of it. */
  configure: { ask: Partial<EngineSettings>; answer: EngineSettings }
  /** Forgets the states before the newest revision: what asks for one of them meets 410 from then on. */
  compact: { ask: undefined; answer: { compactRevision: number } }
  /** The kept states of an object, oldest first. */
  history: { ask: ObjectAddress; answer: KeptState[] }
  /** A new key, which is kept nowhere else, and a request in PEM for a certificate of it, as a CertificateSigningRequest carries it. */
  certificateRequest: { ask: { commonName: string; organizations: string[] }; answer: { request: string; key: Jwk } }
  /** What requests would come to, one after another, in a copy of the cluster that is forgotten afterwards. */
  trial: { ask: { requests: TrialRequest[] }; answer: TrialAnswer[] }
  /** Runs a set of policy tests on a cluster of its own. Refused, with the reason, if the files are no such set. */
  policyTests: { ask: { files: TestFile[] }; answer: CaseResult[] }
  /** What became of the last requests, oldest first. */
  traces: { ask: undefined; answer: RequestTrace[] }
  /** The last audit events, oldest first, and the text of the policy that they follow; an empty policy writes nothing. */
  audit: { ask: undefined; answer: { policy: string; events: AuditEvent[] } }
  /** Refused with the place of what is wrong in the policy. Kept until the worker is stopped. */
  auditPolicy: { ask: { policy: string }; answer: undefined }
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
  | 'userAgent'
> & {
  milliseconds: number
  /** What it asked for, in the words of authorization. */
  asked: AskedAttributes | undefined
}

export type ChannelRequest = { [Kind in keyof ChannelRequests]: { kind: Kind; ask: ChannelRequests[Kind]['ask'] } }[keyof ChannelRequests]

export type ChannelAnswer = { ok: true; answer: unknown } | { ok: false; message: string }

/** The page's end. */
export interface Channel {
  /** @throws Error with the host's words when it cannot do what it is asked */
  request<Kind extends keyof ChannelRequests>(kind: Kind, ask: ChannelRequests[Kind]['ask']): Promise<ChannelRequests[Kind]['answer']>
}

/** What the page says to a worker. `claim`: take this page over. `stay`: do not be put to sleep, somebody is here. */
export type WorkerMessage = { mark: typeof CHANNEL_MARK } & (
  | { kind: 'claim' }
  | { kind: 'stay' }
  | { kind: 'request'; workspace: string; request: ChannelRequest }
)

/** Mark of this application's messages among others that a worker may get. */
export const CHANNEL_MARK = 'kubetab-channel'

export function isWorkerMessage(data: unknown): data is WorkerMessage {
  return typeof data === 'object' && data !== null && 'mark' in data && data.mark === CHANNEL_MARK
}
