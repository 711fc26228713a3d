import type { JsonObject, KubeObject } from '../../core/object'

export interface DefinitionNames {
  plural: string
  singular?: string
  shortNames?: string[]
  kind: string
  listKind?: string
  categories?: string[]
}

export interface DefinitionVersion {
  name: string
  served: boolean
  storage: boolean
  deprecated?: boolean
  deprecationWarning?: string
  schema?: { openAPIV3Schema?: JsonObject }
  subresources?: {
    status?: JsonObject
    scale?: { specReplicasPath: string; statusReplicasPath: string; labelSelectorPath?: string }
  }
  additionalPrinterColumns?: {
    name: string
    type: string
    jsonPath: string
    format?: string
    description?: string
    priority?: number
  }[]
  selectableFields?: { jsonPath: string }[]
}

export interface ConversionWebhook {
  clientConfig?: {
    url?: string
    service?: { namespace?: string; name?: string; path?: string; port?: number } | null
    caBundle?: string
  }
  conversionReviewVersions?: string[]
}

export interface DefinitionSpec {
  group: string
  names: DefinitionNames
  scope: string
  versions: DefinitionVersion[]
  conversion?: { strategy: string; webhook?: ConversionWebhook }
  preserveUnknownFields?: boolean
}

export interface DefinitionCondition {
  type: string
  status: 'True' | 'False' | 'Unknown'
  lastTransitionTime?: string
  reason?: string
  message?: string
}

export interface DefinitionStatus {
  conditions: DefinitionCondition[] | null
  acceptedNames: DefinitionNames
  storedVersions: string[] | null
}

export interface Definition extends KubeObject {
  spec: DefinitionSpec
  status: DefinitionStatus
}

export const DEFINITIONS = '/registry/apiextensions.k8s.io/customresourcedefinitions/'

/** Delays deletion until the objects are deleted. */
export const CLEANUP_FINALIZER = 'customresourcecleanup.apiextensions.k8s.io'

export function conditionOf(definition: Definition, type: string): DefinitionCondition | undefined {
  return definition.status?.conditions?.find((condition) => condition.type === type)
}

export function isConditionTrue(definition: Definition, type: string): boolean {
  return conditionOf(definition, type)?.status === 'True'
}

/** Replaces or appends. The time changes only with the status. */
export function withCondition(
  status: DefinitionStatus,
  condition: DefinitionCondition,
  now: string,
): DefinitionStatus {
  const conditions = status.conditions ?? []
  const known = conditions.find(({ type }) => type === condition.type)
  const lastTransitionTime =
    known?.status === condition.status ? (known.lastTransitionTime ?? now) : now
  const set: DefinitionCondition = { ...condition, lastTransitionTime }
  return {
    ...status,
    conditions:
      known === undefined
        ? [...conditions, set]
        : conditions.map((other) => (other === known ? set : other)),
  }
}

/** @returns empty for an invalid definition */
export function storageVersionOf({ spec }: { spec: Partial<DefinitionSpec> }): string {
  return spec.versions?.find(({ storage }) => storage)?.name ?? ''
}
