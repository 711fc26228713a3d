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
import type { EmulationOptions } from './emulation'

export interface ApiServerOptions extends AuthenticationOptions, EmulationOptions {
  clock: Clock
  /** Real timers for clients and networks; the clock's if absent. */
  timers?: Pick<Clock, 'after'>
  /**
   * Called when work starts and when all is done, so that a host can pause its clock in between.
   */
  working?(working: boolean): void
  /** Milliseconds of cluster time between compactions; 0: never; five minutes if absent. */
  compactionInterval?: number
  random: Random
  log: Log
  storage: Storage
  /** Host and port, as in `/api`. */
  serverAddress?: string
  /** Published as endpoint of `default/kubernetes`. */
  advertised?: Advertised
  /** Node and RBAC if absent. */
  authorization?: AuthorizationOptions
  /** For files that options name. */
  files?: Files
  /** Generated and stored if absent. */
  signingAuthority?: SigningAuthority
  /** How clients present certificates of the cluster's own authority; absent: they cannot. */
  ownAuthority?: 'on-connection' | 'in-header'
  /** Absent: no outbound requests. */
  outbound?: Outbound
  /** For aggregated servers, in PEM. */
  proxyIdentity?: { certificate: string; key: string }
  /** In addition to the defaults. */
  enableAdmissionPlugins?: readonly string[]
  /** AdmissionConfiguration of plugins in CONFIGURABLE. */
  admissionControlConfigFile?: string
  disableAdmissionPlugins?: readonly string[]
  /** Only gates in OBEYED_GATES (gate-effects.ts) may differ from the defaults. */
  featureGates?: Readonly<Record<string, boolean>>
  /**
   * `1.15` to `1.37`, the newest if absent. Releases above 1.32 need tables: `loadTables`, or
   * `provideTables` in release-tables.
   */
  release?: string
  /** Built-in kinds beyond those of Kubernetes, in the same form, with a description. */
  kinds?: readonly Kind[]
  /** The previous release, whose deprecated metrics are then not hidden. */
  showHiddenMetricsForVersion?: string
  /** As `--runtime-config`. */
  runtimeConfig?: Readonly<Record<string, string>>
  /** One, or one per IP family with the default first; `10.96.0.0/16` if absent. */
  serviceRanges?: readonly string[]
  /** `30000-32767` (the default), or `30000+2768`. */
  nodePortRange?: string
  /** Those of kube-apiserver if absent. */
  timeLimits?: Partial<TimeLimits>
  /** For pods without tolerations on not-ready or unreachable nodes; five minutes if absent. */
  tolerationSeconds?: Partial<TolerationSeconds>
  /** Compresses large responses for clients that accept it. */
  compress?: Compress
  /** The error of a failing check; undefined if it passes. */
  health?(check: string): string | undefined
  /** Absent if the host has no process. */
  process?(): ProcessReadings
  /** Milliseconds; 0: never. An hour if absent. */
  eventTtl?: number
  /** By name (`*`: all); none if absent. */
  controllers?: readonly string[]
  /** False if absent. */
  scheduler?: boolean
  /** Simulated nodes, which run the pods assigned to them; none if absent. */
  nodes?: number
  /** If engines share a store, controllers start when this one is elected; at once if absent. */
  campaign?: Campaign
  /** Elects by a Lease under this unique identity: for stores that several machines share. */
  electionIdentity?: string
  /** For controllers: runs after current work; as soon as possible if absent. */
  defer?(run: () => void): void
  /** Milliseconds from any start, finer than the clock. */
  stopwatch?: () => number
  audit?: Audit
}
/**
 * @param elected called once
 * @returns a function that withdraws or steps down
 */
export type Campaign = (elected: () => void) => () => void
