/**
 * A policy test set: documents of the API (policies, bindings, parameters, namespaces, definitions …) and documents of a kind of
 * this project that state which requests are allowed.
 *
 *     apiVersion: kubetab/v1
 *     kind: PolicyTest
 *     metadata: { name: replica limits }
 *     cases:
 *     - name: five replicas are too many
 *       operation: CREATE            # or UPDATE (if there is an oldObject), DELETE
 *       user: { name: alice, groups: [developers] }
 *       object: { apiVersion: apps/v1, kind: Deployment, … }
 *       expect:
 *         allowed: false
 *         message: at most 4
 *         validations: [{ policy: replicas, index: 0 }]
 */
import type { JsonObject, KubeObject } from '../engine/core/object'
import type { PolicyFinding } from '../engine/telemetry/policy-findings'

export const TEST_VERSION = 'kubetab/v1'
export const TEST_KIND = 'PolicyTest'

export type TestedOperation = 'CREATE' | 'UPDATE' | 'DELETE'

/** Names a document of the set instead of repeating the object. Such a document is not created in the cluster. */
export interface DocumentReference {
  apiVersion?: string
  kind: string
  name: string
  namespace?: string
}

export interface TestUser {
  name: string
  uid?: string
  groups?: readonly string[]
  extra?: Readonly<Record<string, readonly string[]>>
}

/** A validation that fails or cannot be evaluated. */
export interface ExpectedFailure {
  policy?: string
  binding?: string
  index?: number
  /** A part of its message. */
  message?: string
}

/** A field that the error names, with a part of its message. */
export interface ExpectedCause {
  field?: string
  message?: string
}

/** Expected results. Omitted members are not checked. */
export interface Expectation {
  allowed?: boolean
  /** A part of the error message. */
  message?: string
  code?: number
  reason?: string
  /** Part of each warning, in any order; an empty list: there is none. */
  warnings?: readonly string[]
  /** Of policies, by `policy/key`. */
  auditAnnotations?: Readonly<Record<string, string>>
  /** All validations of policies that fail, and no others. */
  validations?: readonly ExpectedFailure[]
  /** Causes that the error must have, as from rules of custom resources; it may have others. */
  causes?: readonly ExpectedCause[]
}

export interface TestCase {
  name: string
  operation: TestedOperation
  subresource: string
  /** An administrator if absent. */
  user: TestUser | undefined
  /** What is written; of a DELETE it is absent. */
  object: JsonObject | undefined
  /** What is stored before. */
  oldObject: JsonObject | undefined
  /** Absent: the case shows what happens, and cannot fail. */
  expect: Expectation | undefined
}

export interface PolicyTest {
  name: string
  cases: readonly TestCase[]
}

export interface TestSet {
  /** What the cluster has, in the order in which it is made. */
  objects: readonly KubeObject[]
  tests: readonly PolicyTest[]
}

/** What became of the request of a case. */
export interface CaseResponse {
  status: number
  allowed: boolean
  /** Of the Status of the rejected request; empty if it was allowed. */
  message: string
  reason: string
  causes: readonly { field: string; message: string }[]
  warnings: readonly string[]
  auditAnnotations: Readonly<Record<string, string>>
  /** What each policy that looked at it found. */
  findings: readonly PolicyFinding[]
  /** The object as it would be stored. */
  object: JsonObject | undefined
}

export interface CaseResult {
  test: string
  name: string
  /** `CREATE deployments.apps default/web` */
  request: string
  /** `shown`: nothing was expected; `broken`: the request could not be made. */
  outcome: 'passed' | 'failed' | 'shown' | 'broken'
  /** Why it failed or is broken, one by one. */
  problems: readonly string[]
  response: CaseResponse | undefined
}
