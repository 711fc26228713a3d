import type { TolerationSeconds } from '../admission/environment'
import type { AuthenticationOptions } from '../authentication/methods'
import type { AuthorizationOptions } from '../authorization/configuration/options'
import type { Advertised } from '../controllers/kubernetes-endpoints'
import type { Clock, Files, Log, Random, SigningAuthority } from '../core/environment'
import type { Outbound } from '../core/outbound'
import type { Compress } from '../http/compression'
import type { TimeLimits } from '../registry/engine'
import type { Kind } from '../registry/kind'
import type { Storage } from '../storage/storage'
import type { Audit } from '../telemetry/observer'
import type { ProcessReadings } from '../telemetry/process-metrics'

export interface ApiServerOptions extends AuthenticationOptions {
  /** The clock of the cluster. */
  clock: Clock
  /** Real timers for clients and networks; those of the clock if absent. */
  timers?: Pick<Clock, 'after'>
  /**
   * Notified when work starts and when all work is done, so that a host can pause its clock in
   * between.
   */
  working?(working: boolean): void
  /**
   * Milliseconds of cluster time after which history is compacted, at the next interval; 0: never,
   * five minutes if absent.
   */
  compactionInterval?: number
  random: Random
  log: Log
  storage: Storage
  /** Host and port of the server for clients, as in `/api`. */
  serverAddress?: string
  /**
   * The address of the server for clients in the cluster, published as endpoint of
   * `default/kubernetes`; absent: none.
   */
  advertised?: Advertised
  /** Authorization modes; Node and RBAC if absent. */
  authorization?: AuthorizationOptions
  /** Access to files that options name; absent: none. */
  files?: Files
  /** The authority for certificates of the cluster; absent: generated and stored. */
  signingAuthority?: SigningAuthority
  /**
   * Whether clients may authenticate with certificates of the cluster's own authority, on the
   * connection or in a header. Absent: they cannot.
   */
  ownAuthority?: 'on-connection' | 'in-header'
  /** Sends outbound requests; absent: unsupported. */
  outbound?: Outbound
  /** The client certificate for aggregated servers, in PEM. */
  proxyIdentity?: { certificate: string; key: string }
  /** Admission plugins to enable in addition to the defaults. */
  enableAdmissionPlugins?: readonly string[]
  /** The AdmissionConfiguration file with the configuration of plugins in CONFIGURABLE. */
  admissionControlConfigFile?: string
  /** Admission plugins to disable. */
  disableAdmissionPlugins?: readonly string[]
  /**
   * Feature gates that differ from the release's defaults. Only gates in OBEYED_GATES (gates.ts)
   * may differ.
   */
  featureGates?: Readonly<Record<string, boolean>>
  /**
   * The release to emulate: `1.15` to `1.37`, the newest if absent. Releases above 1.32 need
   * tables: `loadTables`, or `provideTables` in release-tables.
   */
  release?: string
  /**
   * Built-in kinds beyond those of Kubernetes. Each describes itself; its rules and those of the
   * kinds of Kubernetes have the same form.
   */
  kinds?: readonly Kind[]
  /** The previous release, whose deprecated metrics are then not hidden. */
  showHiddenMetricsForVersion?: string
  /** Versions and resources to enable or disable, as in `--runtime-config`. */
  runtimeConfig?: Readonly<Record<string, string>>
  /**
   * Ranges of service cluster IPs: one, or one per IP family with the default first; `10.96.0.0/16`
   * if absent.
   */
  serviceRanges?: readonly string[]
  /** The range of node ports: `30000-32767` (the default), or `30000+2768`. */
  nodePortRange?: string
  /** Timeouts of requests and watches; those of kube-apiserver if absent. */
  timeLimits?: Partial<TimeLimits>
  /**
   * Seconds that pods without tolerations stay on a node that is not ready or unreachable; five
   * minutes if absent.
   */
  tolerationSeconds?: Partial<TolerationSeconds>
  /** Compresses large responses for clients that accept it; absent: no compression. */
  compress?: Compress
  /** The error of a failing health check; undefined if it passes. */
  health?(check: string): string | undefined
  /** Process metrics for `/metrics`; absent if the host has no process. */
  process?(): ProcessReadings
  /** Milliseconds until events expire; 0: never. An hour if absent. */
  eventTtl?: number
  /** Controllers to run, by name (`*`: all); none if absent. */
  controllers?: readonly string[]
  /** Whether the scheduler assigns pods to nodes; false if absent. */
  scheduler?: boolean
  /** The number of simulated nodes, which run the pods assigned to them; none if absent. */
  nodes?: number
  /**
   * Leader election if several engines share a store. Controllers start when this engine is
   * elected; immediately if absent.
   */
  campaign?: Campaign
  /**
   * Leader election by a Lease in storage, under this unique identity: for stores that several
   * machines share.
   */
  electionIdentity?: string
  /**
   * Defers a function until current work is done, for controllers. As soon as possible if absent.
   */
  defer?(run: () => void): void
  /** Milliseconds from any start, in a finer resolution than the clock, for durations. */
  stopwatch?: () => number
  /** Audit logging: policy and backend. */
  audit?: Audit
}
/**
 * Calls back once, when the candidate is elected.
 * @returns a function that withdraws or steps down
 */

export type Campaign = (elected: () => void) => () => void
