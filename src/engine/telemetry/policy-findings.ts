/**
 * Findings of policies about a request, in more detail than its response, for users who test
 * policies.
 */

/** One validation of a policy for one request and one parameter. */
export interface ValidationFinding {
  /** Its place in the policy. */
  index: number
  /**
   * `unknown`: the evaluation failed; the failure policy decides whether that denies the request.
   */
  outcome: 'holds' | 'fails' | 'unknown'
  /** The message of a failed validation, or the evaluation error. */
  message?: string
  /** Steps of its expression, with those of variables that it was the first to use. */
  cost: number
}

/** One mutation of a policy for one request and one parameter. */
export interface MutationFinding {
  /** Its place in the policy. */
  index: number
  /** `failed`: it was not applied; the failure policy decides whether that denies the request. */
  outcome: 'changed' | 'unchanged' | 'failed'
  message?: string
  /** Steps of its expression, with those of variables. */
  cost: number
}

/** The result of one policy for a request under one binding, with one parameter. */
export interface PolicyFinding {
  policy: string
  binding: string
  /** The validation actions of the binding: `Deny`, `Warn`, `Audit`. */
  actions: readonly string[]
  /** `namespace/name` or `name`; absent if it was evaluated without a parameter. */
  param?: string
  /**
   * `skipped`: a match condition was false; `failed`: it was not evaluated, for the reason in
   * `message`.
   */
  outcome: 'evaluated' | 'skipped' | 'failed'
  message?: string
  /** In order; empty if none was evaluated. */
  validations: readonly ValidationFinding[]
  /** In order; absent for a ValidatingAdmissionPolicy. */
  mutations?: readonly MutationFinding[]
  /** The values of audit annotations. */
  auditAnnotations: readonly { key: string; value: string }[]
}
