import {
  isJsonObject,
  type Json,
  type JsonObject,
  type KubeObject,
} from '../../../engine/core/object'
import type { PolicyFinding } from '../../../hosts/shared/channel'
import type { ServedResource } from '../../state/discovery'

/**
 * `warned`: allowed with a warning; `not-evaluated`: something rejected the write before a policy.
 */
export type AuditVerdict = 'denied' | 'warned' | 'passes' | 'not-evaluated'

export function matchedResources(
  policies: readonly KubeObject[],
  served: readonly ServedResource[],
): ServedResource[] {
  const rules = policies.flatMap((policy) => rulesOf(policy as unknown as JsonObject))
  const seen = new Set<string>()
  return served.filter((resource) => {
    const { group, version, resource: plural, verbs } = resource
    if (!verbs.includes('update') || !verbs.includes('list') || seen.has(`${group}/${plural}`))
      return false
    const matched = rules.some(
      ({ apiGroups, apiVersions, resources }) =>
        names(apiGroups, group) && names(apiVersions, version) && names(resources, plural),
    )
    if (matched) seen.add(`${group}/${plural}`)
    return matched
  })
}

const names = (list: Json | undefined, name: string): boolean =>
  Array.isArray(list) && list.some((item) => item === '*' || item === '*/*' || item === name)

function rulesOf({ spec }: JsonObject): JsonObject[] {
  const match =
    isJsonObject(spec) && isJsonObject(spec.matchConstraints) ? spec.matchConstraints : {}
  return Array.isArray(match.resourceRules) ? match.resourceRules.filter(isJsonObject) : []
}

/** Adds UPDATE to policies for CREATE only, because an audit updates existing objects. */
export function widened(object: KubeObject): KubeObject {
  if (object.kind !== 'ValidatingAdmissionPolicy') return object
  const copy = structuredClone(object) as unknown as JsonObject
  for (const rule of rulesOf(copy)) {
    const { operations } = rule
    if (
      Array.isArray(operations) &&
      operations.includes('CREATE') &&
      !operations.includes('UPDATE')
    )
      rule.operations = [...operations, 'UPDATE']
  }
  return copy as unknown as KubeObject
}

export function verdictOf(ok: boolean, findings: readonly PolicyFinding[]): AuditVerdict {
  const failing = findings.some(
    ({ outcome, validations }) =>
      outcome === 'failed' || validations.some((one) => one.outcome !== 'holds'),
  )
  if (ok) return failing ? 'warned' : 'passes'
  return failing ? 'denied' : 'not-evaluated'
}
