/**
 * A kind is data plus a strategy. What all kinds share lives once in the generic store (store.ts); a strategy says only what is
 * particular: its defaults, what a client may set, what is valid, which warnings it earns.
 *
 * Order of a write (design: the life of a create as named steps):
 *   decode -> defaults -> admission -> prepare -> validate -> warnings -> canonicalize -> store
 */

import type { Engine } from '../engine'
import type { Clock, Random } from '../environment'
import type { FieldError } from '../http/status'
import type { KubeObject, ObjectMeta } from '../object'
import type { Changes } from '../release-tables/changes'
import type { RequestContext } from './request-context'
import type { NameRule } from './rules/name-rule'

export interface StrategyContext {
  clock: Clock
  random: Random
  dryRun: boolean
  /** Who asks. */
  user: { name: string; uid?: string; groups: string[]; extra?: Record<string, string[]> }
  /** `''` for the main resource, else `status`, `scale`, `finalize` … */
  subresource: string
  /** The version through which the request came: `autoscaling/v1`. Objects are given in the hub version. */
  apiVersion: string
  /** The running server, for what must look at stored objects as a whole (address allocation). */
  engine: Engine
  /** Reads another object from the store, for the few rules that need one. */
  read(
    group: string,
    resource: string,
    namespace: string,
    name: string,
  ): Promise<KubeObject | undefined>
  /** A warning for the response's Warning header. */
  warn(text: string): void
}

/** Kinds whose status subresource changes nothing of metadata but who owns what. */
export const STATUS_ALONE: readonly (keyof ObjectMeta)[] = [
  'labels',
  'annotations',
  'finalizers',
  'ownerReferences',
  'deletionTimestamp',
]

/**
 * Objects given to prepare* and `defaults` are drafts of this request alone and are changed in place;
 * `old` is shared with other readers and must not be touched.
 */
