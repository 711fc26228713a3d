/**
 * What a custom resource says that it is. Unlike of built-in kinds, that is no matter of reading but a rule like its other ones:
 * names, versions and whatever else a write names wrongly come first, and a write to `status` is not asked (recorded).
 */
import { type FieldError, internalError } from '../http/status'
import { type KubeObject, parseApiVersion } from '../object'
import { invalidValue } from './field-errors'
import type { Resource } from './resource'

/** @throws ApiError 500 a patch has taken the version away */
export function checkApiVersion({ custom }: Resource, { apiVersion }: KubeObject): void {
  if (custom && !apiVersion)
    throw internalError("Object 'apiVersion' is missing in 'object has no apiVersion field'")
}

/** Nobody can own fields of a kind that there is not: a write to `status` loses what was known of owners (recorded). */
export const isOfOtherKind = (
  { custom, kind, apiVersion }: Resource,
  object: KubeObject,
): boolean => custom && (object.kind !== kind || object.apiVersion !== apiVersion)

/** Where the object is said to be another one than was asked for. */
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

/** What an error calls the object: a custom resource what it says itself. */
export function nameOfKind(
  resource: Resource,
  object: KubeObject,
): { group: string; kind: string } {
  if (!resource.custom) return { group: resource.errorGroup, kind: resource.kind }
  return { group: parseApiVersion(object.apiVersion).group, kind: object.kind }
}
