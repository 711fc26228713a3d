/** Drops parts behind feature gates, unless stored. Compared with kube-apiserver 1.31. */

import { entryOf, isJsonObject, type Json, type JsonObject } from '../../core/object'
import type { Engine } from '../../registry/engine'
import type { Definition, DefinitionVersion } from './definition'

interface Gated {
  gate: string
  has(version: DefinitionVersion): boolean
  drop(version: DefinitionVersion): void
}

const GATED: Gated[] = [
  {
    gate: 'CRDValidationRatcheting',
    has: ({ schema }) =>
      rulesIn(schema?.openAPIV3Schema).some(({ optionalOldSelf }) => optionalOldSelf !== undefined),
    drop({ schema }) {
      for (const rule of rulesIn(schema?.openAPIV3Schema)) delete rule.optionalOldSelf
    },
  },
  {
    gate: 'CustomResourceFieldSelectors',
    has: ({ selectableFields }) => selectableFields !== undefined,
    drop(version) {
      delete version.selectableFields
    },
  },
]

export function dropGatedParts(
  gates: Engine['featureGates'],
  definition: Definition,
  old?: Definition,
): void {
  for (const { gate, has, drop } of GATED) {
    if (entryOf(gates, gate) === true || old?.spec?.versions?.some(has)) continue
    for (const version of definition.spec?.versions ?? []) drop(version)
  }
}

const RULES = 'x-kubernetes-validations'

function rulesIn(schema: Json | undefined): JsonObject[] {
  if (!isJsonObject(schema)) return []
  const { properties, items, additionalProperties } = schema
  const rules = schema[RULES]
  const own = Array.isArray(rules) ? rules.filter(isJsonObject) : []
  const below = [
    ...(isJsonObject(properties) ? Object.values(properties) : []),
    ...[items].flat(),
    additionalProperties,
  ]
  return [...own, ...below.flatMap(rulesIn)]
}
