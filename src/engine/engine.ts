/** What the rooms of a running server share: made once by server.ts, passed down, never imported sideways. */
import type { AdmissionChain } from './admission/admission'
import type { Reach } from './aggregation/reach'
import type { RemoteVersions } from './aggregation/remote-versions'
import type { Authenticator } from './authentication/authenticator'
import type { ServiceAccountTokens } from './authentication/service-accounts/tokens'
import type { Authorizer } from './authorization/authorizer'
import type { RoleIndex } from './authorization/rbac/role-index'
import type { ServedGroup } from './encoding/discovery'
import type { CustomResource } from './encoding/openapi/custom'
import type { Clock, Log, Random, Signatures, SigningAuthority } from './environment'
import type { Flows } from './flow-control/flows'
import type { PortRange, ServiceRange } from './registry/core/service-ranges'
import type { Resource, ResourceTable } from './registry/resource'
import type { ReleaseTables } from './release-tables/tables'
import type { ReleaseIdentity } from './releases/release'
import type { TypeModel } from './schema/model'
import type { ListMeter } from './storage/list-meter'
import type { Storage } from './storage/storage'
import type { QueueMeters } from './time/queue-meter'
import type { ExpressionTimes } from './webhooks/metrics'

export interface TimeLimits {
  /** Milliseconds in which a request is answered at the latest, unless it stays open by its nature: `--request-timeout`. */
  request: number
  /** A watch that names no end lasts between one and two of these seconds: `--min-request-timeout`. */
  watch: number
}

/** What a server has that is told nothing else. */
export const DEFAULT_TIME_LIMITS: TimeLimits = { request: 60_000, watch: 1_800 }

/** How somebody looks at what is stored. */
export interface ReadAttributes {
  verb: string
  namespace: string
  /** Empty: at all of them. */
  name: string
}

export interface Engine {
  storage: Storage
  clock: Clock
  /** The same time with timers of real time: for what people and networks wait for, which ends though the cluster's time stands still. */
  wallClock: Clock
  random: Random
  log: Log
  /** Resolves when what the last write woke has had its turn. */
  yieldToHost(): Promise<void>
  model: TypeModel
  resources: ResourceTable
  admission: AdmissionChain
  authorizer: Authorizer
  /** Roles and bindings, whether or not the authorizer goes by them. */
  roles: RoleIndex
  authenticator: Authenticator
  /** How requests are sorted by flow schema. */
  flows: Flows
  /** The server's own audiences: whom a credential must be made for. */
  audiences: readonly string[]
  /** Absent on a host that cannot sign. */
  serviceAccountTokens?: ServiceAccountTokens
  /** Everything that is served, for discovery: built-in groups first. */
  groups(): ServedGroup[]
  /** Every served version of every custom resource, for OpenAPI. */
  customResources(): CustomResource[]
  /** Versions that other servers stand behind. */
  remotes: RemoteVersions
  /** How these are reached. */
  reach: Reach
  /** Streams that are open, by how to end them, with what they watch; while draining no new one starts. */
  watches: { open: Map<() => void, { resource: Resource; namespace: string }>; draining: boolean }
  /** What is to be done before somebody from outside reads or watches a resource (`group/resource`), so that it shows what is true. */
  beforeRead: Map<string, (look: ReadAttributes) => Promise<void> | undefined>
  /** What the release has and does; `changes` of it says what it does otherwise than those before. */
  tables: ReleaseTables
  /** Which release it answers as. */
  release: ReleaseIdentity & {
    /** Metrics that it hides are shown. */
    showsHiddenMetrics: boolean
  }
  /** Which of the release's feature gates are on; OBEYED_GATES in gates.ts names those that make a difference here. */
  featureGates: Readonly<Record<string, boolean>>
  /** What services get their cluster addresses from: one range, or one of each family, the default first. */
  serviceRanges: readonly ServiceRange[]
  /** What they get node ports from. */
  nodePorts: PortRange
  timeLimits: TimeLimits
  /** Writes down how long rules of custom resources take. */
  expressionTimes: ExpressionTimes
  /** Measures lists. */
  lists: ListMeter
  /** Measures the queues of controllers. */
  workQueues: QueueMeters
  /** The metrics as `/metrics` shows them. */
  metrics(): Promise<string>
  /** Host and port under which clients reach the server, as /api tells them. */
  serverAddress: string
  /** How the host signs; absent: it cannot. */
  signatures?: Signatures
  /** Signs certificates for the cluster; absent: an authority of its own. */
  signingAuthority?: SigningAuthority
  /** Why a health check fails; undefined: it passes. */
  health?(check: string): string | undefined
}
