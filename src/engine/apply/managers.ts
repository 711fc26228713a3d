/** Ownership of every write: what the registry calls after a create, an update, a patch, and for a server-side apply. */
import { equalJson, type JsonObject, type KubeObject, type ManagedFieldsEntry } from '../object'
import { canonicalize } from '../schema/canonical'
import type { StructType } from '../schema/model'
import { fieldSetOf } from './compare'
import { conflictError } from './conflicts'
import { EMPTY, type FieldSet, isEmpty, recursiveDifference, union } from './field-set'
import { capUpdaters, decodeManagers, dropEmpty, encodeManagers, identityOf, type Manager, type Managers } from './managed-fields'
import { merge } from './merge'
import { changesOf, conflictsOf, reconcile, takeFromOthers, withoutServerFields } from './ownership'
import { prune } from './prune'
import { checkApplied } from './validate'

export interface OwnershipInput {
  /** undefined: the object is being created. */
  live: KubeObject | undefined
  updated: KubeObject
  type: StructType
  manager: string
  apiVersion: string
  subresource: string
  /** RFC 3339, whole seconds. */
  time: string
  /** What the request itself says about managedFields; `[]` and `[{}]` reset them. */
  requested?: ManagedFieldsEntry[] | undefined
  reset?: FieldSet
}

/** Ownership after a create, PUT or patch that is not an apply. @returns undefined where nothing is tracked */
export function updateManagedFields(input: OwnershipInput): ManagedFieldsEntry[] | undefined {
  const { live, type } = input
  let managers: Managers
  try {
    managers = startingManagers(live, input.requested)
    // Objects that nobody tracked stay untracked until the first apply.
    if (managers.size === 0 && live !== undefined) return undefined
    for (const [id, manager] of managers) managers.set(id, { ...manager, fields: reconcile(manager.fields, type) })
    recordUpdate(managers, input, live ?? emptyObject(type), input.updated)
    capUpdaters(managers)
  } catch {
    // Ownership that cannot be computed is dropped, never an error to the writer (recorded).
    return undefined
  }
  return encodeManagers(managers)
}

function startingManagers(live: KubeObject | undefined, requested: ManagedFieldsEntry[] | undefined): Managers {
  if (live === undefined) return new Map()
  const stored = live.metadata.managedFields ?? []
  if (requested === undefined || requested === stored) return decodeManagers(stored)
  if (requested.length === 0 || (requested.length === 1 && Object.keys(requested[0] as object).length === 0)) return new Map()
  try {
    const given = decodeManagers(requested)
    if (given.size > 0) return given
  } catch {
    // A client that garbles the list does not delete it.
  }
  return decodeManagers(stored)
}

/** One change by an updater: it owns what it added and modified, together with what it owned through this version before. */
function recordUpdate(managers: Managers, input: OwnershipInput, before: KubeObject, after: KubeObject): void {
  const { type, apiVersion, subresource, time, manager: name } = input
  const changes = changesOf({ before: json(before), after: json(after), type, apiVersion, reset: input.reset ?? EMPTY })
  takeFromOthers(managers, '', changes)
  dropEmpty(managers)
  const gained = withoutServerFields(union(changes.modified, changes.added))
  if (isEmpty(gained)) return
  const self: Manager = { name, operation: 'Update', apiVersion, subresource, time, fields: gained }
  const id = identityOf(self)
  const previous = managers.get(id)
  if (previous) self.fields = union(gained, previous.fields)
  managers.set(id, self)
}

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

export interface ApplyInput {
  live: KubeObject | undefined
  /** The body: a partial object. */
  applied: JsonObject
  type: StructType
  /** Group, version and kind that the path asks for. */
  kind: { group: string; version: string; kind: string }
  manager: string
  apiVersion: string
  subresource: string
  force: boolean
  time: string
  reset?: FieldSet
}

export interface ApplyOutcome {
  /** The merged object, not yet decoded or defaulted. */
  object: JsonObject
  managedFields: ManagedFieldsEntry[] | undefined
}

const BEFORE_FIRST_APPLY = 'before-first-apply'

/** @throws ApiError 400 wrong body, 409 conflict, 500 a body that does not fit the type (as the real server answers it) */
export function applyPatch(input: ApplyInput): ApplyOutcome {
  const { live, applied, type, apiVersion, subresource, force, time } = input
  checkApplied(applied, input.kind, type)
  const reset = input.reset ?? EMPTY
  const managers = live === undefined ? new Map<string, Manager>() : safely(() => decodeManagers(live.metadata.managedFields ?? []))
  if (live !== undefined && managers.size === 0) {
    recordUpdate(managers, { ...input, updated: live, manager: BEFORE_FIRST_APPLY }, emptyObject(type), live)
  }
  for (const [id, manager] of managers) managers.set(id, { ...manager, fields: reconcile(manager.fields, type) })

  const before = live === undefined ? json(emptyObject(type)) : withoutManagedFields(live)
  const self: Manager = { name: input.manager, operation: 'Apply', apiVersion, subresource, time: undefined, fields: EMPTY }
  const id = identityOf(self)
  const last = managers.get(id)
  self.time = last?.time
  self.fields = recursiveDifference(fieldSetOf(applied, type), reset)
  managers.set(id, self)
  const merged = prune(merge(before, applied, type) as JsonObject, managers, last?.fields, type)
  const changes = changesOf({ before, after: merged, type, apiVersion, reset })
  const conflicts = force ? [] : conflictsOf(managers, id, changes)
  if (conflicts.length > 0) throw conflictError(conflicts)
  takeFromOthers(managers, id, changes)
  managers.set(id, { ...self, fields: withoutServerFields(self.fields), time: equalJson(before, merged) ? self.time : time })
  dropEmpty(managers)
  capUpdaters(managers)
  return { object: merged, managedFields: encodeManagers(managers) }
}

function safely(decode: () => Managers): Managers {
  try {
    return decode()
  } catch {
    return new Map()
  }
}

function withoutManagedFields(object: KubeObject): JsonObject {
  const { managedFields: _managedFields, ...metadata } = object.metadata
  return { ...json(object), metadata: metadata as unknown as JsonObject }
}

const MAX_NAME_BYTES = 128
const UNKNOWN = 'unknown'

/** The manager of a request that names none is the first part of its User-Agent: `kubectl/v1.31 (linux)` is `kubectl`. */
export function managerName(fieldManager: string | undefined, userAgent: string | undefined): string {
  if (fieldManager) return fieldManager
  let name = ''
  let bytes = 0
  for (const sign of (userAgent ?? '').split('/')[0] ?? '') {
    if (/[\p{C}\p{Zl}\p{Zp}]/u.test(sign)) continue
    bytes += new TextEncoder().encode(sign).length
    if (bytes > MAX_NAME_BYTES) break
    name += sign
  }
  return name || UNKNOWN
}