export interface Strategy {
  /** What differs with feature gates and releases: asked once, when a server is made, so that it costs requests nothing. */
  behindGates?(gates: Engine['featureGates'], changes: Changes): Partial<Strategy>
  /** Defaults that the schema does not state (protocols, probes, pod template fields …). Also runs on objects read from patches. */
  defaults?(object: KubeObject): void
  /** What keeps a decoded object from the form that the real server works with, asked before defaults; undefined: nothing. */
  unreadable?(object: KubeObject): string | undefined
  /** Rule for metadata.name; DNS subdomain if absent. */
  nameRule?: NameRule
  /** Nothing is added to metadata.generateName: it is the name. */
  namesAsPrefix?: boolean
  /**
   * When a create checks metadata: before the kind's rules, as it does if this is absent; or between them and those of new objects; or
   * never itself, then it is only looked at if all else is right, and any segment of a path is a name.
   */
  checksMetadata?(context: StrategyContext): 'behind its rules' | 'never'
  /** Finalizers need no domain for this kind. */
  laxFinalizers?: boolean
  /** PUT to a missing object creates it. */
  allowCreateOnUpdate?: boolean
  /** PUT without resourceVersion is taken; true if absent. */
  allowUnconditionalUpdate?: boolean
  /**
   * Which members raise metadata.generation when they change: `spec` for most kinds with a status, for a few also
   * `metadata.labels` or `metadata.annotations`.
   * Absent: the kind keeps no generation by itself.
   */
  generationFields?: string[]
  /** Members that clients cannot set through the main resource: dropped on create, kept from the stored object on update. Usually `['status']`. */
  serverOwned?: string[]
  /** What one object takes no other may have: writes of the kind are judged one after another. */
  serializesWrites?: boolean
  /**
   * What a write hands out must be the asker's to give. Asked before anything of the object is checked. @param old undefined: it
   * creates @param context its name is the one in the path, empty for a POST @throws ApiError 403
   */
  checkGrant?(
    object: KubeObject,
    old: KubeObject | undefined,
    context: RequestContext,
  ): Promise<void>
  prepareForCreate?(object: KubeObject, context: StrategyContext): void | Promise<void>
  prepareForUpdate?(
    object: KubeObject,
    old: KubeObject,
    context: StrategyContext,
  ): void | Promise<void>
  /** @param old what an update changes; undefined: the object is new */
  validate?(
    object: KubeObject,
    context: StrategyContext,
    old?: KubeObject,
  ): FieldError[] | Promise<FieldError[]>
  /** What only a new object must keep to, asked behind `validate`. */
  validateNew?(object: KubeObject, context: StrategyContext): FieldError[]
  /** Runs after `validate` of the new object unless `validatesAllOnUpdate` is false; list only what the change itself violates. */
  validateUpdate?(
    object: KubeObject,
    old: KubeObject,
    context: StrategyContext,
  ): FieldError[] | Promise<FieldError[]>
  /** false: `validateUpdate` alone decides (it calls `validate` where the kind wants it). True if absent. */
  validatesAllOnUpdate?: boolean
  warningsOnCreate?(object: KubeObject, context: StrategyContext): string[]
  warningsOnUpdate?(object: KubeObject, old: KubeObject, context: StrategyContext): string[]
  /** Brings an object of the request's version into the stored one where that takes waiting: the very last step. @throws ApiError */
  toStored?(object: KubeObject): Promise<void>
  /** Last touch before storing: quantities, durations. */
  canonicalize?(object: KubeObject): void
  /**
   * Whether a new object is stored without something that every reading adds: then the first write stores that, and is a change even
   * if it says nothing new (asked of the real server).
   */
  filledOnReading?(object: KubeObject): boolean
  /** The status subresource: what it may change beyond `status` is decided here. */
  status?: Pick<Strategy, 'prepareForUpdate' | 'validateUpdate' | 'warningsOnUpdate'>
  /** Members of metadata that the status subresource leaves as they are, though it changes the others. */
  statusKeeps?: readonly (keyof ObjectMeta)[]
  /** Custom resources: field selectors beyond metadata.name and metadata.namespace. Built-in kinds: registry/selectable-fields.ts. */
  selectableFields?: Record<string, (object: KubeObject) => string>
  /** Kinds that are questions, not records (access reviews): answers the object instead of storing it. */
  create?(object: KubeObject, context: RequestContext): Promise<KubeObject>
  /** Default propagation when DELETE names none; `Background` if absent. `Unsupported`: nobody waits for dependents, even if asked to. */
  defaultPropagation?: 'Background' | 'Orphan' | 'Unsupported'
  /** `orphanDependents: false` asks for `Foreground`, not for `Background`, where it begins the deletion (recorded). */
  waitsUnlessOrphaned?: boolean
  /** What a DELETE is warned of that leaves it to that default. */
  defaultPropagationWarning?: string
  /** Something besides metadata.finalizers keeps a deleted object alive (a namespace's own finalizers): asked of updates. */
  holdsDeletion?(object: KubeObject): boolean
  /**
   * Deletion that begins in the kind's own way. @returns the object as it is while it goes, or that its deletion is under way and
   * nothing changes, or undefined: as for other kinds
   */
  beginDeletion?(
    old: KubeObject,
    deletion: { finalizers: string[]; now: string },
  ): KubeObject | 'under way' | undefined
  /** Refuses a DELETE whose preconditions fail in the kind's own words. @throws ApiError 409 */
  checkPreconditions?(
    context: RequestContext,
    old: KubeObject,
    preconditions: { uid?: string; resourceVersion?: string },
  ): void
  /** The kind is deleted gracefully: seconds for this object, given what the client asked. */
  gracePeriodSeconds?(object: KubeObject, requested: number | undefined): number
  /** Runs before a delete of one object, not of a collection; throws ApiError to refuse. */
  beforeDelete?(object: KubeObject, context: StrategyContext): void | Promise<void>
  /** Side effects of a committed create, update or delete on other parts of the engine (allocators). Never on dry run. */
  afterCreate?(object: KubeObject, context: StrategyContext): void
  afterDelete?(object: KubeObject, context: StrategyContext): void | Promise<void>
}
