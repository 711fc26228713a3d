/** The metrics of webhooks, by the names, labels and buckets of the real server (public documentation, "Kubernetes metrics reference"). */
import type { ConversionFailure, ConversionMetrics } from '../webhooks/metrics'
import { counter, histogram, type Instrument } from './instruments'

const CONVERSION_SECONDS = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 45, 60]
/** From a millisecond, each the double of the one before. */
const DEFINITION_SECONDS = Array.from({ length: 15 }, (_, power) => 0.001 * 2 ** power)

export class WebhookInstruments implements ConversionMetrics, Instrument {
  private readonly conversions = counter(
    'apiserver_conversion_webhook_request_total',
    'Counter for conversion webhook requests with success/failure and failure error type',
  )
  private readonly conversionSeconds = histogram(
    'apiserver_conversion_webhook_duration_seconds',
    'Conversion webhook request latency',
    CONVERSION_SECONDS,
  )
  private readonly definitionSeconds = histogram(
    'apiserver_crd_conversion_webhook_duration_seconds',
    'CRD webhook conversion duration in seconds',
    DEFINITION_SECONDS,
  )

  converted(definition: string, from: string, to: string, seconds: number, failure: ConversionFailure | undefined): void {
    const result = { result: failure === undefined ? 'success' : 'failure', failure_type: failure ?? '' }
    this.conversions.at(result).value++
    this.conversionSeconds.at(result).observe(seconds)
    const succeeded = String(failure === undefined)
    this.definitionSeconds.at({ crd_name: definition, from_version: from, to_version: to, succeeded }).observe(seconds)
  }

  write(lines: string[]): void {
    for (const one of [this.conversions, this.conversionSeconds, this.definitionSeconds]) one.write(lines)
  }
}
