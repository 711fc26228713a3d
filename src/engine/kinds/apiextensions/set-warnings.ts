/**
 * Sets of lists or objects: k8s.io/apiextensions-apiserver, pkg/registry/customresourcedefinition.
 */
import { isJsonObject, type Json } from '../../core/object'
import { goQuote } from '../../schema/go-text'
import type { Definition } from './definition'

/** @param old causes no further warning */
export function setWarnings(definition: Definition, old?: Definition): string[] {
  const known = old === undefined ? new Set<string>() : itemTypesOfSets(old)
  return [...itemTypesOfSets(definition)]
    .filter((type) => !known.has(type))
    .sort()
    .map(
      (type) =>
        `x-kubernetes-list-type: set for items of type ${goQuote(type)} is not supported by server-side apply or CEL validation rules`,
    )
}

function itemTypesOfSets({ spec }: Definition): Set<string> {
  const found = new Set<string>()
  for (const { schema } of spec?.versions ?? []) collect(schema?.openAPIV3Schema, found)
  return found
}

function collect(schema: Json | undefined, found: Set<string>): void {
  if (!isJsonObject(schema)) return
  const { items, properties, additionalProperties } = schema
  if (schema['x-kubernetes-list-type'] === 'set' && isJsonObject(items))
    if (items.type === 'array' || items.type === 'object') found.add(items.type)
  collect(items, found)
  collect(additionalProperties, found)
  if (isJsonObject(properties))
    for (const member of Object.values(properties)) collect(member, found)
}
