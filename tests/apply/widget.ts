/** A kind with every list and map type, and writes to its objects without a server. */

import { type ApplyOutcome, applyPatch, updateManagedFields } from '../../src/engine/apply/managers'
import type { KindVersions } from '../../src/engine/apply/versions'
import {
  isJsonObject,
  type JsonObject,
  type KubeObject,
  type ManagedFieldsEntry,
} from '../../src/engine/core/object'
import { modelOfCustomSchema } from '../../src/engine/schema/custom'
import type { StructType } from '../../src/engine/schema/model'
import { jsonObject, kubeObject } from '../support/json-objects'

const text = { type: 'string' }

const PORT = {
  type: 'object',
  properties: {
    port: { type: 'integer' },
    protocol: { type: 'string', default: 'TCP' },
    name: text,
  },
}

export const SPEC: JsonObject = {
  type: 'object',
  properties: {
    replicas: { type: 'integer' },
    image: text,
    /** An atomic list. */
    args: { type: 'array', items: text },
    /** A list that is a set: its items are owned by value. */
    tags: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
    /** A list that is a map: its items are owned by key. */
    ports: {
      type: 'array',
      items: PORT,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['port', 'protocol'],
    },
    /** A granular map: its keys are owned one by one. */
    options: { type: 'object', additionalProperties: text },
    /** An atomic map. */
    selector: { type: 'object', additionalProperties: text, 'x-kubernetes-map-type': 'atomic' },
    inner: { type: 'object', properties: { a: text, b: text } },
  },
}

export function widgetType(spec: JsonObject = SPEC): StructType {
  return modelOfCustomSchema({
    type: 'object',
    properties: { spec, status: { type: 'object', properties: { phase: text } } },
  })
}

export const WIDGET = widgetType()
export const V1 = 'example.com/v1'

export interface Written {
  object: KubeObject
  managers: ManagedFieldsEntry[]
  outcome?: ApplyOutcome
}

interface Write {
  time?: string
  type?: StructType
  apiVersion?: string
  versions?: KindVersions
}

export const TIME = '2026-01-01T00:00:00Z'

export function widget(spec: JsonObject, apiVersion = V1): JsonObject {
  return { apiVersion, kind: 'Widget', metadata: { name: 'w' }, spec }
}

/** Server-side apply of a spec. @throws ApiError */
export function apply(
  live: Written | undefined,
  manager: string,
  spec: JsonObject,
  write: Write & { force?: boolean } = {},
): Written {
  return applyObject(live, manager, widget(spec, write.apiVersion), write)
}

/** Server-side apply. @throws ApiError */
export function applyObject(
  live: Written | undefined,
  manager: string,
  applied: JsonObject,
  { force = false, ...write }: Write & { force?: boolean } = {},
): Written {
  const apiVersion = write.apiVersion ?? V1
  const [group = '', version = ''] = apiVersion.split('/')
  const outcome = applyPatch(writeOf(live, manager, write), {
    applied,
    force,
    kind: { group, version, kind: 'Widget' },
  })
  return { ...written(kubeObject(outcome.object), outcome.managedFields), outcome }
}

/** A create, PUT or patch with this spec as the result. */
export function update(
  live: Written | undefined,
  manager: string,
  spec: JsonObject,
  write: Write = {},
): Written {
  return updateObject(live, manager, kubeObject(widget(spec, write.apiVersion)), write)
}

export function updateObject(
  live: Written | undefined,
  manager: string,
  updated: KubeObject,
  { requested, ...write }: Write & { requested?: ManagedFieldsEntry[] } = {},
): Written {
  return written(updated, updateManagedFields(writeOf(live, manager, write), updated, requested))
}

function writeOf(
  live: Written | undefined,
  manager: string,
  { time = TIME, type = WIDGET, apiVersion = V1, versions }: Write,
) {
  return { live: live?.object, manager, time, type, apiVersion, subresource: '', versions }
}

function written(object: KubeObject, managedFields: ManagedFieldsEntry[] | undefined): Written {
  const { managedFields: _former, ...metadata } = object.metadata
  const decoded = kubeObject(withoutNulls(jsonObject(object)))
  return {
    object: { ...decoded, metadata: { ...metadata, ...(managedFields && { managedFields }) } },
    managers: managedFields ?? [],
  }
}

/** Removes the nulls of a result, as decoding does. */
function withoutNulls(value: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== null)
      .map(([name, member]) => [name, isJsonObject(member) ? withoutNulls(member) : member]),
  )
}

export const specOf = ({ object }: Written): JsonObject => (object.spec ?? {}) as JsonObject

/** The fields of a manager below `spec`; undefined if it has none. */
export function ownedBy({ managers }: Written, manager: string, operation = 'Apply'): unknown {
  const entry = managers.find(
    (candidate) => candidate.manager === manager && candidate.operation === operation,
  )
  return (entry?.fieldsV1 as JsonObject | undefined)?.['f:spec']
}
