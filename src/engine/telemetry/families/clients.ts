/** Metric families of client-go: outbound requests and work queues. */
import { counter, exponential, gauge, histogram } from './family'

/** From 64 bytes to 16 MiB. */
const SIZES = [64, 256, 512, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216]
const QUEUE_SECONDS = exponential(1e-8, 10, 10)

export const CLIENT_FAMILIES = {
  leader_election_master_status: gauge(
    'ALPHA',
    "Gauge of if the reporting system is master of the relevant lease, 0 indicates backup, 1 indicates master. 'name' is the string used to identify the lease. Please make sure to group by name.",
    ['name'],
  ),
  leader_election_slowpath_total: counter(
    'ALPHA',
    "Total number of slow path exercised in renewing leader leases. 'name' is the string used to identify the lease. Please make sure to group by name.",
    ['name'],
  ),
  rest_client_request_duration_seconds: histogram(
    'ALPHA',
    'Request latency in seconds. Broken down by verb, and host.',
    ['host', 'verb'],
    [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60],
  ),
  rest_client_request_size_bytes: histogram(
    'ALPHA',
    'Request size in bytes. Broken down by verb and host.',
    ['host', 'verb'],
    SIZES,
  ),
  rest_client_requests_total: counter(
    'ALPHA',
    'Number of HTTP requests, partitioned by status code, method, and host.',
    ['code', 'host', 'method'],
  ),
  rest_client_response_size_bytes: histogram(
    'ALPHA',
    'Response size in bytes. Broken down by verb and host.',
    ['host', 'verb'],
    SIZES,
  ),
  workqueue_adds_total: counter('ALPHA', 'Total number of adds handled by workqueue', ['name']),
  workqueue_depth: gauge('ALPHA', 'Current depth of workqueue', ['name']),
  workqueue_longest_running_processor_seconds: gauge(
    'ALPHA',
    'How many seconds has the longest running processor for workqueue been running.',
    ['name'],
  ),
  workqueue_queue_duration_seconds: histogram(
    'ALPHA',
    'How long in seconds an item stays in workqueue before being requested.',
    ['name'],
    QUEUE_SECONDS,
    { startsEmpty: true },
  ),
  workqueue_retries_total: counter('ALPHA', 'Total number of retries handled by workqueue', [
    'name',
  ]),
  workqueue_unfinished_work_seconds: gauge(
    'ALPHA',
    "How many seconds of work has done that is in progress and hasn't been observed by work_duration. Large values indicate stuck threads. One can deduce the number of stuck threads by observing the rate at which this increases.",
    ['name'],
  ),
  workqueue_work_duration_seconds: histogram(
    'ALPHA',
    'How long in seconds processing an item from workqueue takes.',
    ['name'],
    QUEUE_SECONDS,
    { startsEmpty: true },
  ),
} as const
