import type { AdmissionAttributes } from '../admission/admission'
import type { AdmissionEnvironment } from '../admission/environment'
import type { Files, Log } from '../core/environment'
import type { JsonObject, KubeObject } from '../core/object'
import type { Outbound } from '../core/outbound'
import type { StructType } from '../schema/model'
import type { CredentialsFor } from '../webhooks/kubeconfig'
import type { AdmissionMetrics } from '../webhooks/metrics'
import type { MatchEnvironment, ServedAs } from './match'

/** With the message of Go's decoder. */
export class UnreadableDocument extends Error {}

export interface ServedForm extends ServedAs {
  type: StructType
  /** Objects are values of `type`, not unstructured. */
  typed: boolean
  /** Converts objects for `show`; absent if conversion is synchronous. */
  ready?(attributes: AdmissionAttributes): Promise<void>
  /** Canonical, in this version; copies changed parts. */
  show(object: KubeObject): KubeObject
  /**
   * A draft in the stored form.
   * @param unknown `strict`: unknown fields of built-in kinds are errors
   * @throws UnreadableDocument
   */
  read(document: JsonObject, unknown?: 'strict'): KubeObject
  /** From another version's `read` to the form of this request. */
  adopt(draft: KubeObject): KubeObject | Promise<KubeObject>
}

export interface ParamForm {
  namespaced: boolean
  /** Storage prefix of its objects. */
  prefix: string
  /** Absent: unstructured. */
  type?: StructType | undefined
  show(objects: readonly KubeObject[]): Promise<KubeObject[]>
}

export interface PolicyEnvironment extends AdmissionEnvironment, MatchEnvironment<ServedForm> {
  log: Log
  metrics: AdmissionMetrics
  /** Milliseconds from any start. */
  stopwatch(): number
  /** undefined if the kind is not served. */
  paramForm(apiVersion: string, kind: string): ParamForm | undefined
  outbound: Outbound | undefined
  files: Files | undefined
  credentials?: CredentialsFor
}
