/** What is noted of a policy's judgement for those who look on. */
import type { KubeObject } from '../object'
import type { PolicyFinding, ValidationFinding } from '../telemetry/policy-findings'
import type { Judgement } from './judge'
import type { Binding, Policy } from './policies'

export function findingOf(
  policy: Policy,
  binding: Binding,
  param: KubeObject | undefined,
  judgement: Judgement,
): PolicyFinding {
  const { stopped, auditAnnotations } = judgement
  return {
    policy: policy.name,
    binding: binding.name,
    actions: binding.spec.validationActions ?? [],
    ...(param === undefined ? {} : { param: nameOf(param) }),
    outcome: stopped === undefined ? 'judged' : stopped.by === 'condition' ? 'skipped' : 'failed',
    ...(stopped?.by === 'failure' ? { message: stopped.message } : {}),
    validations: validationsOf(judgement),
    auditAnnotations,
  }
}

/** A policy or binding that could not be followed at all. */
export function unfollowed(
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

const nameOf = ({ metadata: { namespace, name = '' } }: KubeObject): string =>
  namespace ? `${namespace}/${name}` : name

function validationsOf({ evaluated, denials }: Judgement): ValidationFinding[] {
  return evaluated.map((result, index) => {
    const cost = result?.cost ?? 0
    if (result?.error !== undefined)
      return { index, outcome: 'unknown', message: result.error, cost }
    if (result?.value === true) return { index, outcome: 'holds', cost }
    const message = denials.find((denial) => denial.index === index)?.message
    return { index, outcome: 'fails', ...(message === undefined ? {} : { message }), cost }
  })
}
