/**
 * The requests that transfer field ownership (kubernetes.io, "Transferring ownership between
 * managers" and "Upgrading from client-side apply").
 */

import { CLIENT_SIDE_MANAGER, SERVER_SIDE_MANAGER } from '../../../console/managers'
import { lastApplied } from '../../../console/three-way'
import { MEDIA_TYPE } from '../../../engine/core/names'
import {
  isJsonObject,
  type Json,
  type JsonObject,
  type KubeObject,
  type ManagedFieldsEntry,
  setMember,
} from '../../../engine/core/object'
import { applyRequest, type WriteRequest } from './apply-request'
import { manifestOf, manifestWith, manifestWithout } from './extract'
import { type FieldPath, keyOf, pathText, valueOn } from './field-paths'
import { type Claim, isApplier } from './owners'
import { STEP_TEXTS } from './texts'

export interface Step {
  title: string
  about: string
  manager: string
  request: WriteRequest
}

export interface Handover {
  path: FieldPath
  from: string
  to: string
}

/** Between the two steps the field has two owners, so it is never without one. */
export function toAnotherApplier(
  object: KubeObject,
  address: string,
  { path, from, to }: Handover,
): Step[] {
  const wanted = manifestOf(
    object,
    (claim) => isApplier(claim.owner, to) || keyOf(claim.path) === keyOf(path),
  )
  return [
    {
      ...STEP_TEXTS.applyLive(to, pathText(path)),
      manager: to,
      request: applyRequest(address, text(wanted), { manager: to }),
    },
    relinquish(object, address, { path, from, to }),
  ]
}

function relinquish(object: KubeObject, address: string, { path, from, to }: Handover): Step {
  const rest = manifestWithout(object, ({ owner }: Claim) => isApplier(owner, from), [path])
  return {
    ...STEP_TEXTS.relinquish(from, to),
    manager: from,
    request: applyRequest(address, text(rest), { manager: from }),
  }
}

/** Until the controller writes, a temporary manager owns the field. */
export function toController(
  object: KubeObject,
  address: string,
  handover: Handover,
  value: Json,
): Step[] {
  const { path, to } = handover
  const keeper = `handover-to-${to}`
  return [
    {
      ...STEP_TEXTS.temporary(keeper),
      manager: keeper,
      request: applyRequest(address, text(manifestWith(object, path)), { manager: keeper }),
    },
    relinquish(object, address, { ...handover, to: keeper }),
    {
      ...STEP_TEXTS.controller(to, keeper),
      manager: to,
      request: written(object, address, handover, value),
    },
  ]
}

/**
 * A merge patch if it can name the field. Inside list items only an apply can; it forces, as
 * controllers do.
 */
function written(
  object: KubeObject,
  address: string,
  { path, to }: Handover,
  value: Json,
): WriteRequest {
  if (!path.every((element) => element.startsWith('f:')))
    return applyRequest(address, text(withValue(manifestWith(object, path), path, value)), {
      manager: to,
      force: true,
    })
  const patch = path.reduceRight<Json>((inner, element) => ({ [element.slice(2)]: inner }), value)
  return {
    method: 'PATCH',
    path: `${address}?${new URLSearchParams({ fieldManager: to })}`,
    body: JSON.stringify(patch),
    contentType: MEDIA_TYPE.mergePatch,
  }
}

function withValue(manifest: JsonObject, path: FieldPath, value: Json): JsonObject {
  const copy = structuredClone(manifest)
  const parent = valueOn(copy, path.slice(0, -1))
  const last = path[path.length - 1] ?? ''
  if (isJsonObject(parent)) setMember(parent, last.slice(2), value)
  return copy
}

/** Another value of the same type, for a controller to write. */
export function anotherValue(value: Json | undefined): Json {
  if (typeof value === 'number') return value + 1
  if (typeof value === 'boolean') return !value
  return typeof value === 'string' ? `${value}-2` : (value ?? '')
}

