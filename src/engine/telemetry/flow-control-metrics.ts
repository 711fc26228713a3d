/** No request waits and each takes one seat, so many values follow from counts. */
import type { Flows, Tally } from '../flow-control/flows'
import {
  type Allocation,
  allocate,
  IN_FLIGHT_LIMITS,
  limitsOf,
  type PriorityLevel,
  SERVER_LIMIT,
} from '../flow-control/limits'
import type { Demand, Load } from '../flow-control/load'
import type { HistogramName, NumberName } from './families/families'
import type { Labels } from './instruments'
import type { MetricRegistry } from './registry'

const NANOSECONDS_A_MILLISECOND = 1e6
const NONE = { highWatermark: 0, average: 0, deviation: 0, smoothed: 0 }

const gaugeName = (name: string): NumberName => `apiserver_flowcontrol_${name}` as NumberName

export class FlowControlMetrics {
  constructor(private readonly registry: MetricRegistry) {
    const { registry: all } = this
    all
      .numbers('apiserver_flowcontrol_request_concurrency_limit')
      .mirror(all.numbers('apiserver_flowcontrol_nominal_limit_seats'))
    all
      .numbers('apiserver_flowcontrol_request_concurrency_in_use')
      .mirror(all.numbers('apiserver_flowcontrol_current_executing_seats'))
  }

  /** @param now milliseconds of the stopwatch */
  read(
    flows: Flows,
    levels: readonly PriorityLevel[],
    inFlight: Readonly<Record<'mutating' | 'readOnly', Load>>,
    now: number,
  ): void {
    const loads = flows.loads()
    const times = new Map([...loads].map(([level, load]) => [level, load.take(now)]))
    const { allocations, fraction } = allocate(
      limitsOf(levels),
      (level) => loads.get(level)?.demand ?? NONE,
    )
    this.registry.numbers('apiserver_flowcontrol_seat_fair_frac').at({}).value = fraction
    for (const gauge of LEVEL_GAUGES) this.registry.numbers(gaugeName(gauge.name)).clear()
    for (const allocation of allocations)
      this.readLevel(
        allocation,
        loads.get(allocation.level)?.demand ?? NONE,
        times.get(allocation.level) ?? [],
      )
    const queuing = new Set(
      allocations.filter(({ queueRoom }) => queueRoom > 0).map(({ level }) => level),
    )
    for (const tally of flows.counted())
      if (tally.dispatched > 0) this.readTally(tally, queuing.has(tally.level))
    for (const request_kind of ['mutating', 'readOnly'] as const)
      this.readKind(request_kind, inFlight[request_kind].take(now))
  }

  private readLevel(allocation: Allocation, demand: Demand, times: readonly number[]): void {
    const { level, current, queueRoom } = allocation
    const labels = { priority_level: level }
    for (const { name, of } of LEVEL_GAUGES)
      this.registry.numbers(gaugeName(name)).at(labels).value = of(allocation, demand)
    const seats = current > 0 ? current : Math.max(1, Math.round(SERVER_LIMIT / 10))
    this.observe('apiserver_flowcontrol_demand_seats', labels, times, seats)
    this.observe('apiserver_flowcontrol_priority_level_seat_utilization', labels, times, seats)
    this.observe(
      'apiserver_flowcontrol_priority_level_request_utilization',
      { ...labels, phase: 'executing' },
      times,
      seats,
    )
    this.observe(
      'apiserver_flowcontrol_priority_level_request_utilization',
      { ...labels, phase: 'waiting' },
      idle(times),
      queueRoom || 1,
    )
  }

  private readKind(request_kind: 'mutating' | 'readOnly', times: readonly number[]): void {
    const name = 'apiserver_flowcontrol_read_vs_write_current_requests'
    this.observe(name, { phase: 'executing', request_kind }, times, IN_FLIGHT_LIMITS[request_kind])
    this.observe(name, { phase: 'waiting', request_kind }, idle(times), 1)
  }

  /** Once per nanosecond, as kube-apiserver does. */
  private observe(
    name: HistogramName,
    labels: Labels,
    times: readonly number[],
    denominator: number,
  ): void {
    const distribution = this.registry.histogram(name).at(labels)
    times.forEach((milliseconds, requests) => {
      const nanoseconds = Math.round(milliseconds * NANOSECONDS_A_MILLISECOND)
      if (nanoseconds > 0) distribution.observeTimes(requests / denominator, nanoseconds)
    })
  }

  private readTally({ level, schema, dispatched, executing }: Tally, queues: boolean): void {
    const { registry } = this
    const labels = { priority_level: level, flow_schema: schema }
    registry.numbers('apiserver_flowcontrol_dispatched_requests_total').at(labels).value =
      dispatched
    registry.numbers('apiserver_flowcontrol_current_executing_requests').at(labels).value =
      executing
    registry.numbers('apiserver_flowcontrol_current_executing_seats').at(labels).value = executing
    this.every('apiserver_flowcontrol_work_estimated_seats', labels, dispatched, 1)
    if (!queues) return
    registry.numbers('apiserver_flowcontrol_current_inqueue_requests').at(labels).value = 0
    registry.numbers('apiserver_flowcontrol_current_inqueue_seats').at(labels).value = 0
    this.every(
      'apiserver_flowcontrol_request_wait_duration_seconds',
      { ...labels, execute: 'true' },
      dispatched,
      0,
    )
    this.every('apiserver_flowcontrol_request_queue_length_after_enqueue', labels, dispatched, 1)
  }

  private every(name: HistogramName, labels: Labels, requests: number, value: number): void {
    const distribution = this.registry.histogram(name).at(labels)
    distribution.observeTimes(value, requests - distribution.count)
  }
}

/** Of a queue that is always empty. */
const idle = (times: readonly number[]): readonly number[] => [
  times.reduce((all, time) => all + time, 0),
]

const LEVEL_GAUGES: readonly {
  name: string
  of(allocation: Allocation, demand: Demand): number
}[] = [
  { name: 'current_limit_seats', of: ({ current }) => current },
  { name: 'demand_seats_average', of: (_, { average }) => average },
  { name: 'demand_seats_high_watermark', of: (_, { highWatermark }) => highWatermark },
  { name: 'demand_seats_smoothed', of: (_, { smoothed }) => smoothed },
  { name: 'demand_seats_stdev', of: (_, { deviation }) => deviation },
  { name: 'lower_limit_seats', of: ({ lower }) => lower },
  { name: 'nominal_limit_seats', of: ({ nominal }) => nominal },
  { name: 'target_seats', of: ({ target }) => target },
  { name: 'upper_limit_seats', of: ({ upper }) => upper },
]
