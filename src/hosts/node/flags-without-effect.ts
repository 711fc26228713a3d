/**
 * Flags of kube-apiserver that change nothing a client could observe here. The server accepts them,
 * so that command lines of kube-apiserver work, and logs that they have no effect. A flag that
 * would change responses is never in this list.
 */

interface Group {
  /** `--watch-cache has no effect: …` */
  why: string
  /** Flags that need a value. */
  values?: readonly string[]
  /** Boolean flags. */
  booleans?: readonly string[]
}

const GROUPS: readonly Group[] = [
  {
    why: 'reads come from the versions in memory, which have one format',
    values: [
      'watch-cache-sizes',
      'default-watch-cache-size',
      'delete-collection-workers',
      'storage-backend',
      'storage-media-type',
    ],
    booleans: ['watch-cache'],
  },
  {
    why: 'the server chooses how often it queries etcd',
    values: [
      'etcd-count-metric-poll-period',
      'etcd-db-metric-poll-interval',
      'etcd-healthcheck-timeout',
      'etcd-readycheck-timeout',
      'lease-reuse-duration-seconds',
      'storage-initialization-timeout',
    ],
  },
  {
    why: 'nodes are simulated and have no kubelet',
    values: [
      'kubelet-certificate-authority',
      'kubelet-client-certificate',
      'kubelet-client-key',
      'kubelet-preferred-address-types',
      'kubelet-timeout',
    ],
  },
  {
    why: 'servers that share a store do not call each other',
    values: ['apiserver-count', 'peer-advertise-ip', 'peer-advertise-port', 'peer-ca-file'],
  },
  {
    why: 'the number of concurrent requests is not limited',
    values: ['max-requests-inflight', 'max-mutating-requests-inflight'],
  },
  {
    why: 'audit events are appended one by one, to a file that is not rotated',
    values: [
      'audit-log-batch-buffer-size',
      'audit-log-batch-max-size',
      'audit-log-batch-max-wait',
      'audit-log-batch-throttle-burst',
      'audit-log-batch-throttle-qps',
      'audit-log-maxage',
      'audit-log-maxbackup',
      'audit-log-maxsize',
      'audit-log-mode',
    ],
    booleans: ['audit-log-batch-throttle-enable', 'audit-log-compress'],
  },
  {
    why: '--service-address sets where services are reached',
    booleans: ['enable-aggregator-routing'],
  },
  {
    why: 'the log is plain text with a fixed level',
    values: [
      'v',
      'vmodule',
      'log-flush-frequency',
      'logging-format',
      'log-json-info-buffer-size',
      'log-text-info-buffer-size',
    ],
    booleans: ['log-json-split-stream', 'log-text-split-stream'],
  },
  {
    why: 'use the profilers of Node.js (node --inspect, --cpu-prof)',
    values: ['debug-socket-path'],
    booleans: ['profiling', 'contention-profiling'],
  },
  {
    why: 'connections use the defaults of the operating system',
    values: ['max-connection-bytes-per-sec'],
    booleans: ['permit-address-sharing', 'permit-port-sharing'],
  },
]

const byName = new Map<string, { why: string; alone: boolean }>(
  GROUPS.flatMap(({ why, values = [], booleans = [] }) => [
    ...values.map((name) => [name, { why, alone: false }] as const),
    ...booleans.map((name) => [name, { why, alone: true }] as const),
  ]),
)

/** @returns why the flag has no effect and whether it needs no value; undefined for other flags */
export const flagWithoutEffect = (name: string): { why: string; alone: boolean } | undefined =>
  byName.get(name)

/** One line of help per reason, and the flags that share it. */
export const withoutEffectHelp = (): string[] =>
  GROUPS.map(
    ({ why, values = [], booleans = [] }) =>
      `${[...values, ...booleans].map((name) => `--${name}`).join(', ')}: ${why}`,
  )
