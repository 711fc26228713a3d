/**
 * Kinds are data plus a strategy. Rules for all kinds are in create.ts, update.ts and delete.ts. A
 * strategy has the kind's defaults, server-owned members, validation and warnings. Corresponds to
 * k8s.io/apiserver, registry/rest, `RESTCreateStrategy` and `RESTUpdateStrategy`.
 * Order of a write: decode -> defaults -> mutating admission -> prepare -> validate -> validating
 * admission -> canonicalize -> store.
 */

import type { Authorizer } from '../authorization/authorizer'
import type { Clock, Log, Random } from '../core/environment'
import type { KubeObject, ObjectMeta } from '../core/object'
import type { FieldError, ResourceName } from '../http/status'
import type { Changes } from '../release-tables/changes'
import type { ReleaseTables } from '../release-tables/tables'
import type { ReleaseIdentity } from '../releases/release'
import type { Storage } from '../storage/storage'
import type { AllocationMetrics } from '../telemetry/allocation-metrics'
import type { NameRule } from '../validation/name-rule'
import type { ExpressionTimes } from '../webhooks/metrics'
import type { PortRange, ServiceRange } from './service-ranges'

/** Whether a feature gate is on, by its name. */
export type GateStates = Readonly<Record<string, boolean>>

/** What a strategy may use of the running server. `Engine` has it all. */
export interface StrategyEngine {
  storage: Storage
  clock: Clock
  log: Log
  /** The tables of the release, and its changes since earlier releases. */
  tables: ReleaseTables
  /** The release that the server emulates. */
  release: ReleaseIdentity
  featureGates: GateStates
  /** Ranges of service cluster IPs: one, or one per IP family, the default first. */
  serviceRanges: readonly ServiceRange[]
  /** The range of node ports. */
  nodePorts: PortRange
  authorizer: Authorizer
  /** The served kinds. */
  resources: { byKind(group: string, version: string, kind: string): ResourceName | undefined }
  /** Records the duration of validation rules of custom resources. */
  expressionTimes: ExpressionTimes
  /** Counts allocations of cluster IPs and node ports. */
  allocations: Pick<AllocationMetrics, 'address' | 'port'>
}

/** What the hooks of every request may use of it. A `RequestContext` has it all. */
export interface StrategyRequest {
  engine: StrategyEngine
  /** `''` for the main resource. */
  subresource: string
  namespace: string
  /** From the path; empty for collections. */
  name: string
  warn(text: string): void
}

export interface StrategyContext<Engine extends StrategyEngine = StrategyEngine> {
  clock: Clock
  random: Random
  dryRun: boolean
  /** The user of the request. */
  user: { name: string; uid?: string; groups: string[]; extra?: Record<string, string[]> }
  /** `''` for the main resource, else `status`, `scale`, `finalize` … */
  subresource: string
  /** The version of the request: `autoscaling/v1`. Objects are in the stored version. */
  apiVersion: string
  /** The running server, for rules that need all stored objects (address allocation). */
  engine: Engine
  /** Reads another object from storage, for the few rules that need one. */
  read(
    group: string,
    resource: string,
    namespace: string,
    name: string,
  ): Promise<KubeObject | undefined>
  /** Adds a Warning header to the response. */
  warn(text: string): void
}

/** Kinds whose status subresource changes no metadata except managedFields. */
export const STATUS_ALONE: readonly (keyof ObjectMeta)[] = [
  'labels',
  'annotations',
  'finalizers',
  'ownerReferences',
  'deletionTimestamp',
]

/**
 * Objects passed to prepare* and `defaults` are drafts of this request and may be changed in place.
 * `old` is shared with other readers and must not be changed.
 * @typeParam Request the context of the hooks that send requests of their own: `RequestContext`
 */
