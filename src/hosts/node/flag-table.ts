/**
 * The flags of the headless server, as data: names, types and help of kube-apiserver 1.31 where it
 * has the flag.
 */

import { DEFAULT_RELEASE, NEWER_RELEASES, RELEASES } from '../../engine/releases/release'
import { AUTHENTICATION, AUTHORIZATION } from './access-flags'
import { type Flag, fixed, flag, optional } from './flag'

const KUBETAB = {
  port: flag(
    'int',
    8080,
    'The port on 127.0.0.1 on which to serve HTTP. 0 selects a free port, -1 disables HTTP.',
  ),
  'allowed-hosts': flag(
    'strings',
    [],
    'Host names under which clients may reach the server, in addition to localhost and IP addresses. * allows any name.',
  ),
  kubeconfig: flag(
    'string',
    '',
    'File into which to write a kubeconfig for the HTTPS port, with the first token of --token-auth-file.',
  ),
  'default-token': flag(
    'boolean',
    true,
    'If true and --token-auth-file is not set, the token admin-token authenticates a member of system:masters, on the loopback interface only.',
  ),
  'service-address': flag(
    'strings',
    [],
    'Addresses of services, as namespace/name:port=URL, for webhooks and aggregated API servers. A service that is not listed is reached at its cluster IP.',
  ),
  release: flag(
    'string',
    DEFAULT_RELEASE,
    `The Kubernetes release to serve: ${RELEASES[0]} to ${NEWER_RELEASES.at(-1)}.`,
  ),
  controllers: flag(
    'strings',
    ['*'],
    "A list of controllers to enable. '*' enables all controllers, 'foo' enables the controller named 'foo', '-foo' disables the controller named 'foo', 'off' disables all.",
  ),
  scheduler: flag('onOff', false, 'Runs the scheduler: on or off.'),
  nodes: flag(
    'int',
    0,
    'The number of simulated nodes, which run the pods that are bound to them.',
  ),
  'cluster-signing-cert-file': flag(
    'string',
    '',
    'Filename containing a PEM-encoded X509 CA certificate used to issue cluster-scoped certificates. If empty, the server generates a CA.',
  ),
  'cluster-signing-key-file': flag(
    'string',
    '',
    'Filename containing a PEM-encoded RSA or ECDSA private key used to sign cluster-scoped certificates.',
  ),
  'warm-up': flag(
    'onOff',
    true,
    'While no client is served, sends typical requests to a temporary server in the same process, so that code is compiled before clients connect: on or off.',
  ),
  clock: flag(
    'string',
    'real',
    'The speed of the cluster clock: real, 10x up to 1000x, or paused. SIGUSR2 advances a paused clock to the next event.',
  ),
  'clock-begin': flag(
    'string',
    '',
    'The start time of the cluster clock, as 2026-01-01T00:00:00Z. If empty, the current time.',
  ),
  seed: optional(
    'int',
    'Makes names, UIDs and tokens repeatable: runs with the same seed, a paused clock and the same requests have the same results.',
  ),
}

