import type { KubeObject } from '../core/object'
import type { PolicyFinding, ValidationFinding } from '../telemetry/policy-findings'
import type { Binding, Policy } from './policies'
import type { ValidateResult } from './validator'

export function findingOf(
  policy: Policy,
  binding: Binding,
  param: KubeObject | undefined,
  result: ValidateResult,
): PolicyFinding {
  const { stopped, auditAnnotations } = result
  return {
    policy: policy.name,
    binding: binding.name,
    actions: binding.spec.validationActions ?? [],
    ...(param === undefined ? {} : { param: nameOf(param) }),
    outcome:
      stopped === undefined ? 'evaluated' : stopped.by === 'condition' ? 'skipped' : 'failed',
    ...(stopped?.by === 'failure' ? { message: stopped.message } : {}),
    validations: validationsOf(result),
    auditAnnotations,
  }
}

export function misconfiguredFinding(
  policy: Policy,
  binding: Binding | undefined,
  message: string,
): PolicyFinding {
  const actions = binding?.spec.validationActions ?? []
  return {
    policy: policy.name,
    binding: binding?.name ?? '',
    actions,
    outcome: 'failed',
    message,
    validations: [],
    auditAnnotations: [],
  }
}

export const nameOf = ({ metadata: { namespace, name = '' } }: KubeObject): string =>
  namespace ? `${namespace}/${name}` : name

function validationsOf({ evaluated, denials }: ValidateResult): ValidationFinding[] {
  return evaluated.map((result, index) => {
    const cost = result?.cost ?? 0
    if (result?.error !== undefined)
      return { index, outcome: 'unknown', message: result.error, cost }
    if (result?.value === true) return { index, outcome: 'holds', cost }
    const message = denials.find((denial) => denial.index === index)?.message
    return { index, outcome: 'fails', ...(message === undefined ? {} : { message }), cost }
  })
}
