/** For users who test policies: more detail than the response. */

/** For one request and one parameter. */
export interface ValidationFinding {
  /** In the policy. */
  index: number
  /** `unknown`: the evaluation failed; the failure policy decides. */
  outcome: 'holds' | 'fails' | 'unknown'
  /** Of a failed validation, or the evaluation error. */
  message?: string
  /** Steps of its expression and of variables that it was the first to use. */
  cost: number
}

/** For one request and one parameter. */
export interface MutationFinding {
  /** In the policy. */
  index: number
  /** `failed`: not applied; the failure policy decides. */
  outcome: 'changed' | 'unchanged' | 'failed'
  message?: string
  /** Steps of its expression and its variables. */
  cost: number
}

/** One policy under one binding, with one parameter. */
export interface PolicyFinding {
  policy: string
  binding: string
  /** `Deny`, `Warn`, `Audit`. */
  actions: readonly string[]
  /** `namespace/name` or `name`. */
  param?: string
  /** `skipped`: a match condition was false; `failed`: not evaluated, see `message`. */
  outcome: 'evaluated' | 'skipped' | 'failed'
  message?: string
  validations: readonly ValidationFinding[]
  /** Absent for a ValidatingAdmissionPolicy. */
  mutations?: readonly MutationFinding[]
  auditAnnotations: readonly { key: string; value: string }[]
}
