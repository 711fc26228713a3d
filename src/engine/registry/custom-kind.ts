/**
 * Kind and apiVersion of custom resources are validated after names and versions, but not by a
 * write to `status`. Recorded from kube-apiserver 1.31.
 */

import { type KubeObject, parseApiVersion } from '../core/object'
import { type FieldError, internalError } from '../http/status'
import { invalidValue } from '../validation/field-errors'
import type { Resource } from './resource'

/** @throws ApiError 500 if a patch removed the apiVersion */
export function checkApiVersion({ custom }: Resource, { apiVersion }: KubeObject): void {
  if (custom && !apiVersion)
    throw internalError("Object 'apiVersion' is missing in 'object has no apiVersion field'")
}

/** Such a write to `status` loses managed fields. */
export const isOfOtherKind = (
  { custom, kind, apiVersion }: Resource,
  object: KubeObject,
): boolean => custom && (object.kind !== kind || object.apiVersion !== apiVersion)

export function customKindErrors(
  { custom, kind, apiVersion }: Resource,
  object: KubeObject,
): FieldError[] {
  const errors: FieldError[] = []
  if (!custom) return errors
  if (object.kind !== kind) errors.push(invalidValue('kind', object.kind, `must be ${kind}`))
  if (object.apiVersion !== apiVersion)
    errors.push(invalidValue('apiVersion', object.apiVersion, `must be ${apiVersion}`))
  return errors
}

/** The kind in errors: for a custom resource that of the body. */
export function nameOfKind(
  resource: Resource,
  object: KubeObject,
): { group: string; kind: string } {
  if (!resource.custom) return { group: resource.errorGroup, kind: resource.kind }
  return { group: parseApiVersion(object.apiVersion).group, kind: object.kind }
}
