/** What policies and webhooks need in addition to the environment of other plugins. */
import type { AdmissionAttributes } from '../admission/admission'
import type { AdmissionEnvironment } from '../admission/environment'
import type { Log } from '../environment'
import type { JsonObject, KubeObject } from '../object'
import type { Outbound } from '../outbound'
import type { AdmissionMetrics } from '../webhooks/metrics'
import type { MatchEnvironment, ServedAs } from './match'

/** A document that does not fit its type, in Go's words. */
export class UnreadableDocument extends Error {}

/** A version of a resource, and how its objects look there. */
export interface ServedForm extends ServedAs {
  /** Brings the objects of a request into this version where that takes waiting: `show` knows them then. Absent: nothing does. */
  ready?(attributes: AdmissionAttributes): Promise<void>
  /** An object or draft in the stored form as clients of this version see it: canonical, a copy wherever it differs. */
  show(object: KubeObject): KubeObject
  /**
   * A document of this version as a draft in the stored form, with its defaults.
   * @throws UnreadableDocument
   */
  read(document: JsonObject): KubeObject
  /** A draft that `read` of another version made, as the request of this one goes on with it. */
  adopt(draft: KubeObject): KubeObject | Promise<KubeObject>
}

/** A kind whose objects serve as parameters. */
export interface ParamForm {
  namespaced: boolean
  /** Where its objects are stored. */
  prefix: string
  /** Stored objects as clients of the version see them. */
  show(objects: readonly KubeObject[]): Promise<KubeObject[]>
}

export interface PolicyEnvironment extends AdmissionEnvironment, MatchEnvironment<ServedForm> {
  log: Log
  metrics: AdmissionMetrics
  /** Milliseconds from any start, as fine as the host has it. */
  stopwatch(): number
  /** @returns undefined: no such kind is served */
  paramForm(apiVersion: string, kind: string): ParamForm | undefined
  /** Absent: the host has no way to others. */
  outbound: Outbound | undefined
}
