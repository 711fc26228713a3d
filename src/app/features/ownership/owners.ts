import {
  isJsonObject,
  type Json,
  type KubeObject,
  type ManagedFieldsEntry,
} from '../../../engine/core/object'
import type { StructType, TypeNode } from '../../../engine/schema/model'
import { type FieldPath, keyOf, type Place, pathsOf, placeOf, valueAt } from './field-paths'

export interface Owner {
  /** Stable across states of the object. */
  id: string
  name: string
  operation: 'Apply' | 'Update'
  apiVersion: string
  /** Empty: the object itself. */
  subresource: string
  /** RFC 3339; empty if the entry has none. */
  time: string
}

export interface Claim {
  owner: Owner
  path: FieldPath
  /** Ownership of the existence of a field only: `.` in FieldsV1. */
  itself: boolean
  /** Position in the object; undefined if it no longer exists. */
  place: Place | undefined
  atomic: boolean
}

export function ownersOf(object: KubeObject): Owner[] {
  return (object.metadata.managedFields ?? []).map(ownerOf)
}

function ownerOf({
  manager = '',
  operation,
  apiVersion = '',
  subresource = '',
  time = '',
}: ManagedFieldsEntry): Owner {
  const owner = {
    name: manager,
    operation: operation === 'Apply' ? ('Apply' as const) : ('Update' as const),
    apiVersion,
    subresource,
    time,
  }
  return { ...owner, id: [manager, owner.operation, apiVersion, subresource].join(' ') }
}

/** Ignores the API version: the server identifies appliers by name. */
export function isApplier(owner: Owner, name: string): boolean {
  return owner.operation === 'Apply' && owner.subresource === '' && owner.name === name
}

/**
 * @param type declares atomic values; without it, lists and objects without owned parts are atomic
 */
export function claimsOf(object: KubeObject, type?: StructType): Claim[] {
  const entries = object.metadata.managedFields ?? []
  const claims = entries.flatMap((entry) => {
    const owner = ownerOf(entry)
    return pathsOf(entry.fieldsV1).map(({ path, itself }) => ({
      owner,
      path,
      itself,
      place: placeOf(asJson(object), path),
    }))
  })
  const itemKeys = new Set(
    claims.flatMap(({ path }) =>
      path.slice(0, -1).map((_, index) => keyOf(path.slice(0, index + 1))),
    ),
  )
  return claims.map((claim) => ({
    ...claim,
    atomic: !claim.itself && isPiece(object, claim.place, type, itemKeys.has(keyOf(claim.path))),
  }))
}

const asJson = (object: KubeObject): Json => object as unknown as Json

/** @param divided a part of it has an owner */
function isPiece(
  object: KubeObject,
  place: Place | undefined,
  type: StructType | undefined,
  divided: boolean,
): boolean {
  if (place === undefined) return false
  const value = valueAt(asJson(object), place)
  const empty = Array.isArray(value)
    ? value.length === 0
    : !isJsonObject(value) || Object.keys(value).length === 0
  if (empty) return false
  const node = type && typeAt(type, place)
  return node ? isAtomic(node) : !divided
}

function typeAt(type: TypeNode, place: Place): TypeNode | undefined {
  let at: TypeNode | undefined = type
  for (const step of place) {
    if (at?.type === 'struct') at = at.byName.get(String(step))?.type ?? at.additional
    else if (at?.type === 'map') at = at.values
    else at = at?.type === 'list' ? at.items : undefined
  }
  return at
}

function isAtomic(node: TypeNode): boolean {
  if (node.type === 'list') return node.listType === 'atomic'
  if (node.type === 'struct' || node.type === 'map') return node.atomic
  return true
}