/** Migrates from client-side to server-side apply, as kubectl does. */
export function toServerSide(object: KubeObject, address: string): Step[] {
  return [
    {
      ...STEP_TEXTS.serverSide(SERVER_SIDE_MANAGER),
      manager: SERVER_SIDE_MANAGER,
      request: applyRequest(address, text(lastApplied(object as unknown as JsonObject)), {
        manager: SERVER_SIDE_MANAGER,
      }),
    },
    {
      ...STEP_TEXTS.merge(CLIENT_SIDE_MANAGER, SERVER_SIDE_MANAGER),
      manager: SERVER_SIDE_MANAGER,
      request: jsonPatch(address, [
        {
          op: 'replace',
          path: '/metadata/managedFields',
          value: migrated(object.metadata.managedFields ?? []) as unknown as Json,
        },
        {
          op: 'replace',
          path: '/metadata/resourceVersion',
          value: object.metadata.resourceVersion ?? '',
        },
      ]),
    },
  ]
}

export function isClientSide({
  manager,
  operation,
  subresource = '',
}: ManagedFieldsEntry): boolean {
  return manager === CLIENT_SIDE_MANAGER && operation === 'Update' && subresource === ''
}

/**
 * Moves the fields of the client-side entry to the server-side entry, which is created if absent.
 */
export function migrated(entries: readonly ManagedFieldsEntry[]): ManagedFieldsEntry[] {
  const old = entries.find(isClientSide)
  if (old === undefined) return [...entries]
  const others = entries.filter((entry) => !isClientSide(entry))
  const at = others.findIndex(
    ({ manager, operation, subresource = '' }) =>
      manager === SERVER_SIDE_MANAGER && operation === 'Apply' && subresource === '',
  )
  const known = others[at]
  if (known === undefined)
    return [...others, { ...old, manager: SERVER_SIDE_MANAGER, operation: 'Apply' }]
  return others.with(at, { ...known, fieldsV1: union(known.fieldsV1 ?? {}, old.fieldsV1 ?? {}) })
}

/** Merges two FieldsV1. A leaf with children in the other one becomes `.`. */
export function union(one: JsonObject, other: JsonObject): JsonObject {
  const joined: JsonObject = { ...one }
  for (const [element, below] of Object.entries(other)) {
    const known = joined[element]
    setMember(
      joined,
      element,
      isJsonObject(known) && isJsonObject(below) && element !== '.' ? both(known, below) : below,
    )
  }
  return joined
}

function both(one: JsonObject, other: JsonObject): JsonObject {
  const leaves = [one, other].filter((fields) => Object.keys(fields).length === 0).length
  return leaves === 1 ? { '.': {}, ...one, ...other } : union(one, other)
}

/** A list with one empty entry resets managedFields. */
export function clearing(address: string, form: 'merge' | 'json'): Step[] {
  const request =
    form === 'json'
      ? jsonPatch(address, [{ op: 'replace', path: '/metadata/managedFields', value: [{}] }])
      : {
          method: 'PATCH',
          path: address,
          body: JSON.stringify({ metadata: { managedFields: [{}] } }),
          contentType: MEDIA_TYPE.mergePatch,
        }
  return [
    {
      ...STEP_TEXTS.reset(),
      manager: '',
      request,
    },
  ]
}

function jsonPatch(address: string, operations: JsonObject[]): WriteRequest {
  return {
    method: 'PATCH',
    path: address,
    body: JSON.stringify(operations),
    contentType: MEDIA_TYPE.jsonPatch,
  }
}

const text = (manifest: JsonObject): string => JSON.stringify(manifest)

export function handoverFields(claims: readonly Claim[]): Claim[] {
  return claims.filter(({ owner, path, itself, place }) => {
    const [before = '', last = ''] = path.slice(-2)
    const known =
      before.startsWith('k:') && last.slice(2) in (JSON.parse(before.slice(2)) as object)
    return !itself && !known && place !== undefined && isApplier(owner, owner.name)
  })
}
