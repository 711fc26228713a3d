/**
 * Findings of policies about a request, in more detail than its response, for users who test
 * policies.
 */

/** One validation for one request and one parameter. */
export interface ValidationFinding {
  /** In the policy. */
  index: number
  /**
   * `unknown`: the evaluation failed; the failure policy decides whether that denies the request.
   */
  outcome: 'holds' | 'fails' | 'unknown'
  /** The message of a failed validation, or the evaluation error. */
  message?: string
  /** Steps of its expression and of variables that it was the first to use. */
  cost: number
}

/** One mutation for one request and one parameter. */
export interface MutationFinding {
  /** In the policy. */
  index: number
  /** `failed`: not applied; the failure policy decides whether that denies the request. */
  outcome: 'changed' | 'unchanged' | 'failed'
  message?: string
  /** Steps of its expression and its variables. */
  cost: number
}

/** The result of one policy for a request under one binding, with one parameter. */
export interface PolicyFinding {
  policy: string
  binding: string
  /** Of the binding: `Deny`, `Warn`, `Audit`. */
  actions: readonly string[]
  /** `namespace/name` or `name`; absent without a parameter. */
  param?: string
  /** `skipped`: a match condition was false; `failed`: not evaluated, see `message`. */
  outcome: 'evaluated' | 'skipped' | 'failed'
  message?: string
  /** Empty if none was evaluated. */
  validations: readonly ValidationFinding[]
  /** Absent for a ValidatingAdmissionPolicy. */
  mutations?: readonly MutationFinding[]
  auditAnnotations: readonly { key: string; value: string }[]
}
