/** The metrics of priority and fairness that mean something where nothing waits (public documentation, "Kubernetes metrics reference"). */
import type { Tally } from '../flow-control/flows'
import { type Instrument, Numbers } from './instruments'

export class FlowControlInstruments implements Instrument {
  private readonly dispatched = new Numbers(
    {
      name: 'apiserver_flowcontrol_dispatched_requests_total',
      stability: 'BETA',
      help: 'Number of requests executed by API Priority and Fairness subsystem',
    },
    'counter',
  )
  private readonly executing = new Numbers(
    {
      name: 'apiserver_flowcontrol_current_executing_requests',
      stability: 'BETA',
      help: 'Number of requests in initial (for a WATCH) or any (for a non-WATCH) execution stage in the API Priority and Fairness subsystem',
    },
    'gauge',
  )

  set(tallies: Iterable<Tally>): void {
    for (const { level, schema, dispatched, executing } of tallies) {
      if (dispatched === 0) continue
      const labels = { priority_level: level, flow_schema: schema }
      this.dispatched.at(labels).value = dispatched
      this.executing.at(labels).value = executing
    }
  }

  write(lines: string[], release?: string): void {
    this.executing.write(lines, release)
    this.dispatched.write(lines, release)
  }
}
