/** What policies found in a request: more than its answer tells, for people who try policies out. */

/** One validation of a policy for one request and one parameter. */
export interface ValidationFinding {
  /** Its place in the policy. */
  index: number
  /** `unknown`: it could not be told, and whether that denies is the failure policy's business. */
  outcome: 'holds' | 'fails' | 'unknown'
  /** What is said if it fails, or why it is not known. */
  message?: string
  /** Steps of its expression, with those of variables that it was the first to use. */
  cost: number
}

/** What one policy said of a request by one of its bindings, with one of its parameters. */
export interface PolicyFinding {
  policy: string
  binding: string
  /** What the binding does with a validation that fails: `Deny`, `Warn`, `Audit`. */
  actions: readonly string[]
  /** `namespace/name` or `name`; absent: it was judged without a parameter. */
  param?: string
  /** `skipped`: a match condition was false; `failed`: it could not be judged at all, for the reason in `message`. */
  outcome: 'judged' | 'skipped' | 'failed'
  message?: string
  /** In their order; none if it was not judged. */
  validations: readonly ValidationFinding[]
  /** What audit annotations came to. */
  auditAnnotations: readonly { key: string; value: string }[]
}
