/**
 * Moves fields from client-side to server-side apply, so that an apply can remove them
 * (kubernetes.io, "Upgrading from client-side apply to server-side apply").
 */
import { ANNOTATION } from '../../engine/core/names'
import {
  isJsonObject,
  type Json,
  type JsonObject,
  type ManagedFieldsEntry,
  setMember,
} from '../../engine/core/object'

/** A manager that updated this annotation used client-side apply. */
const KEPT = `f:${ANNOTATION.lastApplied}`
/** Owns the annotation afterwards, because no manifest contains it. */
export const KEEPER = 'kubectl-last-applied'

const owners = (object: JsonObject): ManagedFieldsEntry[] => {
  const { managedFields } = isJsonObject(object.metadata) ? object.metadata : {}
  return (Array.isArray(managedFields) ? managedFields : []) as unknown as ManagedFieldsEntry[]
}

const keepsAnnotation = ({ fieldsV1 }: ManagedFieldsEntry): boolean => {
  const { 'f:annotations': annotations } = ((fieldsV1 as JsonObject | undefined)?.['f:metadata'] ??
    {}) as JsonObject
  return isJsonObject(annotations) && KEPT in annotations
}

/**
 * The keeper's configuration.
 * @returns undefined without an annotation, or if a manager applies it
 */
export function keptAnnotation(object: JsonObject): JsonObject | undefined {
  const { name = '', namespace, annotations } = isJsonObject(object.metadata) ? object.metadata : {}
  const text = isJsonObject(annotations) ? annotations[ANNOTATION.lastApplied] : undefined
  if (
    text === undefined ||
    owners(object).some((entry) => entry.operation === 'Apply' && keepsAnnotation(entry))
  )
    return undefined
  return {
    apiVersion: object.apiVersion ?? '',
    kind: object.kind ?? '',
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      annotations: { [ANNOTATION.lastApplied]: text },
    },
  }
}

/** @returns a JSON patch of managedFields; undefined if nothing moves */
export function handoverPatch(object: JsonObject, manager: string): JsonObject[] | undefined {
  const entries = owners(object)
  const isFormer = (entry: ManagedFieldsEntry): boolean =>
    entry.operation === 'Update' && keepsAnnotation(entry)
  const former = entries.filter(isFormer)
  if (former.length === 0) return undefined
  const known = entries.find(
    ({ manager: name, operation, subresource = '' }) =>
      name === manager && operation === 'Apply' && subresource === '',
  )
  const heir = known ?? {
    ...(former[0] as ManagedFieldsEntry),
    manager,
    operation: 'Apply' as const,
  }
  const fields = former.reduce(
    (all, { fieldsV1 }) => united(all, (fieldsV1 ?? {}) as JsonObject),
    (heir.fieldsV1 ?? {}) as JsonObject,
  )
  const others = entries.filter((entry) => !isFormer(entry) && entry !== heir)
  const { resourceVersion = '' } = object.metadata as JsonObject
  return [
    {
      op: 'replace',
      path: '/metadata/managedFields',
      value: [{ ...heir, fieldsV1: fields }, ...others] as unknown as Json,
    },
    { op: 'replace', path: '/metadata/resourceVersion', value: resourceVersion },
  ]
}

function united(a: JsonObject, b: JsonObject): JsonObject {
  const all: JsonObject = { ...a }
  for (const [field, below] of Object.entries(b)) {
    const known = all[field]
    setMember(all, field, isJsonObject(known) && isJsonObject(below) ? united(known, below) : below)
  }
  return all
}
