/** Rules of PodDisruptionBudgets. Recorded from kube-apiserver 1.31. */

import { append } from '../../core/lists'
import type { KubeObject } from '../../core/object'
import type { FieldError } from '../../http/status'
import type { Strategy } from '../../registry/strategy'
import { conditionErrors, type StatusCondition } from '../../validation/conditions'
import { notSupported } from '../../validation/field-errors'
import { invalidStructure } from '../../validation/go-literal'
import { type LabelSelectorObject, labelSelectorErrors } from '../../validation/label-selectors'
import { pathSegment } from '../../validation/names'
import { type Amount, amountErrors, atMostWhole, notNegative } from '../../validation/numbers'

interface Spec {
  minAvailable?: Amount
  maxUnavailable?: Amount
  selector?: LabelSelectorObject
  unhealthyPodEvictionPolicy?: string
}

interface Budget extends KubeObject {
  spec?: Spec
  status?: { conditions?: StatusCondition[] } & { [count in (typeof COUNTS)[number]]?: number }
}

const POLICIES = ['AlwaysAllow', 'IfHealthyBudget']
const COUNTS = ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'] as const

export const podDisruptionBudgetStrategy: Strategy = {
  // Only the rules for all objects apply.
  checksMetadata: () => 'never',
  laxFinalizers: true,
  nameRule: pathSegment,
  generationFields: ['spec'],
  serverOwned: ['status'],
  allowUnconditionalUpdate: false,
  validate: (object) => specErrors((object as Budget).spec ?? {}),
  status: {
    prepareForUpdate(object, old) {
      object.spec = old.spec
    },
    validateUpdate(object) {
      const { status } = object as Budget
      return [
        ...conditionErrors(status?.conditions, 'status.conditions'),
        ...COUNTS.flatMap((name) => notNegative(`status.${name}`, status?.[name])),
      ]
    },
  },
}

function specErrors(spec: Spec): FieldError[] {
  const { minAvailable: least, maxUnavailable: most, unhealthyPodEvictionPolicy: policy } = spec
  const errors: FieldError[] = []
  if (least !== undefined && most !== undefined)
    errors.push(
      invalidStructure(
        'spec',
        'policy.v1.PodDisruptionBudgetSpec',
        spec,
        'minAvailable and maxUnavailable cannot be both set',
      ),
    )
  for (const [name, amount] of [
    ['minAvailable', least],
    ['maxUnavailable', most],
  ] as const)
    if (amount !== undefined)
      append(errors, amountErrors(`spec.${name}`, amount), atMostWhole(`spec.${name}`, amount))
  append(errors, labelSelectorErrors(spec.selector, 'spec.selector'))
  if (policy !== undefined && !POLICIES.includes(policy))
    errors.push(notSupported('spec.unhealthyPodEvictionPolicy', policy, POLICIES))
  return errors
}
