/** Metrics of the aggregation layer. kubernetes.io, "Kubernetes Metrics Reference". */
import type { MetricRegistry } from './registry'

export class AggregationInstruments {
  private readonly found
  private readonly present

  constructor(registry: MetricRegistry) {
    this.found = registry.numbers('aggregator_unavailable_apiservice_total')
    this.present = registry.numbers('aggregator_unavailable_apiservice')
  }

  unavailable(name: string, reason: string): void {
    this.found.at({ name, reason }).value++
  }

  /** @param available by APIService */
  set(available: ReadonlyMap<string, boolean>): void {
    this.present.clear()
    for (const [name, can] of available) this.present.at({ name }).value = can ? 0 : 1
  }
}
