/** What is counted of webhooks, policies and expressions; `observation` has the instruments. */

/** Why a conversion came to nothing, as the metric says it. */
export type ConversionFailure =
  | 'conversion_webhook_call_failure'
  | 'conversion_webhook_malformed_response_failure'
  | 'conversion_webhook_partial_response_failure'
  | 'conversion_webhook_invalid_converted_object_failure'

export interface ConversionMetrics {
  /** A webhook was asked to convert objects of a definition from one version to another. @param failure undefined: it did */
  converted(
    definition: string,
    from: string,
    to: string,
    seconds: number,
    failure: ConversionFailure | undefined,
  ): void
}

/** A webhook, as metrics name it, and what is done by the request that it was asked about. */
export interface CalledHook {
  name: string
  type: 'admit' | 'validating'
  operation: string
}

export type RejectionCause = 'no_error' | 'calling_webhook_error' | 'apiserver_internal_error'

/** Why a validation of a policy could not be judged. */
export type CheckError = 'no_error' | 'compile_error' | 'invalid_error' | 'out_of_budget'

export interface PolicyCheck {
  policy: string
  binding: string
  /** What its outcome leads to. */
  action: 'allow' | 'deny' | 'warn' | 'audit'
  error: CheckError
}

export interface AdmissionMetrics {
  /** @param code status of the webhook's answer @param rejection why the request goes no further because of it; undefined: it does */
  webhookCalled(
    hook: CalledHook,
    seconds: number,
    code: number,
    rejection: RejectionCause | undefined,
  ): void
  /** A call failed and the request went on. */
  webhookFailedOpen(hook: CalledHook): void
  /** Conditions of a webhook or policy were evaluated. */
  conditionsEvaluated(
    of: {
      kind: 'webhook' | 'policy'
      name: string
      type: 'admit' | 'validating' | 'validate'
      operation: string
    },
    seconds: number,
    outcome: 'met' | 'excluded' | 'failed',
  ): void
  /** So many validations of a policy were judged by a binding, each in that time, and all with that outcome. */
  policyChecked(of: PolicyCheck, seconds: number, validations: number): void
}

/** How long expressions of custom resources take. */
export interface ExpressionTimes {
  /** Runs something and writes down how long it took. */
  time<Result>(what: 'compilation' | 'evaluation', run: () => Result): Result
}
