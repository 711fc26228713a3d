import {
  equalJson,
  isJsonObject,
  type Json,
  type JsonObject,
  type ManagedFieldsEntry,
} from '../core/object'
import { goQuote } from '../schema/go-text'
import { memoize } from '../schema/memoize'
import { EMPTY, type FieldSet, isEmpty, union } from './field-set'
import { decodeFields, encodeFields } from './fields-v1'

export interface Manager {
  name: string
  operation: 'Apply' | 'Update'
  apiVersion: string
  subresource: string
  /** RFC 3339, whole seconds; absent until a value changes. */
  time: string | undefined
  fields: FieldSet
}

export type ManagerIdentity = Omit<Manager, 'time' | 'fields'>

/** One order of members gives all managers one hidden class in V8. */
export function managerOf(
  { name, operation, apiVersion, subresource }: ManagerIdentity,
  time: string | undefined,
  fields: FieldSet,
): Manager {
  return { name, operation, apiVersion, subresource, time, fields }
}

/** By `identityOf`; managers are immutable. */
export type Managers = Map<string, Manager>

/** An applier has the same key in all versions. Keys sort as in kube-apiserver. */
export function identityOf({ name, operation, apiVersion, subresource }: ManagerIdentity): string {
  const manager = name === '' ? '' : `"manager":${quoted(name)},`
  const version = operation === 'Apply' ? '' : `,"apiVersion":${quoted(apiVersion)}`
  const through = subresource === '' ? '' : `,"subresource":${quoted(subresource)}`
  return `{${manager}"operation":"${operation}"${version}${through}}`
}

const quoted = memoize((text) => JSON.stringify(text))

export class EntryError extends Error {}

/** Only stored entries are cached; those of clients are canonicalized. */
const decoded = new WeakMap<ManagedFieldsEntry, Manager>()
const encoded = new WeakMap<Manager, ManagedFieldsEntry>()
const decodedFields = new WeakMap<JsonObject, FieldSet>()

/** @throws EntryError, PathElementError if any entry is malformed */
export function decodeManagers(
  entries: readonly ManagedFieldsEntry[],
  origin: 'stored' | 'given' = 'stored',
): Managers {
  const managers: Managers = new Map()
  let index = 0
  for (const entry of entries) {
    const manager = origin === 'stored' ? decodeStored(entry, index) : decodeEntry(entry, index)
    index++
    managers.set(identityOf(manager), manager)
  }
  return managers
}

function decodeStored(entry: ManagedFieldsEntry, index: number): Manager {
  const known = decoded.get(entry)
  if (known !== undefined) return known
  const manager = decodeEntry(entry, index)
  decoded.set(entry, manager)
  encoded.set(manager, entry)
  return manager
}

function decodeEntry(entry: ManagedFieldsEntry, index: number): Manager {
  const { operation, apiVersion, fieldsType } = entry
  if (operation !== 'Apply' && operation !== 'Update')
    throw new EntryError('operation must be `Apply` or `Update`')
  if (!apiVersion) throw new EntryError('apiVersion must not be empty')
  if (fieldsType !== 'FieldsV1') {
    const problem = fieldsType ? `invalid fieldsType ${goQuote(fieldsType)}` : 'missing fieldsType'
    throw new EntryError(`${problem} in managed fields entry ${index}`)
  }
  const who = {
    name: entry.manager ?? '',
    operation,
    apiVersion,
    subresource: entry.subresource ?? '',
  } as const
  return managerOf(who, entry.time || undefined, fieldsIn(entry))
}

function fieldsIn({ fieldsV1 }: { fieldsV1?: Json | undefined }): FieldSet {
  if (fieldsV1 === undefined || fieldsV1 === null) return EMPTY
  if (!isJsonObject(fieldsV1)) throw new EntryError('fieldsV1 must be an object')
  return fieldsOf(fieldsV1)
}

function fieldsOf(json: JsonObject): FieldSet {
  const known = decodedFields.get(json)
  if (known !== undefined) return known
  const fields = decodeFields(json)
  decodedFields.set(json, fields)
  return fields
}

function jsonOf(fields: FieldSet): JsonObject {
  const json = encodeFields(fields)
  if (!decodedFields.has(json)) decodedFields.set(json, fields)
  return json
}