export interface Strategy<Request extends StrategyRequest = StrategyRequest> {
  /**
   * Overrides that depend on feature gates and the release. Evaluated once when a server starts, so
   * requests do not pay for it.
   */
  behindGates?(gates: GateStates, changes: Changes): Partial<Strategy<Request>>
  /**
   * Defaults beyond those of the schema (protocols, probes, pod template fields …). Also runs on
   * patched objects.
   */
  defaults?(object: KubeObject): void
  /**
   * Why a decoded object cannot be converted to kube-apiserver's internal type; runs before
   * defaults. undefined: it can.
   */
  unreadable?(object: KubeObject): string | undefined
  /** Rule for metadata.name; DNS subdomain if absent. */
  nameRule?: NameRule
  /** metadata.generateName becomes the name without a suffix. */
  namesAsPrefix?: boolean
  /**
   * When a create validates metadata. Absent: before the kind's rules. `behind its rules`: between
   * them and `validateNew`. `never`: only if everything else is valid, and any path segment is a
   * name.
   */
  checksMetadata?(context: StrategyContext): 'behind its rules' | 'never'
  /** Finalizers of this kind need no domain. */
  laxFinalizers?: boolean
  /** A PUT to a missing object creates it. */
  allowCreateOnUpdate?: boolean
  /** A PUT without resourceVersion is accepted; true if absent. */
  allowUnconditionalUpdate?: boolean
  /**
   * Members whose changes increment metadata.generation: `spec` for most kinds with a status, for a
   * few also `metadata.labels` or `metadata.annotations`. Absent: the kind has no generation.
   */
  generationFields?: string[]
  /**
   * Members that clients cannot set through the main resource: cleared on create, kept from the
   * stored object on update. Usually `['status']`.
   */
  serverOwned?: string[]
  /**
   * Objects must not share allocated values, so writes of the kind are serialized, see
   * write-queue.ts.
   */
  serializesWrites?: boolean
  /**
   * Checks that the user may grant what the object grants; runs before validation.
   * @param old undefined on create
   * @param context its name is the one in the path, empty for a POST
   * @throws ApiError 403
   */
  checkGrant?(object: KubeObject, old: KubeObject | undefined, context: Request): Promise<void>
  prepareForCreate?(object: KubeObject, context: StrategyContext): void | Promise<void>
  prepareForUpdate?(
    object: KubeObject,
    old: KubeObject,
    context: StrategyContext,
  ): void | Promise<void>
  /** @param old the object before an update; undefined on create */
  validate?(
    object: KubeObject,
    context: StrategyContext,
    old?: KubeObject,
  ): FieldError[] | Promise<FieldError[]>
  /** Rules for new objects only, after `validate`. */
  validateNew?(object: KubeObject, context: StrategyContext): FieldError[]
  /**
   * Runs after `validate` of the new object unless `validatesAllOnUpdate` is false. Returns only
   * errors of the change itself.
   */
  validateUpdate?(
    object: KubeObject,
    old: KubeObject,
    context: StrategyContext,
  ): FieldError[] | Promise<FieldError[]>
  /**
   * false: only `validateUpdate` runs; it calls `validate` if the kind needs it. True if absent.
   */
  validatesAllOnUpdate?: boolean
  warningsOnCreate?(object: KubeObject, context: StrategyContext): string[]
  warningsOnUpdate?(object: KubeObject, old: KubeObject, context: StrategyContext): string[]
  /**
   * Converts an object of the request's version into the stored one if that is asynchronous; the
   * last step.
   * @throws ApiError
   */
  toStored?(object: KubeObject): Promise<void>
  /** The last change before storing: quantities, durations. */
  canonicalize?(object: KubeObject): void
  /**
   * Whether a new object is stored without a default that every read adds. Then the first write
   * stores the default and counts as a change. Compared with kube-apiserver 1.31.
   */
  filledOnReading?(object: KubeObject): boolean
  /** The status subresource: it determines what may change beyond `status`. */
  status?: Pick<Strategy, 'prepareForUpdate' | 'validateUpdate' | 'warningsOnUpdate'>
  /**
   * Members of metadata that the status subresource does not change, though it changes the others.
   */
  statusKeeps?: readonly (keyof ObjectMeta)[]
  /**
   * Custom resources: field selectors beyond metadata.name and metadata.namespace. Built-in kinds:
   * `Kind.selectable`.
   */
  selectableFields?: Record<string, (object: KubeObject) => string>
  /** Kinds that are never stored (access reviews): returns the response object. */
  create?(object: KubeObject, context: Request): Promise<KubeObject>
  /**
   * Propagation of a DELETE without a policy; `Background` if absent. `Unsupported`: dependents are
   * never waited for, even if requested.
   */
  defaultPropagation?: 'Background' | 'Orphan' | 'Unsupported'
  /**
   * `orphanDependents: false` means `Foreground`, not `Background`, if it starts the deletion.
   * Recorded from kube-apiserver 1.31.
   */
  waitsUnlessOrphaned?: boolean
  /** The warning of a DELETE that relies on that default. */
  defaultPropagationWarning?: string
  /**
   * Whether something other than metadata.finalizers delays removal (a namespace's own finalizers);
   * evaluated on updates.
   */
  holdsDeletion?(object: KubeObject): boolean
  /**
   * A deletion that starts in the kind's own way.
   * @returns the object during deletion; or that its deletion is in progress and nothing changes;
   *   or undefined for the default
   */
  beginDeletion?(
    old: KubeObject,
    deletion: { finalizers: string[]; now: string },
  ): KubeObject | 'under way' | undefined
  /**
   * Rejects a DELETE with failed preconditions with the kind's own message.
   * @throws ApiError 409
   */
  checkPreconditions?(
    context: Request,
    old: KubeObject,
    preconditions: { uid?: string; resourceVersion?: string },
  ): void
  /** Kinds with graceful deletion: seconds for this object, given those of the request. */
  gracePeriodSeconds?(object: KubeObject, requested: number | undefined): number
  /** Runs before a single deletion, not for collections; throws ApiError to reject it. */
  beforeDelete?(object: KubeObject, context: StrategyContext): void | Promise<void>
  /**
   * Side effects of a committed create, update or delete on other parts of the engine (allocators).
   * Never on dry run.
   */
  afterCreate?(object: KubeObject, context: StrategyContext): void
  afterDelete?(
    object: KubeObject,
    context: StrategyContext<Request['engine']>,
  ): void | Promise<void>
}
