/** Ownership of every write: what the registry calls after a create, an update, a patch, and for a server-side apply. */
import { ApiError } from '../http/status'
import {
  equalJson,
  type JsonObject,
  type KubeObject,
  type ManagedFieldsEntry,
  type ObjectMeta,
} from '../object'
import { canonicalize } from '../schema/canonical'
import type { StructType } from '../schema/model'
import { fieldSetOf } from './compare'
import { type Conflict, conflictError } from './conflicts'
import {
  difference,
  EMPTY,
  equalSets,
  type FieldSet,
  hasPath,
  isEmpty,
  recursiveDifference,
  union,
} from './field-set'
import { appliedFields, createdFields } from './fields-by-shape'
import { KUBECTL, unchangedSinceLastApplied, withLastApplied } from './last-applied'
import {
  capUpdaters,
  decodeManagers,
  EntryError,
  encodeManager,
  encodeManagers,
  identityOf,
  type Manager,
  type Managers,
  managerOf,
  setFields,
} from './managed-fields'
import { merge } from './merge'
import {
  Change,
  conflictsOf,
  ownedOf,
  reconcileManagers,
  takeFromOthers,
  withoutServerFields,
} from './ownership'
import { PathElementError } from './path-elements'
import { prune } from './prune'
import { checkApplied, checkKind, checkLive, mayMisfit, problemsOf } from './validate'
import { type KindVersions, Versions } from './versions'

/** What every write tells of itself. */
export interface Write {
  /** undefined: the object is being created. Canonical, in the version of the request. */
  live: KubeObject | undefined
  type: StructType
  manager: string
  /** The version of the request. */
  apiVersion: string
  /** Empty for the main resource. */
  subresource: string
  /** RFC 3339, whole seconds. */
  time: string
  /** Paths that this endpoint does not write (reset-fields.ts); none if absent. */
  reset?: FieldSet | undefined
  /** The kind's other versions; absent: there are none. */
  versions?: KindVersions | undefined
}

/**
 * Ownership after a create, PUT or patch that is not an apply: what changed goes from all others to the updater's entry of this
 * version and subresource. A change of nothing takes nothing. Never an error to the writer: ownership that cannot be computed is
 * dropped (recorded).
 * @param requested what the request itself says about managedFields; `[]` and `[{}]` reset them. Not given for subresources.
 * @returns undefined where nobody owns anything; objects that are not tracked stay so until the first apply
 */
