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
import type { SigningMetrics } from '../telemetry/signing-metrics'
import type { NameRule } from '../validation/name-rule'
import type { ExpressionTimes } from '../webhooks/metrics'
import type { PortRange, ServiceRange } from './service-ranges'

export type GateStates = Readonly<Record<string, boolean>>

/** The parts of the running server that a strategy may use. */
export interface StrategyEngine {
  storage: Storage
  clock: Clock
  log: Log
  tables: ReleaseTables
  release: ReleaseIdentity
  featureGates: GateStates
  /** One, or one per IP family, the default first. */
  serviceRanges: readonly ServiceRange[]
  nodePorts: PortRange
  authorizer: Authorizer
  resources: { byKind(group: string, version: string, kind: string): ResourceName | undefined }
  /** Records the duration of validation rules of custom resources. */
  expressionTimes: ExpressionTimes
  /** Counts allocations of cluster IPs and node ports. */
  allocations: Pick<AllocationMetrics, 'address' | 'port' | 'timed'>
  /** Counts certificates that signers issue. */
  signing: Pick<SigningMetrics, 'issued'>
}

/** The parts of a `RequestContext` that hooks may use. */
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
  /** Of the request: `autoscaling/v1`. Objects are in the stored version. */
  apiVersion: string
  engine: Engine
  /** Reads another object from storage. */
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
 * Hooks may change drafts (arguments of prepare* and `defaults`), but not `old`, which other
 * readers share.
 * @typeParam Request the context of hooks that send requests of their own: `RequestContext`
 */
export interface Strategy<Request extends StrategyRequest = StrategyRequest> {
  /** Overrides for feature gates and the release, evaluated once when a server starts. */
  behindGates?(gates: GateStates, changes: Changes): Partial<Strategy<Request>>
  /**
   * Defaults beyond those of the schema (protocols, probes, pod templates …). Also runs on patched
   * objects.
   */
  defaults?(object: KubeObject): void
  /**
   * Why a decoded object cannot be converted to kube-apiserver's internal type; runs before
   * defaults.
   */
  unreadable?(object: KubeObject): string | undefined
  /** DNS subdomain if absent. */
  nameRule?: NameRule
  /** metadata.generateName becomes the name, without a suffix. */
  namesAsPrefix?: boolean
  /**
   * When a create validates metadata. Absent: before the kind's rules. `behind its rules`: between
   * them and `validateNew`. `never`: only if everything else is valid, and any path segment is a
   * name.
   */
  checksMetadata?(context: StrategyContext): 'behind its rules' | 'never'
  /** Finalizers of this kind need no domain. */
  laxFinalizers?: boolean
  allowCreateOnUpdate?: boolean
  /** A PUT without resourceVersion is accepted; true if absent. */
  allowUnconditionalUpdate?: boolean
  /**
   * Members whose changes increment metadata.generation, usually `spec`. Absent: the kind has no
   * generation.
   */
  generationFields?: string[]
  /** Members that clients cannot set through the main resource, usually `['status']`. */
  serverOwned?: string[]
  /** Objects must not share allocated values, so writes are serialized, see write-queue.ts. */
  serializesWrites?: boolean
  /**
   * Checks, before validation, that the user may grant what the object grants.
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
  /** @param old undefined on create */
  validate?(
    object: KubeObject,
    context: StrategyContext,
    old?: KubeObject,
  ): FieldError[] | Promise<FieldError[]>
  validateNew?(object: KubeObject, context: StrategyContext): FieldError[]
  /**
   * Returns only errors of the change itself. Runs after `validate` of the new object, unless
   * `validatesAllOnUpdate` is false.
   */
  validateUpdate?(
    object: KubeObject,
    old: KubeObject,
    context: StrategyContext,
  ): FieldError[] | Promise<FieldError[]>
  /** True if absent; false: `validateUpdate` calls `validate` if the kind needs it. */
  validatesAllOnUpdate?: boolean
  warningsOnCreate?(object: KubeObject, context: StrategyContext): string[]
  warningsOnUpdate?(object: KubeObject, old: KubeObject, context: StrategyContext): string[]
  /**
   * Converts an object from the request's version into the stored one if that is asynchronous.
   * @throws ApiError
   */
  toStored?(object: KubeObject): Promise<void>
  /** The last change before storing: quantities, durations. */
  canonicalize?(object: KubeObject): void
  /**
   * A new object is stored without a default that every read adds. So the first write stores the
   * default and counts as a change. Compared with kube-apiserver 1.31.
   */
  filledOnReading?(object: KubeObject): boolean
  /** The status subresource: it determines what may change beyond `status`. */
  status?: SubresourceStrategy
  /** Members of metadata that a write to `status` keeps; it changes the others. */
  statusKeeps?: readonly (keyof ObjectMeta)[]
  /**
   * Custom resources: selectable fields beyond metadata.name and metadata.namespace. Built-in kinds
   * use `Kind.selectable`.
   */
  selectableFields?: Record<string, (object: KubeObject) => string>
  /** Kinds that are never stored (access reviews): returns the response object. */
  create?(object: KubeObject, context: Request): Promise<KubeObject>
  /**
   * Propagation of a DELETE without a policy; `Background` if absent. `Unsupported`: deletion never
   * waits for dependents.
   */
  defaultPropagation?: 'Background' | 'Orphan' | 'Unsupported'
  /**
   * `orphanDependents: false` at the start of a deletion means `Foreground`, not `Background`.
   * Recorded from kube-apiserver 1.31.
   */
  waitsUnlessOrphaned?: boolean
  /** The warning of a DELETE that relies on that default. */
  defaultPropagationWarning?: string
  /**
   * Whether something other than metadata.finalizers delays removal, such as spec.finalizers of a
   * namespace.
   */
  holdsDeletion?(object: KubeObject): boolean
  /**
   * Starts a deletion in the kind's own way.
   * @returns the object during deletion; that a deletion is already in progress; or undefined for
   *   the default
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
  /** Graceful deletion: seconds for this object, given those of the request. */
  gracePeriodSeconds?(object: KubeObject, requested: number | undefined): number
  /** Not called for collections. @throws ApiError to reject the deletion */
  beforeDelete?(object: KubeObject, context: StrategyContext): void | Promise<void>
  /** Effects of a committed write on other parts of the engine (allocators). Never on dry run. */
  afterCreate?(object: KubeObject, context: StrategyContext): void
  afterUpdate?(object: KubeObject, old: KubeObject, context: StrategyContext): void
  afterDelete?(
    object: KubeObject,
    context: StrategyContext<Request['engine']>,
  ): void | Promise<void>
}

/** The hooks of a subresource, which replace those of the kind. */
export type SubresourceStrategy = Pick<
  Strategy,
  'prepareForUpdate' | 'validateUpdate' | 'warningsOnUpdate' | 'afterUpdate'
>
