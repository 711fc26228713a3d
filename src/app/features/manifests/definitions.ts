/** Kinds that a CustomResourceDefinition of the same manifest defines. */
import { isJsonObject, type JsonObject } from '../../../engine/core/object'
import type { ManifestDocument } from './documents'

export function definesKind(
  { value }: Pick<ManifestDocument, 'value'>,
  apiVersion: string,
  kind: string,
): boolean {
  if (value.kind !== 'CustomResourceDefinition' || !isJsonObject(value.spec)) return false
  const { group, names, version, versions } = value.spec
  const listed = Array.isArray(versions)
    ? versions.filter(isJsonObject).filter(({ served }) => served !== false)
    : []
  // v1beta1 had a single `version` next to the list.
  const all = [version, ...listed.map(({ name }: JsonObject) => name)]
  return (
    isJsonObject(names) &&
    names.kind === kind &&
    all.some((name) => typeof name === 'string' && `${group}/${name}` === apiVersion)
  )
}