const GENERIC = {
  'advertise-address': flag(
    'string',
    '',
    'The IP address on which to advertise the apiserver to members of the cluster. This address must be reachable by the rest of the cluster. If blank, the --bind-address will be used. If --bind-address is a loopback address, the server is not advertised.',
  ),
  'cors-allowed-origins': flag(
    'strings',
    [],
    "List of allowed origins for CORS, comma separated. An allowed origin can be a regular expression to support subdomain matching. If this list is empty CORS will not be enabled. Please ensure each expression matches the entire hostname by anchoring to the start with '^' or including the '//' prefix, and by anchoring to the end with '$' or including the ':' port separator suffix. Examples of valid expressions are '//example.com(:|$)' and '^https://example.com(:|$)'",
  ),
  'default-not-ready-toleration-seconds': flag(
    'int',
    300,
    'Indicates the tolerationSeconds of the toleration for notReady:NoExecute that is added by default to every pod that does not already have such a toleration.',
  ),
  'default-unreachable-toleration-seconds': flag(
    'int',
    300,
    'Indicates the tolerationSeconds of the toleration for unreachable:NoExecute that is added by default to every pod that does not already have such a toleration.',
  ),
  'emulated-version': flag(
    'strings',
    [],
    'The versions different components emulate their capabilities (APIs, features, ...) of. If set, the component will emulate the behavior of this version instead of the underlying binary version. Version format could only be major.minor, for example: \'--emulated-version=kube=1.35\'. If the component is not specified, defaults to "kube". Since release 1.32.',
  ),
  'emulation-forward-compatible': flag(
    'boolean',
    false,
    'If true, for any beta+ APIs enabled by default or by --runtime-config at the emulation version, their future versions with higher priority/stability will be auto enabled even if they introduced after the emulation version. Can only be set to true if the emulation version is lower than the binary version. Since release 1.33.',
  ),
  'feature-gates': flag(
    'strings',
    [],
    'A set of key=value pairs that describe feature gates for alpha/experimental features. Options are:',
  ),
  'goaway-chance': flag(
    'float',
    0,
    "To prevent HTTP/2 clients from getting stuck on a single apiserver, randomly close a connection (GOAWAY). The client's other in-flight requests won't be affected, and the client will reconnect, likely landing on a different apiserver after going through the load balancer again. This argument sets the fraction of requests that will be sent a GOAWAY. Min is 0 (off), Max is .02 (1/50 requests); .001 (1/1000) is a recommended starting point.",
  ),
  'livez-grace-period': flag(
    'duration',
    0,
    "This option represents the maximum amount of time it should take for apiserver to complete its startup sequence and become live. From apiserver's start time to when this amount of time has elapsed, /livez will assume that unfinished post-start hooks will complete successfully and therefore return true.",
  ),
  'min-compatibility-version': flag(
    'strings',
    [],
    'The min version of control plane components the server should be compatible with. Version format could only be major.minor. Since release 1.35.',
  ),
  'min-request-timeout': flag(
    'int',
    1_800,
    'An optional field indicating the minimum number of seconds a handler must keep a request open before timing it out. Currently only honored by the watch request handler, which picks a randomized value above this number as the connection timeout, to spread out load.',
  ),
  'request-timeout': flag(
    'duration',
    60_000,
    'An optional field indicating the duration a handler must keep a request open before timing it out. This is the default request timeout for requests but may be overridden by flags such as --min-request-timeout for specific types of requests.',
  ),
  'runtime-config-emulation-forward-compatible': flag(
    'boolean',
    false,
    'If true, APIs identified by group/version that are enabled in the --runtime-config flag will be installed even if it is introduced after the emulation version. If false, server would fail to start if any APIs identified by group/version that are enabled in the --runtime-config flag are introduced after the emulation version. Can only be set to true if the emulation version is lower than the binary version. Since release 1.33.',
  ),
  'shutdown-delay-duration': flag(
    'duration',
    0,
    'Time to delay the termination. During that time the server keeps serving requests normally. The endpoints /healthz and /livez will return success, but /readyz immediately returns failure. Graceful termination starts after this delay has elapsed. This can be used to allow load balancer to stop sending traffic to this server.',
  ),
  'strict-transport-security-directives': flag(
    'strings',
    [],
    "List of directives for HSTS, comma separated. If this list is empty, then HSTS directives will not be added. Example: 'max-age=31536000,includeSubDomains,preload'",
  ),
}

const ETCD = {
  'enable-garbage-collector': fixed('boolean', true, 'Enables the generic garbage collector.'),
  'etcd-cafile': flag(
    'string',
    '',
    'SSL Certificate Authority file used to secure etcd communication.',
  ),
  'etcd-certfile': flag('string', '', 'SSL certification file used to secure etcd communication.'),
  'etcd-compaction-interval': flag(
    'duration',
    300_000,
    'The interval of compaction requests, of the cluster clock. If 0, history is never compacted.',
  ),
  'etcd-keyfile': flag('string', '', 'SSL key file used to secure etcd communication.'),
  'etcd-prefix': flag(
    'string',
    '/registry',
    'The prefix to prepend to all resource paths in etcd.',
  ),
  'etcd-servers': flag(
    'strings',
    [],
    'List of etcd servers to connect with (scheme://ip:port), comma separated. If empty, objects are stored in memory.',
  ),
}

const SECURE_SERVING = {
  'bind-address': flag(
    'string',
    '127.0.0.1',
    'The IP address on which to listen for the --secure-port port. An address other than a loopback address requires tokens, client certificates or an identity provider.',
  ),
  'cert-dir': flag(
    'string',
    '',
    'The directory where the TLS certs are located (apiserver.crt, apiserver.key). The server creates them there if absent. If --tls-cert-file and --tls-private-key-file are provided, this flag will be ignored.',
  ),
  'disable-http2-serving': flag(
    'boolean',
    false,
    'If true, HTTP2 serving will be disabled [default=false]',
  ),
  'http2-max-streams-per-connection': flag(
    'int',
    0,
    'The limit that the server gives to clients for the maximum number of streams in an HTTP/2 connection. Zero means to use the default of 100.',
  ),
  'secure-port': flag(
    'int',
    -1,
    'The port on which to serve HTTPS with authentication and authorization. 0 selects a free port, -1 disables HTTPS.',
  ),
  'tls-cert-file': flag(
    'string',
    '',
    'File containing the default x509 Certificate for HTTPS. (CA cert, if any, concatenated after server cert). If HTTPS serving is enabled, and --tls-cert-file and --tls-private-key-file are not provided, a self-signed certificate and key are generated.',
  ),
  'tls-cipher-suites': flag(
    'strings',
    [],
    'Comma-separated list of cipher suites for the server, by their IANA names. If omitted, the default cipher suites of Node.js will be used.',
  ),
  'tls-min-version': flag(
    'string',
    'VersionTLS12',
    'Minimum TLS version supported. Possible values: VersionTLS12, VersionTLS13',
  ),
  'tls-private-key-file': flag(
    'string',
    '',
    'File containing the default x509 private key matching --tls-cert-file.',
  ),
}

