/** Metric families of requests and their responses. */
import { counter, exponential, gauge, histogram, linear, REQUEST_SECONDS } from './family'

/** The buckets of service level indicators omit the fastest two. */
const SERVICE_LEVEL_SECONDS = REQUEST_SECONDS.slice(2)

export const RESPONSE_BYTES = exponential(1000, 10, 7)

export const REQUEST_FAMILIES = {
  apiserver_current_inflight_requests: gauge(
    'STABLE',
    'Maximal number of currently used inflight request limit of this apiserver per request kind in last second.',
    ['request_kind'],
  ),
  apiserver_current_inqueue_requests: gauge(
    'ALPHA',
    'Maximal number of queued requests in this apiserver per request kind in last second.',
    ['request_kind'],
  ),
  apiserver_longrunning_requests: gauge(
    'STABLE',
    'Gauge of all active long-running apiserver requests broken out by verb, group, version, resource, scope and component. Not all requests are tracked this way.',
    ['component', 'group', 'resource', 'scope', 'subresource', 'verb', 'version'],
  ),
  apiserver_request_aborts_total: counter(
    'ALPHA',
    'Number of requests which apiserver aborted possibly due to a timeout, for each group, version, verb, resource, subresource and scope',
    ['group', 'resource', 'scope', 'subresource', 'verb', 'version'],
  ),
  apiserver_request_body_size_bytes: histogram(
    'ALPHA',
    'Apiserver request body size in bytes broken out by resource and verb.',
    ['resource', 'verb'],
    linear(50_000, 100_000, 31),
  ),
  apiserver_request_duration_seconds: histogram(
    'STABLE',
    'Response latency distribution in seconds for each verb, dry run value, group, version, resource, subresource, scope and component.',
    ['component', 'dry_run', 'group', 'resource', 'scope', 'subresource', 'verb', 'version'],
    REQUEST_SECONDS,
  ),
  apiserver_request_filter_duration_seconds: histogram(
    'ALPHA',
    'Request filter latency distribution in seconds, for each filter type',
    ['filter'],
    [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 5, 10, 15, 30],
  ),
  apiserver_request_sli_duration_seconds: histogram(
    'ALPHA',
    'Response latency distribution (not counting webhook duration and priority & fairness queue wait times) in seconds for each verb, group, version, resource, subresource, scope and component.',
    ['component', 'group', 'resource', 'scope', 'subresource', 'verb', 'version'],
    SERVICE_LEVEL_SECONDS,
  ),
  apiserver_request_slo_duration_seconds: histogram(
    'ALPHA',
    'Response latency distribution (not counting webhook duration and priority & fairness queue wait times) in seconds for each verb, group, version, resource, subresource, scope and component.',
    ['component', 'group', 'resource', 'scope', 'subresource', 'verb', 'version'],
    SERVICE_LEVEL_SECONDS,
    { deprecated: '1.27.0' },
  ),
  apiserver_request_terminations_total: counter(
    'ALPHA',
    'Number of requests which apiserver terminated in self-defense.',
    ['code', 'component', 'group', 'resource', 'scope', 'subresource', 'verb', 'version'],
  ),
  apiserver_request_total: counter(
    'STABLE',
    'Counter of apiserver requests broken out for each verb, dry run value, group, version, resource, scope, component, and HTTP response code.',
    [
      'code',
      'component',
      'dry_run',
      'group',
      'resource',
      'scope',
      'subresource',
      'verb',
      'version',
    ],
  ),
  apiserver_requested_deprecated_apis: gauge(
    'STABLE',
    'Gauge of deprecated APIs that have been requested, broken out by API group, version, resource, subresource, and removed_release.',
    ['group', 'removed_release', 'resource', 'subresource', 'version'],
  ),
  apiserver_response_sizes: histogram(
    'STABLE',
    'Response size distribution in bytes for each group, version, verb, resource, subresource, scope and component.',
    ['component', 'group', 'resource', 'scope', 'subresource', 'verb', 'version'],
    RESPONSE_BYTES,
  ),
  apiserver_selfrequest_total: counter(
    'ALPHA',
    'Counter of apiserver self-requests broken out for each verb, API resource and subresource.',
    ['resource', 'subresource', 'verb'],
  ),
  apiserver_tls_handshake_errors_total: counter(
    'ALPHA',
    "Number of requests dropped with 'TLS handshake error from' error",
  ),
  apiserver_watch_events_sizes: histogram(
    'ALPHA',
    'Watch event size distribution in bytes',
    ['group', 'kind', 'version'],
    exponential(1024, 2, 8),
  ),
  apiserver_watch_events_total: counter('ALPHA', 'Number of events sent in watch clients', [
    'group',
    'kind',
    'version',
  ]),
  apiserver_watch_list_duration_seconds: histogram(
    'ALPHA',
    'Response latency distribution in seconds for watch list requests broken by group, version, resource and scope.',
    ['group', 'resource', 'scope', 'version'],
    [0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 2, 4, 6, 8, 10, 15, 20, 30, 45, 60],
  ),
  field_validation_request_duration_seconds: histogram(
    'ALPHA',
    'Response latency distribution in seconds for each field validation value',
    ['field_validation'],
    SERVICE_LEVEL_SECONDS,
    // kube-apiserver registers the series but observes no values.
    { startsEmpty: true },
  ),
} as const
