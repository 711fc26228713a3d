/** The flags of the headless server, as data: the real server's names, with help and defaults. */
import { SIGNATURE_ALGORITHMS } from '../../engine/environment'
import { gateHelp } from '../../engine/gates'
import { DEFAULT_RELEASE, NEWER_RELEASES, RELEASES } from '../../engine/releases/release'

/** How a flag's text is read. `list` is comma-separated; a repeated list flag adds to it. */
export type Reader = 'text' | 'list' | 'boolean' | 'switch' | 'number' | 'fraction' | 'duration'

export interface FlagValue {
  text: string
  list: string[]
  boolean: boolean
  /** `on` or `off`. */
  switch: boolean
  number: number
  /** With digits behind the point. */
  fraction: number
  /** Milliseconds. */
  duration: number
}

export interface Flag<
  R extends Reader = Reader,
  Default extends FlagValue[R] | undefined = FlagValue[R] | undefined,
> {
  reads: R
  /** Used when the flag is not given; undefined where it matters whether it is. */
  default: Default
  help: string
  /** The engine knows only the default yet: another value is refused rather than ignored. */
  fixed: boolean
}

const flag = <R extends Reader>(
  reads: R,
  byDefault: FlagValue[R],
  help: string,
): Flag<R, FlagValue[R]> => ({
  reads,
  default: byDefault,
  help,
  fixed: false,
})
const optional = <R extends Reader>(reads: R, help: string): Flag<R, FlagValue[R] | undefined> => ({
  reads,
  default: undefined,
  help,
  fixed: false,
})
const fixed = <R extends Reader>(
  reads: R,
  byDefault: FlagValue[R],
  help: string,
): Flag<R, FlagValue[R]> => ({
  reads,
  default: byDefault,
  help,
  fixed: true,
})

