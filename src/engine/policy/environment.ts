/** The environment of policies and webhooks, which extends that of other plugins. */
import type { AdmissionAttributes } from '../admission/admission'
import type { AdmissionEnvironment } from '../admission/environment'
import type { Files, Log } from '../core/environment'
import type { JsonObject, KubeObject } from '../core/object'
import type { Outbound } from '../core/outbound'
import type { StructType } from '../schema/model'
import type { CredentialsFor } from '../webhooks/kubeconfig'
import type { AdmissionMetrics } from '../webhooks/metrics'
import type { MatchEnvironment, ServedAs } from './match'

/** The document does not match its type. The message is that of Go's decoder. */
export class UnreadableDocument extends Error {}

/** A version of a resource, with the conversions of its objects. */
export interface ServedForm extends ServedAs {
  /** The type of its documents. */
  type: StructType
  /**
   * Converts the objects of a request in advance if conversion is asynchronous, for `show`. Absent
   * if it is synchronous.
   */
  ready?(attributes: AdmissionAttributes): Promise<void>
  /** Converts a stored object or draft to this version, in canonical form; copies changed parts. */
  show(object: KubeObject): KubeObject
  /**
   * A document of this version as a draft in the stored form, with its defaults.
   * @param unknown `strict`: unknown fields of built-in kinds are errors
   * @throws UnreadableDocument
   */
  read(document: JsonObject, unknown?: 'strict'): KubeObject
  /** Converts a draft that another version's `read` returned to the form of this request. */
  adopt(draft: KubeObject): KubeObject | Promise<KubeObject>
}

/** A kind whose objects serve as parameters. */
export interface ParamForm {
  namespaced: boolean
  /** The storage key prefix of its objects. */
  prefix: string
  /** Converts stored objects to the version. */
  show(objects: readonly KubeObject[]): Promise<KubeObject[]>
}

export interface PolicyEnvironment extends AdmissionEnvironment, MatchEnvironment<ServedForm> {
  log: Log
  metrics: AdmissionMetrics
  /** Milliseconds from any start, in the resolution of the host. */
  stopwatch(): number
  /** @returns undefined if the kind is not served */
  paramForm(apiVersion: string, kind: string): ParamForm | undefined
  /** Absent if the host has no network access. */
  outbound: Outbound | undefined
  /** Absent if the host has no files. */
  files: Files | undefined
  /** Credentials of one plugin for its webhooks. */
  credentials?: CredentialsFor
}
