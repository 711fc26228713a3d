/** What policies found in a request, for users who test them. */

/** For one request and one parameter. */
export interface ValidationFinding {
  index: number
  /** `unknown`: the evaluation failed; the failure policy decides. */
  outcome: 'holds' | 'fails' | 'unknown'
  message?: string
  /** With variables that it was the first to use. */
  cost: number
}

export interface MutationFinding {
  index: number
  /** `failed`: not applied; the failure policy decides. */
  outcome: 'changed' | 'unchanged' | 'failed'
  message?: string
  cost: number
}

/** Per binding and parameter. */
export interface PolicyFinding {
  policy: string
  binding: string
  /** `Deny`, `Warn`, `Audit`. */
  actions: readonly string[]
  /** `namespace/name` or `name`. */
  param?: string
  /** `skipped`: by a match condition; `failed`: see `message`. */
  outcome: 'evaluated' | 'skipped' | 'failed'
  message?: string
  validations: readonly ValidationFinding[]
  /** Of MutatingAdmissionPolicies. */
  mutations?: readonly MutationFinding[]
  auditAnnotations: readonly { key: string; value: string }[]
}