/** Defaults are those of a server one learns on: everything switched on that needs no file. */
export const FLAGS = {
  port: flag('number', 8080, 'port on 127.0.0.1 for plain HTTP; 0 takes a free one, -1 none'),
  'secure-port': flag(
    'number',
    -1,
    'port for HTTPS, on the bind address; 0 takes a free one, -1 none',
  ),
  'bind-address': flag(
    'text',
    '127.0.0.1',
    'address on which the HTTPS port listens; beyond this machine only with tokens, certificates or an identity provider given',
  ),
  'advertise-address': flag(
    'text',
    '',
    'address of the HTTPS port that the service kubernetes leads to; without it the bind address, unless that is of this machine alone',
  ),
  'endpoint-reconciler-type': flag(
    'text',
    'lease',
    'who looks after the endpoints of the service kubernetes: lease, master-count or none',
  ),
  'disable-http2-serving': flag('boolean', false, 'HTTPS speaks HTTP/1.1 only'),
  'http2-max-streams-per-connection': flag(
    'number',
    0,
    'requests that one connection of HTTP/2 may have open at a time; 0 for 100',
  ),
  'goaway-chance': flag(
    'fraction',
    0,
    'share of requests over HTTP/2, 0.02 at most, after which a connection is to be given up and made anew',
  ),
  'cors-allowed-origins': flag(
    'list',
    [],
    'patterns of origins whose pages may ask: ^https://console\\.example\\.com$',
  ),
  'strict-transport-security-directives': flag(
    'list',
    [],
    'what answers say of it: max-age=SECONDS, includeSubDomains, preload',
  ),
  'tls-min-version': flag(
    'text',
    'VersionTLS12',
    'oldest version of TLS that the HTTPS port speaks: VersionTLS12 or VersionTLS13',
  ),
  'tls-cipher-suites': flag(
    'list',
    [],
    'suites that it speaks below TLS 1.3, by their IANA names; those of the system if empty',
  ),
  'allowed-hosts': flag(
    'list',
    [],
    'names under which clients reach the server, beside localhost and addresses; * for any',
  ),
  'tls-cert-file': flag(
    'text',
    '',
    'PEM of the certificate that the HTTPS port shows, and of those that vouch for it; self-made if empty',
  ),
  'tls-private-key-file': flag(
    'text',
    '',
    'PEM of its private key; also checks service account tokens if no other key is given for that',
  ),
  'cert-dir': flag(
    'text',
    '',
    'folder of apiserver.crt and apiserver.key, which the HTTPS port shows if no other certificate is given; made there if absent',
  ),
  kubeconfig: flag(
    'text',
    '',
    'writes into this file how clients reach the HTTPS port, with the first token of the token file',
  ),
  'token-auth-file': flag('text', '', 'lines of token,user,uid,"group1,group2"'),
  'default-token': flag(
    'boolean',
    true,
    'without a token file the token admin-token is in system:masters, on this machine alone',
  ),
  'authentication-config': flag(
    'text',
    '',
    'AuthenticationConfiguration: identity providers whose ID tokens are taken; followed as it changes',
  ),
  'oidc-issuer-url': optional('text', 'identity provider whose ID tokens are taken; only https'),
  'oidc-client-id': optional('text', 'whom its tokens must be made for'),
  'oidc-ca-file': optional(
    'text',
    'PEM of the authorities that vouch for it; those of the system if absent',
  ),
  'oidc-username-claim': optional('text', 'claim that names the user; sub if absent'),
  'oidc-username-prefix': optional(
    'text',
    'put before the name; the issuer and # if absent and the claim is not email, - for nothing',
  ),
  'oidc-groups-claim': optional('text', 'claim that names groups'),
  'oidc-groups-prefix': optional('text', 'put before the groups'),
  'oidc-signing-algs': optional(
    'list',
    `how its tokens may be signed, RS256 if absent: ${SIGNATURE_ALGORITHMS.join(', ')}`,
  ),
  'oidc-required-claim': optional('list', 'claim=value that its tokens must have'),
  'authentication-token-webhook-config-file': flag(
    'text',
    '',
    'kubeconfig file that says how a webhook is reached that knows more tokens',
  ),
  'authentication-token-webhook-version': flag(
    'text',
    'v1beta1',
    'version of the TokenReviews sent to it: v1 or v1beta1',
  ),
  'authentication-token-webhook-cache-ttl': flag(
    'duration',
    120_000,
    'how long its answers are kept',
  ),
  'authorization-mode': optional(
    'list',
    'ordered list of Node, RBAC, ABAC, Webhook, AlwaysAllow, AlwaysDeny; Node,RBAC if neither this nor a configuration is given',
  ),
  'authorization-config': optional(
    'text',
    'AuthorizationConfiguration instead of modes; followed as it changes',
  ),
  'authorization-policy-file': optional('text', 'policies of the mode ABAC, one a line'),
  'authorization-webhook-config-file': optional(
    'text',
    'kubeconfig file that says how the mode Webhook reaches its webhook',
  ),
  'authorization-webhook-version': optional(
    'text',
    'version of the SubjectAccessReviews sent: v1 or v1beta1, which is the default',
  ),
  'authorization-webhook-cache-authorized-ttl': optional(
    'duration',
    'how long an allowing answer is kept; 5m if absent',
  ),
  'authorization-webhook-cache-unauthorized-ttl': optional(
    'duration',
    'how long any other answer is kept; 30s if absent',
  ),
  'client-ca-file': flag(
    'text',
    '',
    'PEM of the authorities of clients: a certificate of theirs is a user, its organizations are groups; without it, the authority that signs requests if that is of its own',
  ),
  'cluster-signing-cert-file': flag(
    'text',
    '',
    'PEM of the authority that signs what CertificateSigningRequests ask for; one of its own if empty',
  ),
  'cluster-signing-key-file': flag('text', '', 'PEM of its private key'),
  'requestheader-client-ca-file': flag(
    'text',
    '',
    'PEM of the authorities of proxies that say in headers who asks',
  ),
  'requestheader-allowed-names': flag(
    'list',
    [],
    'common names that such proxies may have; any if empty',
  ),
  'requestheader-username-headers': flag(
    'list',
    [],
    'headers in which they name the user: X-Remote-User',
  ),
  'requestheader-group-headers': flag(
    'list',
    [],
    'headers in which they name groups: X-Remote-Group',
  ),
  'requestheader-extra-headers-prefix': flag(
    'list',
    [],
    'beginnings of headers in which they say more: X-Remote-Extra-',
  ),
  'proxy-client-cert-file': flag(
    'text',
    '',
    'PEM of the certificate that this server proves itself with to aggregated servers behind it',
  ),
  'proxy-client-key-file': flag('text', '', 'PEM of its private key'),
  'service-address': flag(
    'list',
    [],
    'namespace/name:port=URL: where a service of the cluster really listens, for webhooks and aggregated servers; at its cluster address if not named',
  ),
  'anonymous-auth': optional(
    'boolean',
    'requests without credentials are of system:anonymous; true if absent',
  ),
  'enable-admission-plugins': flag(
    'list',
    [],
    'admission plugins to switch on besides those that are on by default',
  ),
  'disable-admission-plugins': flag('list', [], 'admission plugins to switch off'),
  'admission-control-config-file': flag(
    'text',
    '',
    'what admission plugins are told (AdmissionConfiguration)',
  ),
  release: flag(
    'text',
    DEFAULT_RELEASE,
    `release to answer as: ${RELEASES[0]} to ${NEWER_RELEASES.at(-1)}`,
  ),
  'feature-gates': flag(
    'list',
    [],
    `Name=true or Name=false; of those that differ from the release only: ${gateHelp().join(', ')}`,
  ),
  'show-hidden-metrics-for-version': flag(
    'text',
    '',
    'the release before this one, to show metrics that are hidden since they are deprecated',
  ),
  'runtime-config': flag(
    'list',
    [],
    'versions and resources to serve or not: api/all, api/ga, api/beta, api/alpha, GROUP/VERSION or GROUP/VERSION/RESOURCE, each with =true or =false',
  ),
  'enable-bootstrap-token-auth': flag(
    'boolean',
    true,
    'secrets of type bootstrap.kubernetes.io/token authenticate',
  ),
  'allow-privileged': fixed('boolean', true, 'privileged containers are allowed'),
  'enable-garbage-collector': fixed(
    'boolean',
    true,
    'what depends on a deleted object is deleted or orphaned',
  ),
  'enable-priority-and-fairness': fixed('boolean', true, 'requests are sorted into flows'),
  'service-cluster-ip-range': flag(
    'list',
    ['10.96.0.0/16'],
    'addresses of services: a range, or one of each family, the default first',
  ),
  'service-node-port-range': flag(
    'text',
    '30000-32767',
    'ports that services of type NodePort get theirs from',
  ),
  'request-timeout': flag(
    'duration',
    60_000,
    'how long a request may take, unless it stays open by its nature',
  ),
  'min-request-timeout': flag(
    'number',
    1_800,
    'seconds: a watch that names no end lasts between one and two of these',
  ),
  'default-not-ready-toleration-seconds': flag(
    'number',
    300,
    'how long pods that do not say stay on a node that is not ready',
  ),
  'default-unreachable-toleration-seconds': flag(
    'number',
    300,
    'how long pods that do not say stay on a node that cannot be reached',
  ),
  'service-account-issuer': flag(
    'list',
    ['https://kubernetes.default.svc'],
    'who issues service account tokens; the first signs, all are believed',
  ),
  'service-account-signing-key-file': flag(
    'text',
    '',
    'PEM of the private key (RSA or ECDSA) that signs service account tokens; without it one of its own, made when first needed',
  ),
  'service-account-key-file': flag(
    'list',
    [],
    'PEM files of keys that service account tokens are checked with; without them the key that signs',
  ),
  'service-account-lookup': flag(
    'boolean',
    true,
    'tokens of Secrets count only while their Secret holds them',
  ),
  'service-account-max-token-expiration': flag(
    'duration',
    0,
    'how long service account tokens live at most; 0 for as long as they ask',
  ),
  'service-account-extend-token-expiration': flag(
    'boolean',
    true,
    'tokens of pods live on for a year, with a note where they are used late',
  ),
  'service-account-jwks-uri': flag(
    'text',
    '',
    'address of the public keys in the discovery document; the own one if empty',
  ),
  'api-audiences': flag('list', [], 'names of this server in tokens; the issuers if empty'),
  'audit-policy-file': flag(
    'text',
    '',
    'which requests are written down, and how much of them; without it none',
  ),
  'audit-log-path': flag(
    'text',
    '-',
    'file that audit events are appended to, one line each; - is standard output',
  ),
  'audit-log-format': fixed('text', 'json', 'how audit events are written'),
  'audit-log-version': fixed('text', 'audit.k8s.io/v1', 'version of audit events'),
  'event-ttl': flag(
    'duration',
    3_600_000,
    'how long events are kept after they were written; 0 for ever',
  ),
  'livez-grace-period': flag('duration', 0, 'how long /livez stays green while the server starts'),
  'shutdown-delay-duration': flag(
    'duration',
    0,
    'how long requests are still served, /readyz failing, after SIGTERM',
  ),
  controllers: flag(
    'list',
    ['*'],
    'controllers that run beside the API: * for all there are, -name for one less, off for none',
  ),
  scheduler: flag('switch', false, 'the scheduler gives pods nodes: on or off'),
  nodes: flag('number', 0, 'how many nodes are simulated, which run what they are given'),
  'warm-up': flag(
    'switch',
    true,
    'while no client is served, typical requests run through a throwaway server, so that compiling is done before clients come: on or off',
  ),
  clock: flag(
    'text',
    'real',
    "how fast the cluster's time runs: real, 10x up to 1000x, or paused; SIGUSR2 then goes to what falls due next",
  ),
  'clock-begin': flag(
    'text',
    '',
    "where the cluster's time begins: 2026-01-01T00:00:00Z; the real time if empty",
  ),
  seed: optional(
    'number',
    'makes names, uids and tokens repeat: two runs with one seed, a paused clock and the same requests are the same',
  ),
  'etcd-servers': flag(
    'list',
    [],
    'URLs of an etcd (v3) that keeps the objects, shared with every host that names it; without them they are kept in memory',
  ),
  'etcd-prefix': flag(
    'text',
    '/registry',
    'under which key of etcd everything lies: one cluster, one prefix',
  ),
  'etcd-cafile': flag(
    'text',
    '',
    'PEM of the authorities that vouch for etcd; those of the system if empty',
  ),
  'etcd-certfile': flag('text', '', 'PEM of the certificate that etcd is shown'),
  'etcd-keyfile': flag('text', '', 'PEM of its private key'),
  'etcd-compaction-interval': flag(
    'duration',
    300_000,
    "history is kept for one to two of these, of the cluster's time; 0 for ever",
  ),
} satisfies Record<string, Flag>
