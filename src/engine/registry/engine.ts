/**
 * The parts that all components of a running server share. Built once by server.ts and passed down.
 */
import type { AdmissionChain } from '../admission/admission'
import type { RemoteVersions } from '../aggregation/remote-versions'
import type { ServiceClient } from '../aggregation/service-client'
import type { Authenticator } from '../authentication/authenticator'
import type { ServiceAccountTokens } from '../authentication/service-accounts/tokens'
import type { RoleIndex } from '../authorization/rbac/role-index'
import type { WriteCauses } from '../causality/controller-writes'
import type { Clock, Random, Signatures, SigningAuthority } from '../core/environment'
import type { ServedGroup } from '../encoding/discovery'
import type { CustomResource } from '../encoding/openapi/custom'
import type { Flows } from '../flow-control/flows'
import type { ReleaseIdentity } from '../releases/release'
import type { TypeModel } from '../schema/model'
import type { ListMeter } from '../storage/list-meter'
import type { QueueMeters } from '../time/queue-meter'
import type { Resource } from './resource'
import type { ResourceTable } from './resource-table'
import type { ServerState } from './server-state'
import type { GateStates, StrategyEngine } from './strategy'
import type { WatchGroups } from './watch-groups'

export interface TimeLimits {
  /** Milliseconds until a request times out, unless it is long-running: `--request-timeout`. */
  request: number
  /**
   * A watch without a timeout lasts between one and two of these seconds: `--min-request-timeout`.
   */
  watch: number
}

/** The default time limits. */
export const DEFAULT_TIME_LIMITS: TimeLimits = { request: 60_000, watch: 1_800 }

/** The attributes of a read. */
export interface ReadAttributes {
  verb: string
  namespace: string
  /** Empty for reads of several objects. */
  name: string
}

export interface Engine extends StrategyEngine {
  /**
   * The same time with timers of real time. Timeouts of clients and networks expire even if the
   * cluster clock is paused.
   */
  wallClock: Clock
  random: Random
  /** Resolves after the work that the last write triggered has run. */
  yieldToHost(): Promise<void>
  model: TypeModel
  resources: ResourceTable
  admission: AdmissionChain
  /** Roles and bindings, even if the authorizer does not use them. */
  roles: RoleIndex
  authenticator: Authenticator
  /** Assigns requests to flow schemas. */
  flows: Flows
  /** The audiences of the server, one of which a token must have. */
  audiences: readonly string[]
  /** Absent on a host that cannot sign. */
  serviceAccountTokens?: ServiceAccountTokens
  /** All served groups, for discovery; built-in groups first. */
  groups(): ServedGroup[]
  /** Every served version of every custom resource, for OpenAPI. */
  customResources(): CustomResource[]
  /** Versions of aggregated servers. */
  remotes: RemoteVersions
  /** Sends requests to aggregated servers. */
  reach: ServiceClient
  /**
   * Open watches by the function that ends them. While the server is draining, no new watch starts.
   */
  watches: { open: Map<() => void, { resource: Resource; namespace: string }>; draining: boolean }
  /** Open watches that share their events. */
  watchGroups: WatchGroups<Resource>
  /** The latest writes of controllers. */
  controllerWrites: WriteCauses
  /** What requests leave for later requests. */
  state: ServerState
  /**
   * Runs before a client reads or watches a resource (`group/resource`), so that it sees current
   * data.
   */
  beforeRead: Map<string, (look: ReadAttributes) => Promise<void> | undefined>
  release: ReleaseIdentity & {
    /** Whether hidden metrics of the release are shown. */
    showsHiddenMetrics: boolean
  }
  /**
   * The state of the release's feature gates. OBEYED_GATES in gates.ts lists those with an effect.
   */
  featureGates: GateStates
  timeLimits: TimeLimits
  /** Measures lists. */
  lists: ListMeter
  /** Measures the queues of controllers. */
  workQueues: QueueMeters
  /** The metrics as `/metrics` shows them. */
  metrics(): Promise<string>
  /** Host and port of the server for clients, as in /api. */
  serverAddress: string
  /** Signing by the host; absent: unsupported. */
  signatures?: Signatures
  /** The authority that issues certificates for the cluster; absent: a generated one. */
  signingAuthority?: SigningAuthority
  /** The error of a failing health check; undefined if it passes. */
  health?(check: string): string | undefined
}
