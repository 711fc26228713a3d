/** The shared parts of a running server. server.ts builds them once and passes them on. */
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
import type { SimulatedState } from '../simulation/pod-state'
import type { ListMeter } from '../storage/list-meter'
import type { ElectionMetrics } from '../telemetry/election-metrics'
import type { QueueMeters } from '../time/queue-meter'
import type { Resource } from './resource'
import type { ResourceTable } from './resource-table'
import type { ServerState } from './server-state'
import type { GateStates, StrategyEngine } from './strategy'
import type { WatchGroups } from './watch-groups'

export interface TimeLimits {
  /** Milliseconds until a request times out, unless it is long-running: `--request-timeout`. */
  request: number
  /** A watch without timeout lasts one to two times these seconds: `--min-request-timeout`. */
  watch: number
}

export const DEFAULT_TIME_LIMITS: TimeLimits = { request: 60_000, watch: 1_800 }

export interface ReadAttributes {
  verb: string
  namespace: string
  /** Empty for lists and collections. */
  name: string
}

export interface Engine extends StrategyEngine {
  /** Timeouts of clients and networks expire even if the cluster clock is paused. */
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
  flows: Flows
  /** A token must have one of these audiences. */
  audiences: readonly string[]
  /** Absent on a host that cannot sign. */
  serviceAccountTokens?: ServiceAccountTokens
  /** For discovery; built-in groups first. */
  groups(): ServedGroup[]
  /** Every served version of every custom resource, for OpenAPI. */
  customResources(): CustomResource[]
  remotes: RemoteVersions
  reach: ServiceClient
  /** Open watches by the function that ends them. A draining server starts no new watch. */
  watches: { open: Map<() => void, { resource: Resource; namespace: string }>; draining: boolean }
  watchGroups: WatchGroups<Resource>
  /** The latest writes of controllers. */
  controllerWrites: WriteCauses
  state: ServerState
  /** The state of programs in simulated containers. */
  simulation: SimulatedState
  /**
   * Runs before a client reads or watches a resource (`group/resource`), so that it sees current
   * data.
   */
  beforeRead: Map<string, (look: ReadAttributes) => Promise<void> | undefined>
  release: ReleaseIdentity & {
    showsHiddenMetrics: boolean
  }
  /** OBEYED_GATES in gates.ts lists the gates with an effect. */
  featureGates: GateStates
  timeLimits: TimeLimits
  lists: ListMeter
  workQueues: QueueMeters
  election: Pick<ElectionMetrics, 'elected' | 'readBeforeRenewal'>
  /** The body of `/metrics`. */
  metrics(): Promise<string>
  /** Host and port for clients, as in /api. */
  serverAddress: string
  /** Absent on a host that cannot sign. */
  signatures?: Signatures
  /** Issues certificates for the cluster; absent: the server generates one. */
  signingAuthority?: SigningAuthority
  /** The error of a failing health check; undefined if it passes. */
  health?(check: string): string | undefined
}
