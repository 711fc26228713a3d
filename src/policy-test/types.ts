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

/**
 * Refers to a document of the set instead of repeating the object. Such a document is not created
 * in the cluster.
 */
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

/** A field in the error, with a part of its message. */
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
  /** A part of each warning, in any order; an empty list: no warnings. */
  warnings?: readonly string[]
  /** By `policy/key`. */
  auditAnnotations?: Readonly<Record<string, string>>
  /** All failing validations of policies. */
  validations?: readonly ExpectedFailure[]
  /** Causes of the error, such as those of rules of custom resources. The error may have others. */
  causes?: readonly ExpectedCause[]
}

export interface TestCase {
  name: string
  operation: TestedOperation
  subresource: string
  /** An administrator if absent. */
  user: TestUser | undefined
  /** The object in the request; absent for a DELETE. */
  object: JsonObject | undefined
  /** The stored object before the request. */
  oldObject: JsonObject | undefined
  /** Absent: the case only shows its result, and cannot fail. */
  expect: Expectation | undefined
}

export interface PolicyTest {
  name: string
  cases: readonly TestCase[]
}

export interface TestSet {
  /** The objects of the cluster, in order of creation. */
  objects: readonly KubeObject[]
  tests: readonly PolicyTest[]
}

export interface CaseResponse {
  status: number
  allowed: boolean
  /** The message of the Status; empty if the request was allowed. */
  message: string
  reason: string
  causes: readonly { field: string; message: string }[]
  warnings: readonly string[]
  auditAnnotations: Readonly<Record<string, string>>
  /** The findings of each matching policy. */
  findings: readonly PolicyFinding[]
  /** As it would be stored. */
  object: JsonObject | undefined
}

export interface CaseResult {
  test: string
  name: string
  /** `CREATE deployments.apps default/web` */
  request: string
  /** `shown`: the case has no expectation; `broken`: the request could not be sent. */
  outcome: 'passed' | 'failed' | 'shown' | 'broken'
  /** Reasons why the case failed or is broken. */
  problems: readonly string[]
  response: CaseResponse | undefined
}
