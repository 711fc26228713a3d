/** Metrics of webhooks. kubernetes.io, "Kubernetes Metrics Reference". */
import type { ConversionFailure, ConversionMetrics } from '../webhooks/metrics'
import type { MetricRegistry } from './registry'

export class WebhookInstruments implements ConversionMetrics {
  private readonly conversions
  private readonly conversionSeconds
  private readonly definitionSeconds

  constructor(registry: MetricRegistry) {
    this.conversions = registry.numbers('apiserver_conversion_webhook_request_total')
    this.conversionSeconds = registry.histogram('apiserver_conversion_webhook_duration_seconds')
    this.definitionSeconds = registry.histogram('apiserver_crd_conversion_webhook_duration_seconds')
  }

  converted(
    definition: string,
    from: string,
    to: string,
    seconds: number,
    failure: ConversionFailure | undefined,
  ): void {
    const result = {
      result: failure === undefined ? 'success' : 'failure',
      failure_type: failure ?? '',
    }
    this.conversions.at(result).value++
    this.conversionSeconds.at(result).observe(seconds)
    const succeeded = String(failure === undefined)
    this.definitionSeconds
      .at({ crd_name: definition, from_version: from, to_version: to, succeeded })
      .observe(seconds)
  }
}
