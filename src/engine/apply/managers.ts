/** Field ownership of all writes. See k8s.io/apimachinery, util/managedfields. */

import { memoizeByIdentity } from '../core/identity-memo'
import {
  equalJson,
  type JsonObject,
  type KubeObject,
  type ManagedFieldsEntry,
  type ObjectMeta,
} from '../core/object'
import { ApiError } from '../http/status'
import { canonicalize } from '../schema/canonical'
import type { StructType } from '../schema/model'
import { fieldSetOf } from './compare'
import { conflictError } from './conflict-error'
import {
  difference,
  EMPTY,
  equalSets,
  type FieldSet,
  isEmpty,
  recursiveDifference,
  union,
} from './field-set'
import { appliedFields, createdFields } from './fields-by-shape'
import { type Conflict, conflictsOf, withoutOwnUpdates } from './find-conflicts'
import { KUBECTL, withLastApplied } from './last-applied'
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
  convertForOthers,
  ownedOf,
  reconcileManagers,
  takeFromOthers,
  withoutServerFields,
} from './ownership'
import { PathElementError } from './path-elements'
import { prune } from './prune'
import { checkApplied, checkKind, checkLive, mayMisfit, problemsOf } from './validate'
import { type KindVersions, Versions } from './versions'

export interface Write {
  /** Canonical, in the version of the request. */
  live: KubeObject | undefined
  type: StructType
  manager: string
  apiVersion: string
  subresource: string
  time: string
  /** Paths that this endpoint does not write (reset-fields.ts). */
  reset?: FieldSet | undefined
  keepsManagersOfMisfits?: boolean
  /** Absent if the kind has one version. */
  versions?: KindVersions | undefined
}

/**
 * For all writes but applies. Like kube-apiserver, drops ownership that cannot be computed.
 * @param requested managedFields of the request, not of a subresource; `[]` and `[{}]` reset them
 * @returns undefined without managers: an object stays untracked until its first apply
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
  if (mayMisfit(type) && (misfits(before, type) || misfits(after, type)))
    return write.keepsManagersOfMisfits && !isUntracked ? encodeManagers(managers) : undefined
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
 * The managers before the write: requested or stored ones. On create, requested entries keep only fields that the object lacks, such as the status of a
 * restored object.
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
  // An identical set need not be encoded again.
  const kept =
    own === undefined
      ? EMPTY
      : difference(difference(own.fields, difference(changed, gained)), removed)
  if (!isEmpty(gained)) managers.set(identity, managerOf(self, time, union(kept, gained)))
  else if (own !== undefined) setFields(managers, identity, own, kept)
}

/** The creator owns everything except server-owned metadata. */
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

/** Has the members that Go always writes. */
const emptyObject = memoizeByIdentity(
  (type: StructType): KubeObject => canonicalize(type, { kind: '', apiVersion: '', metadata: {} }),
)

export interface ApplyRequest {
  applied: JsonObject
  kind: { group: string; version: string; kind: string }
  force: boolean
}

export interface ApplyOutcome {
  /** Without managedFields; neither decoded nor defaulted. */
  object: JsonObject
  /** Only ownership changed: `object` is the live one. */
  unchanged: boolean
  /** The live object without managedFields, or the kind's zero value. */
  before: JsonObject
  managedFields: ManagedFieldsEntry[] | undefined
}

/** Owns what was written before the first apply. */
const BEFORE_FIRST_APPLY = 'before-first-apply'

/**
 * See sigs.k8s.io/structured-merge-diff, merge/update.go, `Updater.Apply`.
 * @throws ApiError 400 wrong body, 409 conflict, 500 misfitting body, as in kube-apiserver
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
    const conflicts = withoutOwnUpdates(attempt.conflicts(), write, json(before))
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

function fieldsOfBody({ type, reset = EMPTY }: Write, { applied, kind }: ApplyRequest): FieldSet {
  return appliedFields(applied, type, reset, () => {
    checkApplied(applied, kind, type)
    return recursiveDifference(fieldSetOf(applied, type), reset)
  })
}

function withoutManagedFields(object: KubeObject): KubeObject {
  const metadata: Record<string, unknown> = {}
  for (const name in object.metadata)
    if (name !== 'managedFields') metadata[name] = object.metadata[name as keyof ObjectMeta]
  const bare: KubeObject = { ...object }
  bare.metadata = metadata
  return bare
}

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
    // Pruning another version copies the object; an equal copy still counts as unchanged.
    const isBefore =
      this.last !== undefined && this.last.apiVersion !== apiVersion && equalJson(pruned, before)
    this.merged = isBefore ? before : pruned
    this.change = new Change(before, this.merged, versions, reset)
  }

  conflicts(): Conflict[] {
    return this.merged === this.before ? [] : conflictsOf(this.managers, this.identity, this.change)
  }

  takeOver(): Managers {
    const { managers, identity, self, last } = this
    const unchanged = this.merged === this.before
    if (unchanged) convertForOthers(managers, this.write.apiVersion, this.change)
    else takeFromOthers(managers, identity, this.change)
    const mine = managerOf(self, unchanged ? last?.time : this.write.time, ownedOf(self.fields))
    if (isEmpty(mine.fields)) managers.delete(identity)
    else managers.set(identity, last === undefined ? mine : sharing(mine, last))
    return managers
  }
}

/** An equal former manager or set need not be encoded again. */
function sharing(now: Manager, former: Manager): Manager {
  if (now.apiVersion !== former.apiVersion || !equalSets(now.fields, former.fields)) return now
  return now.time === former.time ? former : managerOf(now, now.time, former.fields)
}
