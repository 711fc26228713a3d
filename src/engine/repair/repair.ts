/** Small changes that make a rejected request pass. */
import type { Json, JsonObject } from '../core/object'
import type { FieldError, RejectionGrounds, Status } from '../http/status'
import type { PolicyFinding } from '../telemetry/policy-findings'

/** Member names and list indexes. */
export type Place = readonly (string | number)[]

export interface SentRequest {
  method: string
  /** With query. */
  path: string
  contentType?: string
  body?: string
}

/** A request that the repair sends. */
export interface RepairWrite {
  method: string
  path: string
  contentType: string
  body: JsonObject
}

/** In the body of the rejected request. */
export interface Edit {
  place: Place
  /** Absent: the member is removed. */
  value?: Json
}

/** At least one of its members changes something. */
export interface Candidate {
  /** An imperative sentence without a period. */
  title: string
  /** In order. */
  writes?: readonly RepairWrite[]
  edits?: readonly Edit[]
  /** The request, if more than its body changes. */
  request?: SentRequest
}

export interface Rejection {
  request: SentRequest
  /** The body, if it is an object. */
  object: JsonObject | undefined
  status: Status
  grounds: RejectionGrounds | undefined
  errors: readonly FieldError[]
  policies: readonly PolicyFinding[]
  /** The user whom the server rejected. */
  user: string
  /** Attributes of the request, empty if they do not apply. */
  target: { group: string; resource: string; subresource: string; namespace: string; name: string }
  /** The members that the type of an object in the body has; empty if unknown. */
  fieldNames(place: Place): readonly string[]
  /** @returns undefined unless the response is 200 */
  read(path: string): Promise<JsonObject | undefined>
  /** The object of the request at an earlier revision; undefined if compacted. */
  readAt(resourceVersion: string): Promise<JsonObject | undefined>
}

/** One way to repair. The table of all is in kinds.ts. */
export interface RepairKind {
  name: string
  /** The smallest first: the first that passes is offered. Empty if it does not apply. */
  candidates(rejection: Rejection): readonly Candidate[] | Promise<readonly Candidate[]>
}
