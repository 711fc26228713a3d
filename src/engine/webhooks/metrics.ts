/** Metrics interfaces of webhooks, policies and expressions; `telemetry` implements them. */

/** Reason of a failed conversion, a label of the metric. */
export type ConversionFailure =
  | 'conversion_webhook_call_failure'
  | 'conversion_webhook_malformed_response_failure'
  | 'conversion_webhook_partial_response_failure'
  | 'conversion_webhook_invalid_converted_object_failure'

export interface ConversionMetrics {
  /** Counts one call of a conversion webhook. @param failure undefined if it succeeded */
  converted(
    definition: string,
    from: string,
    to: string,
    seconds: number,
    failure: ConversionFailure | undefined,
  ): void
}

/** A webhook as metrics name it, with the operation of the request. */
export interface CalledHook {
  name: string
  type: 'admit' | 'validating'
  operation: string
}

export type RejectionCause = 'no_error' | 'calling_webhook_error' | 'apiserver_internal_error'

/** Why a validation of a policy was not evaluated. */
export type CheckError = 'no_error' | 'compile_error' | 'invalid_error' | 'out_of_budget'

export interface PolicyCheck {
  policy: string
  binding: string
  /** The enforcement action that follows. */
  action: 'allow' | 'deny' | 'warn' | 'audit'
  error: CheckError
}

export interface AdmissionMetrics {
  /**
   * @param code status of the response of the webhook @param rejection why the request is rejected;
   * undefined if it is not
   */
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
  /**
   * Counts validations of a policy under one binding, each with that duration and all with that
   * outcome.
   */
  policyChecked(of: PolicyCheck, seconds: number, validations: number): void
}

/** How long expressions of custom resources take. */
export interface ExpressionTimes {
  /** Runs something and writes down how long it took. */
  time<Result>(what: 'compilation' | 'evaluation', run: () => Result): Result
}