export function updateManagedFields(
  write: Write,
  updated: KubeObject,
  requested?: ManagedFieldsEntry[] | undefined,
): ManagedFieldsEntry[] | undefined {
  const { live, type } = write
  const managers = startingManagers(live?.metadata.managedFields, requested)
  const isUntracked = managers.size === 0
  if (isUntracked && live !== undefined) return undefined
  if (isUntracked && !mayMisfit(type)) return ownedByCreator(write, updated)
  const before = live ?? emptyObject(type)
  const after = canonicalize(type, updated)
  if (mayMisfit(type) && (misfits(before, type) || misfits(after, type))) return undefined
  try {
    if (isUntracked) return ownedByCreator(write, after)
    recordUpdate(managers, write, before, after, write.manager)
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
  capUpdaters(managers)
  return encodeManagers(managers)
}

function misfits(object: KubeObject, type: StructType): boolean {
  return problemsOf(json(object), type, { duplicates: true }).length > 0
}

/**
 * A client may write entries itself; a malformed list leaves the stored one in force. Those of an object that is being created lose
 * to the creator what the object has, and keep what it has not, as the status of an object that is brought back from a file.
 */
function startingManagers(
  stored: ManagedFieldsEntry[] | undefined,
  requested: ManagedFieldsEntry[] | undefined,
): Managers {
  if (requested === undefined || requested === stored) return decodedOrNone(stored)
  if (isReset(requested)) return new Map()
  const given = decodedOrNone(requested, 'given')
  return given.size > 0 ? given : decodedOrNone(stored)
}

function isReset(entries: ManagedFieldsEntry[]): boolean {
  const [first] = entries
  return (
    first === undefined ||
    (entries.length === 1 && Object.values(first).every((value) => value === undefined))
  )
}

function decodedOrNone(
  entries: ManagedFieldsEntry[] | undefined,
  origin: 'stored' | 'given' = 'stored',
): Managers {
  try {
    return decodeManagers(entries ?? [], origin)
  } catch (error) {
    if (error instanceof EntryError || error instanceof PathElementError) return new Map()
    throw error
  }
}

/** One change by an updater, who adds what it changed to what it owned before. */
function recordUpdate(
  managers: Managers,
  write: Write,
  before: KubeObject,
  after: KubeObject,
  name: string,
): void {
  const { apiVersion, subresource, time } = write
  const versions = new Versions(apiVersion, write.type, write.versions)
  reconcileManagers(managers, json(before), versions)
  const change = new Change(json(before), json(after), versions, write.reset ?? EMPTY)
  const self = { name, operation: 'Update', apiVersion, subresource } as const
  const identity = identityOf(self)
  takeFromOthers(managers, identity, change)
  const { added, modified, removed } = change.own
  const changed = union(modified, added)
  const gained = withoutServerFields(changed)
  const own = managers.get(identity)
  // What it owned and changes it keeps: a set in which nothing changes stays the same one, whose entry is written already.
  const kept =
    own === undefined
      ? EMPTY
      : difference(difference(own.fields, difference(changed, gained)), removed)
  if (!isEmpty(gained)) managers.set(identity, managerOf(self, time, union(kept, gained)))
  else if (own !== undefined) setFields(managers, identity, own, kept)
}

/** The one entry of a new object: everything in it that the server does not own is its creator's. */
function ownedByCreator(write: Write, created: KubeObject): ManagedFieldsEntry[] | undefined {
  const { type, manager, apiVersion, subresource, time, versions, reset = EMPTY } = write
  const zero = json(emptyObject(type))
  const fields = createdFields(json(created), zero, type, reset, () =>
    gainedBy(
      new Change(
        zero,
        json(canonicalize(type, created)),
        new Versions(apiVersion, type, versions),
        reset,
      ),
    ),
  )
  if (isEmpty(fields)) return undefined
  return [
    encodeManager(
      managerOf({ name: manager, operation: 'Update', apiVersion, subresource }, time, fields),
    ),
  ]
}

const gainedBy = ({ own }: Change): FieldSet => withoutServerFields(union(own.modified, own.added))

const json = (object: KubeObject): JsonObject => object as unknown as JsonObject

const emptyObjects = new WeakMap<StructType, KubeObject>()

/** The kind's zero value: what its always-written members look like before anybody set them. */
function emptyObject(type: StructType): KubeObject {
  const known = emptyObjects.get(type)
  if (known) return known
  const made = canonicalize(type, { kind: '', apiVersion: '', metadata: {} })
  emptyObjects.set(type, made)
  return made
}

export interface ApplyRequest {
  /** The body: a partial object. */
  applied: JsonObject
  /** Group, version and kind that the path asks for. */
  kind: { group: string; version: string; kind: string }
  force: boolean
}

export interface ApplyOutcome {
  /** The merged object without managedFields, not yet decoded or defaulted. */
  object: JsonObject
  /** Nothing but ownership changed: `object` is the live one. */
  unchanged: boolean
  /** What it was merged into: the live object without managedFields, or the kind's zero value. Canonical. */
  before: JsonObject
  managedFields: ManagedFieldsEntry[] | undefined
}

/** The updater that stands for everything written before the first apply to an object that was not tracked. */
const BEFORE_FIRST_APPLY = 'before-first-apply'

/**
 * A server-side apply (document 1, "Server-side apply").
 * @throws ApiError 400 wrong body, 409 conflict, 500 a body that does not fit the type (as the real server answers it)
 */
export function applyPatch(write: Write, request: ApplyRequest): ApplyOutcome {
  const { live, type, manager } = write
  const { applied, kind } = request
  checkKind(applied, kind)
  const tracked = decodedOrNone(live?.metadata.managedFields)
  if (live !== undefined && tracked.size === 0) checkLive(json(live), kind, type, false)
  const fields = fieldsOfBody(write, request)
  if (live !== undefined) checkLive(json(live), kind, type, true)
  const before = live === undefined ? emptyObject(type) : withoutManagedFields(live)
  if (live !== undefined && tracked.size === 0)
    recordUpdate(tracked, write, emptyObject(type), before, BEFORE_FIRST_APPLY)
  const versions = new Versions(write.apiVersion, type, write.versions)
  reconcileManagers(tracked, json(before), versions)

  const attempt = new Apply(write, applied, fields, json(before), tracked, versions)
  if (!request.force) {
    const conflicts = disputed(attempt.conflicts(), write, json(before))
    if (conflicts.length > 0) throw conflictError(conflicts)
  }
  const managers = attempt.takeOver()
  const object = manager === KUBECTL ? withLastApplied(attempt.merged, applied) : attempt.merged
  return {
    object,
    unchanged: object === json(before),
    before: json(before),
    managedFields: encodeManagers(managers),
  }
}

/** What the body names. @throws ApiError 500 if it does not fit the type */
function fieldsOfBody({ type, reset = EMPTY }: Write, { applied, kind }: ApplyRequest): FieldSet {
  return appliedFields(applied, type, reset, () => {
    checkApplied(applied, kind, type)
    return recursiveDifference(fieldSetOf(applied, type), reset)
  })
}

/** kubectl does not quarrel with its own client-side applies: if they explain every conflict there is none. */
function disputed(
  conflicts: Conflict[],
  { manager, apiVersion, type }: Write,
  live: JsonObject,
): Conflict[] {
  if (conflicts.length === 0 || manager !== KUBECTL) return conflicts
  const own = unchangedSinceLastApplied(live, apiVersion, type)
  return own === undefined ? conflicts : conflicts.filter(({ path }) => !hasPath(own, path))
}

function withoutManagedFields(object: KubeObject): KubeObject {
  const metadata: Record<string, unknown> = {}
  for (const name in object.metadata)
    if (name !== 'managedFields') metadata[name] = object.metadata[name as keyof ObjectMeta]
  const bare: KubeObject = { ...object }
  bare.metadata = metadata
  return bare
}

/** One apply: the merge, and what it does to everybody's fields. */
class Apply {
  readonly merged: JsonObject
  private readonly managers: Managers
  private readonly self: Manager
  private readonly identity: string
  private readonly last: Manager | undefined
  private readonly change: Change

  constructor(
    private readonly write: Write,
    applied: JsonObject,
    fields: FieldSet,
    private readonly before: JsonObject,
    tracked: Managers,
    versions: Versions,
  ) {
    const { type, manager: name, apiVersion, subresource, reset = EMPTY } = write
    const who = { name, operation: 'Apply', apiVersion, subresource } as const
    this.identity = identityOf(who)
    this.last = tracked.get(this.identity)
    this.self = managerOf(who, undefined, fields)
    this.managers = new Map(tracked).set(this.identity, this.self)
    const pruned = prune(
      merge(before, applied, type) as JsonObject,
      this.managers,
      this.last,
      fields,
      versions,
    )
    // What went through another version and came back equal is nevertheless another object.
    const isBefore =
      this.last !== undefined && this.last.apiVersion !== apiVersion && equalJson(pruned, before)
    this.merged = isBefore ? before : pruned
    this.change = new Change(before, this.merged, versions, reset)
  }

  conflicts(): Conflict[] {
    return this.merged === this.before ? [] : conflictsOf(this.managers, this.identity, this.change)
  }

  /** @returns everybody's fields after the apply */
  takeOver(): Managers {
    const { managers, identity, self, last } = this
    const unchanged = this.merged === this.before
    if (!unchanged) takeFromOthers(managers, identity, this.change)
    const mine = managerOf(self, unchanged ? last?.time : this.write.time, ownedOf(self.fields))
    if (isEmpty(mine.fields)) managers.delete(identity)
    else managers.set(identity, last === undefined ? mine : sharing(mine, last))
    return managers
  }
}

/** The manager as it was, or at least with the set that it had, where nothing else is said: so it need not be encoded again. */
function sharing(now: Manager, former: Manager): Manager {
  if (now.apiVersion !== former.apiVersion || !equalSets(now.fields, former.fields)) return now
  return now.time === former.time ? former : managerOf(now, now.time, former.fields)
}
