import type { TolerationSeconds } from './admission/environment'
import type { AuthenticationOptions } from './authentication/methods'
import type { AuthorizationOptions } from './authorization/configuration/options'
import type { Advertised } from './controllers/own-endpoints'
import type { TimeLimits } from './engine'
import type { Clock, Files, Log, Random, SigningAuthority } from './environment'
import type { Compress } from './http/compression'
import type { Outbound } from './outbound'
import type { Storage } from './storage/storage'
import type { Audit } from './telemetry/observer'
import type { ProcessReadings } from './telemetry/process-metrics'

export interface ApiServerOptions extends AuthenticationOptions {
  /** The cluster's time. */
  clock: Clock
  /** Timers of real time, for what people and networks wait for; the clock's own if absent. */
  timers?: Pick<Clock, 'after'>
  /** Told when there begins to be work under way, and when it is all done: a clock may stand still meanwhile. */
  working?(working: boolean): void
  /** Milliseconds of the cluster's time after which history is forgotten, at the next such interval; 0 is never, five minutes if absent. */
  compactionInterval?: number
  random: Random
  log: Log
  storage: Storage
  /** Host and port under which clients reach the server; `/api` tells them. */
  serverAddress?: string
  /** Where clients of the cluster reach the server, which `default/kubernetes` then leads to; absent: it leads nowhere. */
  advertised?: Advertised
  /** Who may do what; the modes Node and RBAC if absent. */
  authorization?: AuthorizationOptions
  /** Files that options name; absent: there are none. */
  files?: Files
  /** What signs certificates that the cluster issues; absent: an authority of its own, kept in the store. */
  signingAuthority?: SigningAuthority
  /**
   * Clients are known by certificates of the cluster's own authority: those that their connections prove, or, on hosts whose
   * connections prove none, those in a header. Absent: they are not.
   */
  ownAuthority?: 'on-connection' | 'in-header'
  /** How the server reaches others; absent: it cannot. */
  outbound?: Outbound
  /** What the server proves itself with to the aggregated servers behind it, in PEM. */
  proxyIdentity?: { certificate: string; key: string }
  /** Admission plugins to switch on besides those that are on by default. */
  enableAdmissionPlugins?: readonly string[]
  /** Names the file (AdmissionConfiguration) that holds what plugins are told: those of CONFIGURABLE. */
  admissionControlConfigFile?: string
  /** Admission plugins to switch off. */
  disableAdmissionPlugins?: readonly string[]
  /** Feature gates that are not as the release has them by default; only those of OBEYED_GATES (gates.ts) may differ. */
  featureGates?: Readonly<Record<string, boolean>>
  /**
   * The release to answer as: `1.15` to `1.37`, DEFAULT_RELEASE if absent. Those above 1.32 need their tables loaded
   * (`loadTables` in release-tables/load-tables.ts).
   */
  release?: string
  /** Metrics that this release hides since they are deprecated are shown: names the release before. */
  showHiddenMetricsForVersion?: string
  /** Which versions and resources are served beside or without those that are by default: as `--runtime-config` says it. */
  runtimeConfig?: Readonly<Record<string, string>>
  /** What services get their cluster addresses from: a range, or one of each family with the default first; `10.96.0.0/16` if absent. */
  serviceRanges?: readonly string[]
  /** What services get node ports from: `30000-32767`, which it is if absent, or `30000+2768`. */
  nodePortRange?: string
  /** How long requests and watches may take; as long as the real server's if absent. */
  timeLimits?: Partial<TimeLimits>
  /** Seconds that pods stay on a node that is not ready, or cannot be reached, if they do not say; five minutes if absent. */
  tolerationSeconds?: Partial<TolerationSeconds>
  /** Packs large answers for clients that take them so; absent: none are packed. */
  compress?: Compress
  /** Why a health check fails; undefined while it does not. */
  health?(check: string): string | undefined
  /** What the process uses, for `/metrics`; absent where there is none of the server's own. */
  process?(): ProcessReadings
  /** Milliseconds that an event is kept after it was written; 0: for ever. An hour if absent. */
  eventTtl?: number
  /** Controllers that run beside the API, by name (`*`: all there are); none if absent. */
  controllers?: readonly string[]
  /** Pods are given nodes to run on; false if absent. */
  scheduler?: boolean
  /** So many nodes are simulated, which run what is given to them; none if absent. */
  nodes?: number
  /** Stands for election where several engines share a store: controllers begin when this one is elected. At once if absent. */
  campaign?: Campaign
  /** Stands for election by a Lease in the store, under this name, which no other engine has: for stores that reach across machines. */
  electionIdentity?: string
  /** Runs something when what is under way has been done: controllers work then. As soon as possible if absent. */
  defer?(run: () => void): void
  /** Milliseconds from any start, finer than the clock: for durations. */
  stopwatch?: () => number
  /** What is written down of requests, and where to. */
  audit?: Audit
}
/** Calls back once, when the candidate is elected. @returns how to give up candidature and office */

export type Campaign = (elected: () => void) => () => void
