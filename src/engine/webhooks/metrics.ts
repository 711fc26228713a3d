/** `telemetry` implements these. */

export type ConversionFailure =
  | 'conversion_webhook_call_failure'
  | 'conversion_webhook_malformed_response_failure'
  | 'conversion_webhook_partial_response_failure'
  | 'conversion_webhook_invalid_converted_object_failure'

export interface ConversionMetrics {
  /** @param failure undefined for a success */
  converted(
    definition: string,
    from: string,
    to: string,
    seconds: number,
    failure: ConversionFailure | undefined,
  ): void
}

export interface CalledHook {
  name: string
  type: 'admit' | 'validating'
  operation: string
}

export type RejectionCause = 'no_error' | 'calling_webhook_error' | 'apiserver_internal_error'

export type CheckError = 'no_error' | 'compile_error' | 'invalid_error' | 'out_of_budget'

export interface PolicyCheck {
  policy: string
  binding: string
  action: 'allow' | 'deny' | 'warn' | 'audit'
  error: CheckError
}

export interface AdmissionMetrics {
  /** @param rejection absent: the request continues */
  webhookCalled(
    hook: CalledHook,
    seconds: number,
    code: number,
    rejection: RejectionCause | undefined,
  ): void
  /** A call failed, and the request continued. */
  webhookFailedOpen(hook: CalledHook): void
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
  /** @param seconds of each validation */
  policyChecked(of: PolicyCheck, seconds: number, validations: number): void
}

export interface ExpressionTimes {
  time<Result>(what: 'compilation' | 'evaluation', run: () => Result): Result
}
