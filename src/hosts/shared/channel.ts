/** What the page asks its host for besides HTTP: one typed request, one answer, over a message port. */
import type { KubeObject } from '../../engine/object'

export interface ChannelRequests {
  /** Is an engine running, and since which revision? */
  status: { ask: undefined; answer: { revision: number; objects: number } }
  /** Forgets everything; the engine starts anew with its bootstrap objects. */
  reset: { ask: undefined; answer: undefined }
  /** Every stored object, in the order of their keys. */
  export: { ask: undefined; answer: { revision: number; objects: KubeObject[] } }
  /** Replaces everything by these objects, uids and times included. */
  import: { ask: { objects: KubeObject[] }; answer: { objects: number } }
}

export type ChannelRequest = { [Kind in keyof ChannelRequests]: { kind: Kind; ask: ChannelRequests[Kind]['ask'] } }[keyof ChannelRequests]

export type ChannelAnswer = { ok: true; answer: unknown } | { ok: false; message: string }

/** The page's end. */
export interface Channel {
  request<Kind extends keyof ChannelRequests>(kind: Kind, ask: ChannelRequests[Kind]['ask']): Promise<ChannelRequests[Kind]['answer']>
}

/** Mark of this application's messages among others that a worker may get. */
export const CHANNEL_MARK = 'kubetab-channel'
