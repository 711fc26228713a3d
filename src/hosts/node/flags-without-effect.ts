/**
 * Flags of the real server that change nothing that a client of this one could see. They are taken, so that command lines made for the
 * real one work, and the log says that nothing comes of them. A flag that would change answers is never in this list.
 */

interface Group {
  /** `--watch-cache has no effect: …` */
  why: string
  /** Need a value. */
  values?: readonly string[]
  /** May stand alone. */
  booleans?: readonly string[]
}

const GROUPS: readonly Group[] = [
  {
    why: 'objects are read from the store itself, in one way',
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
    why: 'the store is asked as often as is needed',
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
    why: 'there are no kubelets to connect to',
    values: [
      'kubelet-certificate-authority',
      'kubelet-client-certificate',
      'kubelet-client-key',
      'kubelet-preferred-address-types',
      'kubelet-timeout',
    ],
  },
  {
    why: 'servers over one store do not ask each other',
    values: ['apiserver-count', 'peer-advertise-ip', 'peer-advertise-port', 'peer-ca-file'],
  },
  {
    why: 'nobody is turned away for how many ask at once',
    values: ['max-requests-inflight', 'max-mutating-requests-inflight'],
  },
  {
    why: 'audit events are written one by one, into one file that grows',
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
    why: 'services are reached where --service-address says',
    booleans: ['enable-aggregator-routing'],
  },
  {
    why: 'the log is plain text, of what matters',
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
    why: 'Node has profilers of its own (node --inspect, --cpu-prof)',
    values: ['debug-socket-path'],
    booleans: ['profiling', 'contention-profiling'],
  },
  {
    why: 'connections are as the system makes them',
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

/** @returns why nothing comes of it and whether it may stand without a value; undefined: it is none of these */
export const flagWithoutEffect = (name: string): { why: string; alone: boolean } | undefined =>
  byName.get(name)

/** A line of help for each reason. */
export const withoutEffectHelp = (): string[] =>
  GROUPS.map(
    ({ why, values = [], booleans = [] }) =>
      `${[...values, ...booleans].map((name) => `--${name}`).join(', ')}: ${why}`,
  )
