import type { AdmissionChain } from '../admission/admission'
import type { RemoteVersions } from '../aggregation/remote-versions'
import type { ServiceClient } from '../aggregation/service-client'
import type { Authenticator, UserInfo } from '../authentication/authenticator'
import type { ServiceAccountTokens } from '../authentication/service-accounts/tokens'
import type { RoleIndex } from '../authorization/rbac/role-index'
import type { WriteCauses } from '../causality/controller-writes'
import type { Clock, Random, Signatures, SigningAuthority } from '../core/environment'
import type { Json } from '../core/object'
import type { ServedGroup } from '../encoding/discovery'
import type { CustomResource } from '../encoding/openapi/custom'
import type { Flows } from '../flow-control/flows'
import type { Emulation, ReleaseIdentity } from '../releases/release'
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
  /** Milliseconds, for requests that are not long-running: `--request-timeout`. */
  request: number
  /** Seconds; a watch lasts one to two times as long: `--min-request-timeout`. */
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
  /** For timeouts, which expire even if the cluster clock is paused. */
  wallClock: Clock
  random: Random
  /** Resolves when work that the last write triggered has run. */
  yieldToHost(): Promise<void>
  model: TypeModel
  resources: ResourceTable
  admission: AdmissionChain
  /** Present even if the authorizer uses no RBAC. */
  roles: RoleIndex
  authenticator: Authenticator
  flows: Flows
  /** A token must have one of them. */
  audiences: readonly string[]
  /** Absent on a host that cannot sign. */
  serviceAccountTokens?: ServiceAccountTokens
  /** For discovery; built-in groups first. */
  groups(): ServedGroup[]
  /** All served versions, for OpenAPI. */
  customResources(): CustomResource[]
  remotes: RemoteVersions
  reach: ServiceClient
  /** Keyed by the function that ends the watch. A draining server starts none. */
  watches: { open: Map<() => void, { resource: Resource; namespace: string }>; draining: boolean }
  watchGroups: WatchGroups<Resource>
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
    emulation: Emulation
    showsHiddenMetrics: boolean
  }
  /** OBEYED_GATES in gate-effects.ts lists the gates with an effect. */
  featureGates: GateStates
  timeLimits: TimeLimits
  lists: ListMeter
  workQueues: QueueMeters
  election: Pick<ElectionMetrics, 'elected' | 'readBeforeRenewal'>
  /** The body of `/metrics`. */
  metrics(): Promise<string>
  /** @throws ApiError 400 for an invalid RepairReview */
  reviewRepairs(review: Json, caller: UserInfo): Promise<object>
  /** Host and port, as in /api. */
  serverAddress: string
  /** Absent on a host that cannot sign. */
  signatures?: Signatures
  /** If absent, the server generates one. */
  signingAuthority?: SigningAuthority
  /** The error of a failing check; undefined if it passes. */
  health?(check: string): string | undefined
}
