/** Protects the mandatory FlowSchemas and priority levels. Recorded from kube-apiserver 1.31. */

import { equalJson, isJsonObject, type JsonObject, type KubeObject } from '../../core/object'
import { EXEMPT, MANDATORY, mandatorySpec } from '../../flow-control/mandatory'
import type { FieldError } from '../../http/status'
import type { StrategyContext } from '../../registry/strategy'
import { invalidStructure } from '../../validation/go-literal'

/** Administrators may change these. */
function withoutShares(spec: JsonObject): JsonObject {
  const { exempt: _, ...rest } = spec
  return rest
}

export function fixedSpecErrors(
  object: KubeObject,
  { tables }: StrategyContext['engine'],
): FieldError[] {
  const { name = '' } = object.metadata
  if (!MANDATORY.has(name)) return []
  const fixed = mandatorySpec(object.kind ?? '', name, tables)
  const spec = isJsonObject(object.spec) ? object.spec : {}
  const isExemptLevel = name === EXEMPT && object.kind === 'PriorityLevelConfiguration'
  const same = isExemptLevel
    ? equalJson(withoutShares(spec), withoutShares(fixed ?? {}))
    : equalJson(spec, fixed)
  if (same) return []
  const what = isExemptLevel ? `'${name}' except the 'spec.exempt' field` : `'${name}'`
  return [
    invalidStructure(
      'spec',
      `flowcontrol.v1.${object.kind}Spec`,
      spec,
      `spec of ${what} must equal the fixed value`,
    ),
  ]
}
