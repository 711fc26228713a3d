import type { AdmissionAttributes } from '../admission/admission'
import type { AdmissionEnvironment } from '../admission/environment'
import type { Files, Log } from '../core/environment'
import type { JsonObject, KubeObject } from '../core/object'
import type { Outbound } from '../core/outbound'
import type { StructType } from '../schema/model'
import type { CredentialsFor } from '../webhooks/kubeconfig'
import type { AdmissionMetrics } from '../webhooks/metrics'
import type { MatchEnvironment, ServedAs } from './match'

/** Has the message of Go's decoder. */
export class UnreadableDocument extends Error {}

/** A version of a resource. */
export interface ServedForm extends ServedAs {
  /** Of its documents. */
  type: StructType
  /** Converts a request's objects for `show`; absent if conversion is synchronous. */
  ready?(attributes: AdmissionAttributes): Promise<void>
  /** Converts to this version, in canonical form; copies changed parts. */
  show(object: KubeObject): KubeObject
  /**
   * From a document of this version to a draft in the stored form, with defaults.
   * @param unknown `strict`: unknown fields of built-in kinds are errors
   * @throws UnreadableDocument
   */
  read(document: JsonObject, unknown?: 'strict'): KubeObject
  /** From another version's `read` to the form of this request. */
  adopt(draft: KubeObject): KubeObject | Promise<KubeObject>
}

/** A kind of parameters. */
export interface ParamForm {
  namespaced: boolean
  /** Storage prefix of its objects. */
  prefix: string
  /** Converts stored objects to the version. */
  show(objects: readonly KubeObject[]): Promise<KubeObject[]>
}

export interface PolicyEnvironment extends AdmissionEnvironment, MatchEnvironment<ServedForm> {
  log: Log
  metrics: AdmissionMetrics
  /** Milliseconds from any start. */
  stopwatch(): number
  /** @returns undefined if the kind is not served */
  paramForm(apiVersion: string, kind: string): ParamForm | undefined
  /** Absent if the host has no network access. */
  outbound: Outbound | undefined
  /** Absent if the host has no files. */
  files: Files | undefined
  /** Of one plugin, for its webhooks. */
  credentials?: CredentialsFor
}
