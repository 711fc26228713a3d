/** What is counted of calls of webhooks; `observation` has the instruments. */

/** Why a conversion came to nothing, as the metric says it. */
export type ConversionFailure =
  | 'conversion_webhook_call_failure'
  | 'conversion_webhook_malformed_response_failure'
  | 'conversion_webhook_partial_response_failure'
  | 'conversion_webhook_invalid_converted_object_failure'

export interface ConversionMetrics {
  /** A webhook was asked to convert objects of a definition from one version to another. @param failure undefined: it did */
  converted(definition: string, from: string, to: string, seconds: number, failure: ConversionFailure | undefined): void
}
