/** The entries of metadata.managedFields: decoded, counted, sorted, written. */
import type { JsonObject, ManagedFieldsEntry } from '../object'
import { type FieldSet, isEmpty, union } from './field-set'
import { decodeFields, encodeFields } from './fields-v1'

export interface Manager {
  name: string
  operation: 'Apply' | 'Update'
  apiVersion: string
  subresource: string
  /** RFC 3339, whole seconds; absent until the manager changed a value. */
  time: string | undefined
  fields: FieldSet
}

/** Managers by identity. An applier is the same one through every version of the kind. */
export type Managers = Map<string, Manager>

export function identityOf(manager: Pick<Manager, 'name' | 'operation' | 'apiVersion' | 'subresource'>): string {
  const { name, operation, apiVersion, subresource } = manager
  return `${operation}\0${name}\0${operation === 'Apply' ? '' : apiVersion}\0${subresource}`
}

/** @throws Error if any entry is malformed */
export function decodeManagers(entries: readonly ManagedFieldsEntry[]): Managers {
  const managers: Managers = new Map()
  for (const entry of entries) {
    const { operation, apiVersion, fieldsType } = entry
    if (operation !== 'Apply' && operation !== 'Update') throw new Error('operation must be `Apply` or `Update`')
    if (!apiVersion) throw new Error('apiVersion must not be empty')
    if (fieldsType !== 'FieldsV1') throw new Error(`unknown fieldsType ${JSON.stringify(fieldsType)}`)
    const manager: Manager = {
      name: entry.manager ?? '',
      operation,
      apiVersion,
      subresource: entry.subresource ?? '',
      time: entry.time,
      fields: fieldsOf(entry.fieldsV1 ?? {}),
    }
    managers.set(identityOf(manager), manager)
  }
  return managers
}

/** Stored entries are shared by all readers and decoded once. */
const decoded = new WeakMap<JsonObject, FieldSet>()

function fieldsOf(json: JsonObject): FieldSet {
  const known = decoded.get(json)
  if (known) return known
  const fields = decodeFields(json)
  decoded.set(json, fields)
  return fields
}

const encoded = new WeakMap<FieldSet, JsonObject>()

function jsonOf(fields: FieldSet): JsonObject {
  const known = encoded.get(fields)
  if (known) return known
  const json = encodeFields(fields)
  encoded.set(fields, json)
  decoded.set(json, fields)
  return json
}

/** By operation, time, name, version, subresource (recorded). */
export function encodeManagers(managers: Managers): ManagedFieldsEntry[] | undefined {
  if (managers.size === 0) return undefined
  const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
  return [...managers.values()]
    .sort(
      (a, b) =>
        order(a.operation, b.operation) ||
        order(a.time ?? '', b.time ?? '') ||
        order(a.name, b.name) ||
        order(a.apiVersion, b.apiVersion) ||
        order(a.subresource, b.subresource),
    )
    .map(({ name, operation, apiVersion, time, fields, subresource }) => ({
      manager: name,
      operation,
      apiVersion,
      ...(time ? { time } : {}),
      fieldsType: 'FieldsV1',
      fieldsV1: jsonOf(fields),
      ...(subresource ? { subresource } : {}),
    }))
}

const MAX_UPDATERS = 10
const BUCKET = 'ancient-changes'

/** Above the cap the oldest updaters are gathered in one bucket per version. */
export function capUpdaters(managers: Managers): void {
  const updaters = [...managers].filter(([, manager]) => manager.operation === 'Update')
  if (updaters.length <= MAX_UPDATERS) return
  updaters.sort(([a, left], [b, right]) =>
    (left.time ?? '') < (right.time ?? '') ? -1 : (left.time ?? '') > (right.time ?? '') ? 1 : a < b ? -1 : 1,
  )
  const firstOfVersion = new Map<string, string>()
  let left = updaters.length
  for (const [id, manager] of updaters) {
    if (left <= MAX_UPDATERS) return
    const { apiVersion } = manager
    const first = firstOfVersion.get(apiVersion)
    if (first === undefined) {
      firstOfVersion.set(apiVersion, id)
      continue
    }
    const bucketId = identityOf({ name: BUCKET, operation: 'Update', apiVersion, subresource: '' })
    const oldest = managers.get(bucketId) ?? (managers.get(first) as Manager)
    managers.delete(first)
    managers.delete(id)
    managers.set(bucketId, {
      name: BUCKET,
      operation: 'Update',
      apiVersion,
      subresource: '',
      time: manager.time,
      fields: union(oldest.fields, manager.fields),
    })
    left--
  }
}

export function dropEmpty(managers: Managers): void {
  for (const [id, manager] of managers) if (isEmpty(manager.fields)) managers.delete(id)
}
