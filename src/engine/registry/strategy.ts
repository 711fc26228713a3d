/**
 * The rules of one kind. See k8s.io/apiserver, registry/rest, `RESTCreateStrategy`,
 * `RESTUpdateStrategy`.
 * Order of a write: decode -> defaults -> mutating admission -> prepare -> validate ->
 * canonicalize -> validating admission -> store.
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

/** What a strategy may use of the server. */
export interface StrategyEngine {
  storage: Storage
  clock: Clock
  log: Log
  tables: ReleaseTables
  release: ReleaseIdentity
  featureGates: GateStates
  /** One per IP family, the default first. */
  serviceRanges: readonly ServiceRange[]
  nodePorts: PortRange
  authorizer: Authorizer
  resources: { byKind(group: string, version: string, kind: string): ResourceName | undefined }
  expressionTimes: ExpressionTimes
  /** Counts allocations of cluster IPs and node ports. */
  allocations: Pick<AllocationMetrics, 'address' | 'port' | 'timed'>
  /** Counts certificates that signers issue. */
  signing: Pick<SigningMetrics, 'issued'>
}

/** What hooks may use of a `RequestContext`. */
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
  user: { name: string; uid?: string; groups: string[]; extra?: Record<string, string[]> }
  /** `''` for the main resource, else `status`, `scale`, `finalize` … */
  subresource: string
  /** Of the request, such as `autoscaling/v1`; objects are in the stored version. */
  apiVersion: string
  engine: Engine
  read(
    group: string,
    resource: string,
    namespace: string,
    name: string,
  ): Promise<KubeObject | undefined>
  /** Adds a Warning header to the response. */
  warn(text: string): void
}

/** Metadata that a status write keeps, in kinds where it changes only managedFields. */
export const STATUS_ALONE: readonly (keyof ObjectMeta)[] = [
  'labels',
  'annotations',
  'finalizers',
  'ownerReferences',
  'deletionTimestamp',
]

/**
 * Hooks may change drafts (arguments of prepare* and `defaults`), but not the shared `old`.
 * @typeParam Request the context of hooks that send requests: `RequestContext`
 */
export interface Strategy<Request extends StrategyRequest = StrategyRequest> {
  /** Overrides, evaluated when a server starts. */
  behindGates?(gates: GateStates, changes: Changes): Partial<Strategy<Request>>
  /** Defaults beyond the schema's (protocols, probes, pod templates …), also of patched objects. */
  defaults?(object: KubeObject): void
  /** Why kube-apiserver cannot convert the object to its internal type; runs before defaults. */
  unreadable?(object: KubeObject): string | undefined
  /** DNS subdomain if absent. */
  nameRule?: NameRule
  /** metadata.generateName becomes the name, without a suffix. */
  namesAsPrefix?: boolean
  /**
   * When a create validates metadata; absent: before the kind's rules. `behind its rules`: between
   * them and `validateNew`. `never`: without the kind's name rule, and only if
   * all else is valid.
   */
  checksMetadata?(context: StrategyContext): 'behind its rules' | 'never'
  /** Finalizers of this kind need no domain. */
  laxFinalizers?: boolean
  allowCreateOnUpdate?: boolean
  /** A PUT without resourceVersion is accepted; true if absent. */
  allowUnconditionalUpdate?: boolean
  /** Changes of these increment metadata.generation, usually `spec`. Absent: no generation. */
  generationFields?: string[]
  /** Members that the main resource ignores, usually `['status']`. */
  serverOwned?: string[]
  /** For allocated values that objects must not share, see write-queue.ts. */
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
  /** Errors of the change itself. Runs after `validate`, unless `validatesAllOnUpdate` is false. */
  validateUpdate?(
    object: KubeObject,
    old: KubeObject,
    context: StrategyContext,
  ): FieldError[] | Promise<FieldError[]>
  /** True if absent; false: `validateUpdate` calls `validate` if the kind needs it. */
  validatesAllOnUpdate?: boolean
  warningsOnCreate?(object: KubeObject, context: StrategyContext): string[]
  warningsOnUpdate?(object: KubeObject, old: KubeObject, context: StrategyContext): string[]
  /** An asynchronous conversion to the stored version. @throws ApiError */
  toStored?(object: KubeObject): Promise<void>
  /** The last change before validating admission: quantities, durations. */
  canonicalize?(object: KubeObject): void
  /**
   * A new object is stored without a default that every read adds, so the first update stores the
   * default and counts as a change. Compared with kube-apiserver 1.31.
   */
  filledOnReading?(object: KubeObject): boolean
  /** The status subresource: it determines what may change beyond `status`. */
  status?: SubresourceStrategy
  /** Members of metadata that a write to `status` keeps; it changes the others. */
  statusKeeps?: readonly (keyof ObjectMeta)[]
  /** Only for custom resources; built-in kinds use `Kind.selectable`. */
  selectableFields?: Record<string, (object: KubeObject) => string>
  /** For kinds that are never stored (access reviews): returns the response. */
  create?(object: KubeObject, context: Request): Promise<KubeObject>
  /**
   * The policy of a DELETE without one; `Background` if absent. `Unsupported`: deletion never waits for
   * dependents.
   */
  defaultPropagation?: 'Background' | 'Orphan' | 'Unsupported'
  /**
   * `orphanDependents: false` means `Foreground`, but only when the deletion begins. Recorded from
   * kube-apiserver 1.31.
   */
  waitsUnlessOrphaned?: boolean
  /** Warns of a DELETE that relies on `defaultPropagation`. */
  defaultPropagationWarning?: string
  /** Whether more than metadata.finalizers delays removal: spec.finalizers of a namespace. */
  holdsDeletion?(object: KubeObject): boolean
  /** @returns the object during deletion; undefined for the default */
  beginDeletion?(
    old: KubeObject,
    deletion: { finalizers: string[]; now: string },
  ): KubeObject | 'under way' | undefined
  /** Replaces the message of failed preconditions. @throws ApiError 409 */
  checkPreconditions?(
    context: Request,
    old: KubeObject,
    preconditions: { uid?: string; resourceVersion?: string },
  ): void
  /** Seconds for this object, given those of the request. */
  gracePeriodSeconds?(object: KubeObject, requested: number | undefined): number
  /** Not called for collections. @throws ApiError to reject the deletion */
  beforeDelete?(object: KubeObject, context: StrategyContext): void | Promise<void>
  /** Effects on the engine (allocators). Never runs on dry run. */
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