const AUDIT = {
  'audit-log-format': fixed(
    'string',
    'json',
    'Format of saved audits. "json" indicates structured json format.',
  ),
  'audit-log-path': flag(
    'string',
    '-',
    "All requests that the policy selects will be logged to this file. '-' means standard out.",
  ),
  'audit-log-version': fixed(
    'string',
    'audit.k8s.io/v1',
    'API group and version used for serializing audit events written to log.',
  ),
  'audit-policy-file': flag(
    'string',
    '',
    'Path to the file that defines the audit policy configuration.',
  ),
}

const FEATURES = {
  'enable-priority-and-fairness': fixed(
    'boolean',
    true,
    'Classifies requests by flow schema and priority level. No request is queued or rejected.',
  ),
}

const API_ENABLEMENT = {
  'runtime-config': flag(
    'strings',
    [],
    'A set of key=value pairs that enable or disable built-in APIs. Supported options are: v1=true|false for the core API group, <group>/<version>=true|false for a specific API group and version (e.g. apps/v1=true), <group>/<version>/<resource>=true|false for a resource, api/all=true|false controls all API versions, api/ga=true|false controls all API versions of the form v[0-9]+, api/beta=true|false controls all API versions of the form v[0-9]+beta[0-9]+, api/alpha=true|false controls all API versions of the form v[0-9]+alpha[0-9]+.',
  ),
}

const ADMISSION = {
  'admission-control-config-file': flag('string', '', 'File with admission control configuration.'),
  'disable-admission-plugins': flag(
    'strings',
    [],
    'admission plugins that should be disabled although they are in the default enabled plugins list. Comma-delimited list of admission plugins. The order of plugins in this flag does not matter.',
  ),
  'enable-admission-plugins': flag(
    'strings',
    [],
    'admission plugins that should be enabled in addition to default enabled ones. Comma-delimited list of admission plugins. The order of plugins in this flag does not matter.',
  ),
}

const METRICS = {
  'show-hidden-metrics-for-version': flag(
    'string',
    '',
    "The previous version for which you want to show hidden metrics. Only the previous minor version is meaningful, other values will not be allowed. The format is <major>.<minor>, e.g.: '1.16'.",
  ),
}

const MISC = {
  'allow-privileged': fixed('boolean', true, 'If true, allow privileged containers.'),
  'endpoint-reconciler-type': flag(
    'string',
    'lease',
    'Use an endpoint reconciler (master-count, lease, none). master-count is deprecated.',
  ),
  'event-ttl': flag(
    'duration',
    3_600_000,
    'Amount of time to retain events. If 0, events are retained without end.',
  ),
  'proxy-client-cert-file': flag(
    'string',
    '',
    'Client certificate used to prove the identity of the aggregator or kube-apiserver when it must call out during a request. This includes proxying requests to a user api-server.',
  ),
  'proxy-client-key-file': flag(
    'string',
    '',
    'Private key for the client certificate used to prove the identity of the aggregator or kube-apiserver when it must call out during a request. This includes proxying requests to a user api-server.',
  ),
  'service-account-signing-key-file': flag(
    'string',
    '',
    'Path to the file that contains the current private key of the service account token issuer. The issuer will sign issued ID tokens with this private key. If empty, the server generates a key.',
  ),
  'service-cluster-ip-range': flag(
    'strings',
    ['10.96.0.0/16'],
    'A CIDR notation IP range from which to assign service cluster IPs. This must not overlap with any IP ranges assigned to nodes or pods. Max of two dual-stack CIDRs is allowed.',
  ),
  'service-node-port-range': flag(
    'string',
    '30000-32767',
    "A port range to reserve for services with NodePort visibility. This must not overlap with the ephemeral port range on nodes. Example: '30000-32767'. Inclusive at both ends of the range.",
  ),
}

/**
 * The sections of `--help`, in the order of kube-apiserver; flags that only kubetab has come last.
 */
export const FLAG_SECTIONS: readonly (readonly [title: string, flags: Record<string, Flag>])[] = [
  ['Generic', GENERIC],
  ['Etcd', ETCD],
  ['Secure serving', SECURE_SERVING],
  ['Audit', AUDIT],
  ['Features', FEATURES],
  ['Authentication', AUTHENTICATION],
  ['Authorization', AUTHORIZATION],
  ['API enablement', API_ENABLEMENT],
  ['Admission', ADMISSION],
  ['Metrics', METRICS],
  ['Misc', MISC],
  ['Kubetab', KUBETAB],
]

/** Defaults are those of a server for learning: everything is enabled that needs no file. */
export const FLAGS = {
  ...GENERIC,
  ...ETCD,
  ...SECURE_SERVING,
  ...AUDIT,
  ...FEATURES,
  ...AUTHENTICATION,
  ...AUTHORIZATION,
  ...API_ENABLEMENT,
  ...ADMISSION,
  ...METRICS,
  ...MISC,
  ...KUBETAB,
} satisfies Record<string, Flag>
