/** The metrics of aggregated servers, by the names and labels of the real server (public documentation, "Kubernetes metrics reference"). */
import { counter, type Instrument, Numbers } from './instruments'

export class AggregationInstruments implements Instrument {
  private readonly found = counter(
    'aggregator_unavailable_apiservice_total',
    'Counter of APIServices which are marked as unavailable broken down by APIService name and reason.',
  )
  private readonly present = new Numbers(
    {
      name: 'aggregator_unavailable_apiservice',
      stability: 'ALPHA',
      help: 'Gauge of APIServices which are marked as unavailable broken down by APIService name.',
    },
    'gauge',
  )

  unavailable(name: string, reason: string): void {
    this.found.at({ name, reason }).value++
  }

  /** @param available by the names of APIServices */
  set(available: ReadonlyMap<string, boolean>): void {
    this.present.clear()
    for (const [name, can] of available) this.present.at({ name }).value = can ? 0 : 1
  }

  write(lines: string[]): void {
    for (const one of [this.present, this.found]) one.write(lines)
  }
}
