/**
 * A policy test set: API documents (policies, bindings, parameters, namespaces, CRDs …), and
 * documents of this kind:
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

/** Refers to a document of the set, which is not created in the cluster. */
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

/** Omitted members are not checked. */
export interface Expectation {
  allowed?: boolean
  /** A part of the error message. */
  message?: string
  code?: number
  reason?: string
  /** Parts of each warning, in any order; empty: no warnings. */
  warnings?: readonly string[]
  /** By `policy/key`. */
  auditAnnotations?: Readonly<Record<string, string>>
  /** All failing validations of policies. */
  validations?: readonly ExpectedFailure[]
  /** Causes that the error must have, such as those of custom resources' rules. */
  causes?: readonly ExpectedCause[]
}

export interface TestCase {
  name: string
  operation: TestedOperation
  subresource: string
  /** An administrator if absent. */
  user: TestUser | undefined
  /** Absent for a DELETE. */
  object: JsonObject | undefined
  /** The stored object before the request. */
  oldObject: JsonObject | undefined
  /** Absent: the case only shows its result. */
  expect: Expectation | undefined
}

export interface PolicyTest {
  name: string
  cases: readonly TestCase[]
}

export interface TestSet {
  /** In order of creation. */
  objects: readonly KubeObject[]
  tests: readonly PolicyTest[]
}

export interface CaseResponse {
  status: number
  allowed: boolean
  /** The Status message; empty if allowed. */
  message: string
  reason: string
  causes: readonly { field: string; message: string }[]
  warnings: readonly string[]
  auditAnnotations: Readonly<Record<string, string>>
  findings: readonly PolicyFinding[]
  /** As it would be stored. */
  object: JsonObject | undefined
}

export interface CaseResult {
  test: string
  name: string
  /** `CREATE deployments.apps default/web` */
  request: string
  /** `shown`: no expectation; `broken`: the request could not be sent. */
  outcome: 'passed' | 'failed' | 'shown' | 'broken'
  /** Reasons why the case failed or is broken. */
  problems: readonly string[]
  response: CaseResponse | undefined
}