export function encodeManagers(managers: Managers): ManagedFieldsEntry[] | undefined {
  if (managers.size === 0) return undefined
  const listed = [...managers.values()]
  if (listed.length > 1) listed.sort(compareManagers)
  return listed.map(encodeManager)
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/**
 * See k8s.io/apimachinery, util/managedfields/internal/managedfields.go,
 * `sortEncodedManagedFields`.
 */
function compareManagers(a: Manager, b: Manager): number {
  return (
    order(a.operation, b.operation) ||
    order(a.time ?? '', b.time ?? '') ||
    order(a.name, b.name) ||
    order(a.apiVersion, b.apiVersion) ||
    order(a.subresource, b.subresource)
  )
}

/** Objects that are written together share their entries. */
const lastOwner = new WeakMap<FieldSet, Manager>()

/** Equal managers share an entry if no other had the set in between. */
export function encodeManager(manager: Manager): ManagedFieldsEntry {
  const known = encoded.get(manager)
  if (known !== undefined) return known
  const last = lastOwner.get(manager.fields)
  if (last !== undefined && sameButFields(last, manager)) return encodeManager(last)
  const { name, operation, apiVersion, time, fields, subresource } = manager
  const entry: ManagedFieldsEntry = {}
  if (name) entry.manager = name
  entry.operation = operation
  entry.apiVersion = apiVersion
  if (time) entry.time = time
  entry.fieldsType = 'FieldsV1'
  entry.fieldsV1 = jsonOf(fields)
  if (subresource) entry.subresource = subresource
  lastOwner.set(manager.fields, manager)
  encoded.set(manager, entry)
  decoded.set(entry, manager)
  return entry
}

function sameButFields(a: Manager, b: Manager): boolean {
  return (
    a.time === b.time &&
    a.name === b.name &&
    a.operation === b.operation &&
    a.apiVersion === b.apiVersion &&
    a.subresource === b.subresource
  )
}

/** Removes a manager without fields. */
export function setFields(
  managers: Managers,
  identity: string,
  manager: Manager,
  fields: FieldSet,
): void {
  if (isEmpty(fields)) managers.delete(identity)
  else if (fields !== manager.fields)
    managers.set(identity, managerOf(manager, manager.time, fields))
}

const MAX_UPDATERS = 10
const BUCKET = 'ancient-changes'

/**
 * Merges the oldest updaters above the limit into one per version. See k8s.io/apimachinery,
 * util/managedfields/internal/capmanagers.go.
 */
export function capUpdaters(managers: Managers): void {
  if (managers.size <= MAX_UPDATERS) return
  const updaters = [...managers].filter(([, manager]) => manager.operation === 'Update')
  if (updaters.length <= MAX_UPDATERS) return
  updaters.sort(([a, left], [b, right]) => order(left.time ?? '', right.time ?? '') || order(a, b))
  const firstOfVersion = new Map<string, string>()
  let left = updaters.length
  for (const [identity, manager] of updaters) {
    if (left <= MAX_UPDATERS) return
    const { apiVersion, time } = manager
    const first = firstOfVersion.get(apiVersion)
    if (first === undefined) {
      firstOfVersion.set(apiVersion, identity)
      continue
    }
    const bucket = { name: BUCKET, operation: 'Update', apiVersion, subresource: '' } as const
    const bucketIdentity = identityOf(bucket)
    const oldest = managers.get(bucketIdentity) ?? managers.get(first)
    if (!managers.has(bucketIdentity)) managers.delete(first)
    managers.set(
      bucketIdentity,
      managerOf(bucket, time, union(oldest?.fields ?? EMPTY, manager.fields)),
    )
    managers.delete(identity)
    left--
  }
}

/** A time that changes the order of entries counts as a difference. */
export function sameButForTimes(
  a: readonly ManagedFieldsEntry[] | undefined,
  b: readonly ManagedFieldsEntry[] | undefined,
): boolean {
  if (a === b) return true
  if (a === undefined || b === undefined || a.length !== b.length) return false
  return a.every((entry, index) => sameButForTime(entry, b[index] as ManagedFieldsEntry))
}

function sameButForTime(a: ManagedFieldsEntry, b: ManagedFieldsEntry): boolean {
  return (
    a === b ||
    ((a.fieldsV1 === b.fieldsV1 || equalJson(a.fieldsV1, b.fieldsV1)) &&
      a.manager === b.manager &&
      a.operation === b.operation &&
      a.apiVersion === b.apiVersion &&
      a.subresource === b.subresource &&
      a.fieldsType === b.fieldsType)
  )
}
