export type Json = null | boolean | number | string | Json[] | JsonObject
export interface JsonObject {
  [key: string]: Json
}

export interface GroupVersionKind {
  group: string
  version: string
  kind: string
}

export interface OwnerReference {
  apiVersion: string
  kind: string
  name: string
  uid: string
  controller?: boolean
  blockOwnerDeletion?: boolean
}

export interface ManagedFieldsEntry {
  manager?: string
  operation?: string
  apiVersion?: string
  time?: string
  fieldsType?: string
  fieldsV1?: JsonObject
  subresource?: string
}

export interface ObjectMeta {
  name?: string
  generateName?: string
  namespace?: string
  selfLink?: string
  uid?: string
  resourceVersion?: string
  generation?: number
  creationTimestamp?: string | null
  deletionTimestamp?: string
  deletionGracePeriodSeconds?: number
  labels?: Record<string, string>
  annotations?: Record<string, string>
  ownerReferences?: OwnerReference[]
  finalizers?: string[]
  managedFields?: ManagedFieldsEntry[]
}

/**
 * A **canonical** object is exactly what responses contain: members in the type's order, map keys
 * sorted, empty members omitted unless always written. Objects from storage are canonical and
 * shared: copy them before a change.
 */
export interface KubeObject {
  kind: string
  apiVersion: string
  metadata: ObjectMeta
  [member: string]: unknown
}

export function apiVersionOf(group: string, version: string): string {
  return group === '' ? version : `${group}/${version}`
}

/** `v1` -> group ``. */
export function parseApiVersion(apiVersion: string): { group: string; version: string } {
  const slash = apiVersion.indexOf('/')
  return slash < 0
    ? { group: '', version: apiVersion }
    : { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) }
}

/** For names from input: assignment to `__proto__` would change the prototype. */
export function setMember<Value>(
  record: Record<string, Value>,
  name: string,
  value: NoInfer<Value>,
): void {
  if (name === '__proto__')
    Object.defineProperty(record, name, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    })
  else record[name] = value
}

export function mergedRecords<Value>(
  records: Iterable<Readonly<Record<string, Value>> | undefined>,
): Record<string, Value> {
  const merged: Record<string, Value> = {}
  for (const record of records)
    for (const [name, value] of Object.entries(record ?? {})) setMember(merged, name, value)
  return merged
}

/** For names from input: ignores inherited members such as `constructor`. */
export function entryOf<Entry>(
  record: Readonly<Record<string, Entry>> | null | undefined,
  name: string,
): Entry | undefined {
  return record !== null && record !== undefined && Object.hasOwn(record, name)
    ? record[name]
    : undefined
}

export function hasMembers(object: object): boolean {
  for (const name in object) if (Object.hasOwn(object, name)) return true
  return false
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * A copy that a request may change. Entries of managedFields stay shared, since they are only
 * replaced as a whole.
 */
export function draftOf(stored: KubeObject): KubeObject {
  const draft = { ...stored } as Record<string, unknown>
  for (const name in draft)
    draft[name] = name === 'metadata' ? draftOfMetadata(stored.metadata) : draftOfPart(draft[name])
  return draft as unknown as KubeObject
}

export const OWNERSHIP_ENTRIES = 'managedFields'

export function draftOfMetadata(metadata: object): object {
  // Keeps the hidden class.
  const draft = { ...metadata } as Record<string, unknown>
  for (const name in draft) if (name !== OWNERSHIP_ENTRIES) draft[name] = draftOfPart(draft[name])
  return draft
}

export function draftOfPart(part: unknown): unknown {
  if (typeof part !== 'object' || part === null) return part
  if (Array.isArray(part)) return part.map(draftOfPart)
  const draft = { ...part } as Record<string, unknown>
  for (const name in draft) {
    const value = draft[name]
    if (typeof value === 'object' && value !== null) draft[name] = draftOfPart(value)
  }
  return draft
}

/** The outermost parts that two values share at the same path. */
export function sharedParts(value: Json, base: Json, found: Set<Json> = new Set()): Set<Json> {
  if (typeof value !== 'object' || typeof base !== 'object' || value === null || base === null)
    return found
  if (value === base) return found.add(value)
  if (Array.isArray(value)) {
    if (Array.isArray(base))
      for (let i = 0; i < value.length; i++) sharedParts(value[i] as Json, base[i] as Json, found)
    return found
  }
  if (Array.isArray(base)) return found
  for (const name in value) {
    const part = value[name] as Json
    if (typeof part === 'object') sharedParts(part, base[name] as Json, found)
  }
  return found
}

/** Ignores the order of members. */
export function equalJson(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false
    for (let i = 0; i < a.length; i++) if (!equalJson(a[i], b[i])) return false
    return true
  }
  if (Array.isArray(b)) return false
  const left = a as Record<string, unknown>
  const right = b as Record<string, unknown>
  let members = 0
  for (const key in left) {
    if (left[key] === undefined) continue
    members++
    if (!equalJson(left[key], right[key])) return false
  }
  for (const key in right) if (right[key] !== undefined) members--
  return members === 0
}
