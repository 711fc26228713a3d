/** See k8s.io/apimachinery, util/strategicpatch. Details recorded from kube-apiserver 1.31. */

import { isJsonObject, type Json, type JsonObject, setMember } from '../core/object'
import { badRequest } from '../http/status'
import { shallowCopy } from '../schema/json-parser'
import type { Field, StructType, TypeNode } from '../schema/model'
import {
  DELETE_FROM,
  goTypeName,
  PATCH,
  RETAIN_KEYS,
  SET_ORDER,
  unknownPatchType,
  withoutDirectives,
  wrongType,
} from './directives'
import { type ListKind, mergeLists, orderedBy, withoutItems } from './strategic-lists'
import { hasStrategy, lookUp, lookUpList } from './strategic-types'

/**
 * @param patch null is empty
 * @returns an object that shares unchanged parts
 * @throws ApiError 400 wrong form; 500 other malformed directives, as in kube-apiserver
 */
export function applyStrategicMergePatch(
  target: JsonObject,
  patch: Json,
  type: StructType,
): JsonObject {
  if (patch === null) return target
  if (!isJsonObject(patch)) {
    const kind = Array.isArray(patch) ? 'array' : typeof patch === 'boolean' ? 'bool' : typeof patch
    throw badRequest(`json: cannot unmarshal ${kind} into Go value of type map[string]interface {}`)
  }
  const merged = mergeObjects(target, patch, type)
  // Kind and apiVersion stay, even if the patch replaces the object.
  const [kind, apiVersion] = [
    named(merged.kind, target.kind),
    named(merged.apiVersion, target.apiVersion),
  ]
  if (merged.kind === kind && merged.apiVersion === apiVersion) return merged
  const { kind: _kind, apiVersion: _apiVersion, ...rest } = merged
  return {
    ...(kind !== undefined && { kind }),
    ...(apiVersion !== undefined && { apiVersion }),
    ...rest,
  }
}

/** Another value than a string fails later. */
const named = (patched: Json | undefined, current: Json | undefined): Json | undefined =>
  typeof (patched ?? '') === 'string' ? current : patched

function mergeObjects(
  target: JsonObject,
  patch: JsonObject,
  type: TypeNode | undefined,
): JsonObject {
  if (Object.hasOwn(patch, PATCH)) return replacedBy(patch)
  const result = retained(target, patch)
  /** Already merged, with their order. */
  let ordered: Set<string> | undefined
  for (const name in patch) {
    if (!name.startsWith(SET_ORDER)) continue
    ordered ??= new Set()
    mergeInOrder(result, patch, name, type, ordered)
  }
  for (const name in patch) {
    const value = patch[name] as Json
    if (ordered?.has(name)) continue
    if (name.startsWith('$') && (name === RETAIN_KEYS || name.startsWith(SET_ORDER))) continue
    if (name.startsWith(DELETE_FROM)) deleteItems(result, name, value, type)
    else if (value === null) delete result[name]
    else mergeMember(result, name, value, type)
  }
  return result
}

function replacedBy(patch: JsonObject): JsonObject {
  const { [PATCH]: directive, ...rest } = patch
  if (directive === 'replace') return rest
  if (directive === 'delete') return {}
  throw unknownPatchType(patch)
}

/** `$retainKeys` must list all members of the patch. */
function retained(target: JsonObject, patch: JsonObject): JsonObject {
  if (!Object.hasOwn(patch, RETAIN_KEYS)) return shallowCopy(target)
  const keys = patch[RETAIN_KEYS]
  if (!Array.isArray(keys)) throw badRequest('invalid patch format of retainKeys')
  for (const name in patch) {
    const exempt =
      name === RETAIN_KEYS ||
      name.startsWith(DELETE_FROM) ||
      name.startsWith(SET_ORDER) ||
      patch[name] === null
    if (!exempt && !keys.includes(name)) throw badRequest('invalid patch format of retainKeys')
  }
  return Object.fromEntries(Object.entries(target).filter(([name]) => keys.includes(name)))
}

/** `$setElementOrder/ports` -> `ports` */
function listNameOf(name: string, directive: string, problem: string): string {
  if (!name.startsWith(`${directive}/`)) throw badRequest(`invalid patch format of ${problem}`)
  return name.slice(directive.length + 1)
}

function mergeInOrder(
  result: JsonObject,
  patch: JsonObject,
  name: string,
  type: TypeNode | undefined,
  merged: Set<string>,
): void {
  const order = expectList(patch[name] as Json)
  const listName = listNameOf(name, SET_ORDER, 'setElementOrder list')
  const current = Object.hasOwn(result, listName) ? expectList(result[listName] as Json) : undefined
  const wanted = Object.hasOwn(patch, listName) ? expectList(patch[listName] as Json) : undefined
  const list = listKind(lookUpList(type, listName))
  if (current !== undefined || wanted !== undefined)
    setMember(result, listName, orderedBy(order, current, wanted, list))
  merged.add(listName)
}

function expectList(value: Json): Json[] {
  if (Array.isArray(value)) return value
  throw wrongType('[]interface {}', value)
}

/** Whatever the list's strategy. If the live member is not a list, merges a value of its type. */
function deleteItems(
  result: JsonObject,
  name: string,
  value: Json,
  type: TypeNode | undefined,
): void {
  const listName = listNameOf(name, DELETE_FROM, 'primitive list')
  if (value === null) delete result[listName]
  const current = Object.hasOwn(result, listName) ? result[listName] : undefined
  if (Array.isArray(current) && Array.isArray(value)) {
    setMember(result, listName, withoutItems(current, value, listKind(lookUpList(type, listName))))
  } else if (current !== undefined && goTypeName(current) === goTypeName(value))
    mergeMember(result, listName, value, type)
}

function mergeMember(
  result: JsonObject,
  name: string,
  value: Json,
  type: TypeNode | undefined,
): void {
  const current = Object.hasOwn(result, name) ? result[name] : undefined
  if (isJsonObject(value) && isJsonObject(current)) {
    const field = lookUp(type, name)
    setMember(
      result,
      name,
      hasStrategy(field, 'replace') ? value : mergeObjects(current, value, field.type),
    )
  } else if (Array.isArray(value) && Array.isArray(current)) {
    const list = listKind(lookUpList(type, name))
    setMember(result, name, list.mergesItems ? mergeLists(current, value, list) : value)
  } else setNew(result, name, value)
}

/** Directives and nulls have no effect. */
function setNew(result: JsonObject, name: string, value: Json): void {
  const plain = withoutDirectives(value)
  if (plain === undefined) delete result[name]
  else setMember(result, name, plain)
}

function listKind(field: Field): ListKind {
  const items = field.type.type === 'list' ? field.type.items : undefined
  return {
    mergesItems: hasStrategy(field, 'merge'),
    mergeKey: field.patchMergeKey,
    mergeItem: (item, patch) => mergeObjects(item, patch, items),
  }
}
