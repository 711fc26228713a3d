import { counter, gauge, histogram } from './family'

export const FLOW_SECONDS = [0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30]

export const FLOW_CONTROL_FAMILIES = {
  apiserver_flowcontrol_current_executing_requests: gauge(
    'BETA',
    'Number of requests in initial (for a WATCH) or any (for a non-WATCH) execution stage in the API Priority and Fairness subsystem',
    ['flow_schema', 'priority_level'],
  ),
  apiserver_flowcontrol_current_executing_seats: gauge(
    'BETA',
    'Concurrency (number of seats) occupied by the currently executing (initial stage for a WATCH, any stage otherwise) requests in the API Priority and Fairness subsystem',
    ['flow_schema', 'priority_level'],
  ),
  apiserver_flowcontrol_current_inqueue_requests: gauge(
    'BETA',
    'Number of requests currently pending in queues of the API Priority and Fairness subsystem',
    ['flow_schema', 'priority_level'],
  ),
  apiserver_flowcontrol_current_inqueue_seats: gauge(
    'ALPHA',
    'Number of seats currently pending in queues of the API Priority and Fairness subsystem',
    ['flow_schema', 'priority_level'],
  ),
  apiserver_flowcontrol_current_limit_seats: gauge(
    'ALPHA',
    'current derived number of execution seats available to each priority level',
    ['priority_level'],
  ),
  apiserver_flowcontrol_demand_seats: histogram(
    'ALPHA',
    'Observations, at the end of every nanosecond, of (the number of seats each priority level could use) / (nominal number of seats for that level)',
    ['priority_level'],
    [0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.7, 2, 2.8, 4, 6],
    { experimental: true },
  ),
  apiserver_flowcontrol_demand_seats_average: gauge(
    'ALPHA',
    'Time-weighted average, over last adjustment period, of demand_seats',
    ['priority_level'],
  ),
  apiserver_flowcontrol_demand_seats_high_watermark: gauge(
    'ALPHA',
    'High watermark, over last adjustment period, of demand_seats',
    ['priority_level'],
  ),
  apiserver_flowcontrol_demand_seats_smoothed: gauge('ALPHA', 'Smoothed seat demands', [
    'priority_level',
  ]),
  apiserver_flowcontrol_demand_seats_stdev: gauge(
    'ALPHA',
    'Time-weighted standard deviation, over last adjustment period, of demand_seats',
    ['priority_level'],
  ),
  apiserver_flowcontrol_dispatched_requests_total: counter(
    'BETA',
    'Number of requests executed by API Priority and Fairness subsystem',
    ['flow_schema', 'priority_level'],
  ),
  apiserver_flowcontrol_lower_limit_seats: gauge(
    'ALPHA',
    'Configured lower bound on number of execution seats available to each priority level',
    ['priority_level'],
  ),
  apiserver_flowcontrol_nominal_limit_seats: gauge(
    'BETA',
    'Nominal number of execution seats configured for each priority level',
    ['priority_level'],
  ),
  apiserver_flowcontrol_priority_level_request_utilization: histogram(
    'ALPHA',
    'Observations, at the end of every nanosecond, of number of requests (as a fraction of the relevant limit) waiting or in any stage of execution (but only initial stage for WATCHes)',
    ['phase', 'priority_level'],
    [0, 0.001, 0.003, 0.01, 0.03, 0.1, 0.25, 0.5, 0.75, 1],
    { experimental: true },
  ),
  apiserver_flowcontrol_priority_level_seat_utilization: histogram(
    'ALPHA',
    'Observations, at the end of every nanosecond, of utilization of seats for any stage of execution (but only initial stage for WATCHes)',
    ['priority_level'],
    [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1],
    { constant: { phase: 'executing' }, experimental: true },
  ),
  apiserver_flowcontrol_read_vs_write_current_requests: histogram(
    'ALPHA',
    'Observations, at the end of every nanosecond, of the number of requests (as a fraction of the relevant limit) waiting or in regular stage of execution',
    ['phase', 'request_kind'],
    [0, 0.001, 0.01, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1],
    { experimental: true },
  ),
  apiserver_flowcontrol_rejected_requests_total: counter(
    'BETA',
    'Number of requests rejected by API Priority and Fairness subsystem',
    ['flow_schema', 'priority_level', 'reason'],
  ),
  apiserver_flowcontrol_request_concurrency_in_use: gauge(
    'ALPHA',
    'Concurrency (number of seats) occupied by the currently executing (initial stage for a WATCH, any stage otherwise) requests in the API Priority and Fairness subsystem',
    ['flow_schema', 'priority_level'],
    { deprecated: '1.31.0' },
  ),
  apiserver_flowcontrol_request_concurrency_limit: gauge(
    'ALPHA',
    'Nominal number of execution seats configured for each priority level',
    ['priority_level'],
    { deprecated: '1.30.0' },
  ),
  apiserver_flowcontrol_request_execution_seconds: histogram(
    'ALPHA',
    'Duration of initial stage (for a WATCH) or any (for a non-WATCH) stage of request execution in the API Priority and Fairness subsystem',
    ['flow_schema', 'priority_level', 'type'],
    FLOW_SECONDS,
  ),
  apiserver_flowcontrol_request_queue_length_after_enqueue: histogram(
    'ALPHA',
    'Length of queue in the API Priority and Fairness subsystem, as seen by each request after it is enqueued',
    ['flow_schema', 'priority_level'],
    [0, 10, 25, 50, 100, 250, 500, 1000],
  ),
  apiserver_flowcontrol_request_wait_duration_seconds: histogram(
    'BETA',
    'Length of time a request spent waiting in its queue',
    ['execute', 'flow_schema', 'priority_level'],
    FLOW_SECONDS,
  ),
  apiserver_flowcontrol_seat_fair_frac: gauge(
    'ALPHA',
    "Fair fraction of server's concurrency to allocate to each priority level that can use it",
  ),
  apiserver_flowcontrol_target_seats: gauge('ALPHA', 'Seat allocation targets', ['priority_level']),
  apiserver_flowcontrol_upper_limit_seats: gauge(
    'ALPHA',
    'Configured upper bound on number of execution seats available to each priority level',
    ['priority_level'],
  ),
  apiserver_flowcontrol_work_estimated_seats: histogram(
    'ALPHA',
    'Number of estimated seats (maximum of initial and final seats) associated with requests in API Priority and Fairness',
    ['flow_schema', 'priority_level'],
    [1, 2, 4, 10],
  ),
} as const
