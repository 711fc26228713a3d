/** etcd limits requests to about 1.5 MiB. Message recorded from kube-apiserver 1.31. */

import { memoizeByIdentity } from '../core/identity-memo'
import type { JsonObject, KubeObject, ManagedFieldsEntry } from '../core/object'
import { serverError } from '../http/status'
import { byteLength } from '../validation/names'

const MAX_STORED_BYTES = 1.5 * 1024 * 1024
/** Characters; smaller objects cannot exceed the limit in bytes. */
const CERTAINLY_SMALL = 100_000

/**
 * Drops managedFields if only those exceed the limit; an apply fails. See k8s.io/apiserver,
 * endpoints/handlers/create.go, `isTooLargeError`.
 * @throws ApiError 500
 */
export function fitForStore(object: KubeObject, applies = false): KubeObject {
  if (!isTooLarge(object)) return object
  const { managedFields, ...metadata } = object.metadata
  const bare: KubeObject = { ...object, metadata }
  if (applies || managedFields === undefined || isTooLarge(bare))
    throw serverError('etcdserver: request is too large')
  return bare
}

function isTooLarge(object: KubeObject): boolean {
  const { metadata } = object
  const rough =
    roughSize(object, CERTAINLY_SMALL, 'metadata') +
    roughSize(metadata, CERTAINLY_SMALL, 'managedFields') +
    sizeOfEntries(metadata.managedFields ?? [])
  if (rough < CERTAINLY_SMALL) return false
  if (leastSize(object, MAX_STORED_BYTES + 1) > MAX_STORED_BYTES) return true
  return byteLength(JSON.stringify(object)) > MAX_STORED_BYTES
}

/** A lower bound of the JSON's bytes, counted until `enough`. */
function leastSize(value: unknown, enough: number): number {
  if (typeof value === 'string') return value.length + 2
  if (typeof value !== 'object' || value === null) return 1
  let size = 1
  if (Array.isArray(value)) {
    for (const item of value) {
      size += 1 + leastSize(item, enough - size)
      if (size >= enough) return size
    }
    return size
  }
  for (const key in value) {
    const member = (value as Record<string, unknown>)[key]
    if (member === undefined) continue
    size += key.length + 4 + leastSize(member, enough - size)
    if (size >= enough) return size
  }
  return size
}

/** Sums string lengths until `enough`. @param without a member to skip */
function roughSize(value: unknown, enough: number, without?: string): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 4
  let size = 2
  if (Array.isArray(value)) {
    for (const item of value) {
      size += roughSize(item, enough - size)
      if (size >= enough) return size
    }
    return size
  }
  for (const key in value) {
    if (key === without) continue
    size += key.length + roughSize((value as Record<string, unknown>)[key], enough - size)
    if (size >= enough) return size
  }
  return size
}

/** Equal writes share managed fields. */
const fieldsSize = memoizeByIdentity((fields: JsonObject) => roughSize(fields, CERTAINLY_SMALL))

function sizeOfEntries(entries: readonly ManagedFieldsEntry[]): number {
  let total = 0
  for (const entry of entries) {
    total += roughSize(entry, CERTAINLY_SMALL, 'fieldsV1')
    const { fieldsV1 } = entry
    if (fieldsV1 !== undefined) total += fieldsSize(fieldsV1)
  }
  return total
}
