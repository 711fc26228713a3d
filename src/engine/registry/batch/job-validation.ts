/** The spec of a job, in jobs and in the templates of cron jobs (rules and texts recorded; the rest from public documentation). */
import type { FieldError } from '../../http/status'
import { podTemplateErrors } from '../core/pod-validation/template'
import { duplicate, invalidValue, notSupported, required, tooMany } from '../field-errors'
import { invalidStructure } from '../rules/go-literal'
import { qualifiedNameProblems } from '../rules/names'
import { notNegative } from '../rules/numbers'
import type { FailureRule, JobSpec } from './job-types'
import { successPolicyErrors } from './success-policy'

export const MODES = ['NonIndexed', 'Indexed']
const REPLACEMENTS = ['Failed', 'TerminatingOrFailed']
const MAX_INDEXED_PARALLELISM = 100_000
const COUNTS = [
  ...(['parallelism', 'completions', 'activeDeadlineSeconds', 'backoffLimit', 'ttlSecondsAfterFinished'] as const),
  ...(['backoffLimitPerIndex', 'maxFailedIndexes'] as const),
]

export function jobSpecErrors(spec: JobSpec, path: string): FieldError[] {
  const indexed = spec.completionMode === 'Indexed'
  return [
    ...COUNTS.flatMap((name) => notNegative(`${path}.${name}`, spec[name])),
    ...modeErrors(spec, indexed, path),
    ...failurePolicyErrors(spec, `${path}.podFailurePolicy`),
    ...successErrors(spec, indexed, `${path}.successPolicy`),
    ...replacementErrors(spec, `${path}.podReplacementPolicy`),
    ...podTemplateErrors(spec.template, `${path}.template`),
    ...restartErrors(spec, `${path}.template.spec.restartPolicy`),
  ]
}

function modeErrors(spec: JobSpec, indexed: boolean, path: string): FieldError[] {
  const { completionMode: mode, completions, parallelism = 0, backoffLimitPerIndex: perIndex, maxFailedIndexes: mostFailed } = spec
  const errors: FieldError[] = []
  if (mode !== undefined && !MODES.includes(mode)) errors.push(notSupported(`${path}.completionMode`, mode, MODES))
  if (!indexed) {
    const why = 'requires indexed completion mode'
    if (perIndex !== undefined) errors.push(invalidValue(`${path}.backoffLimitPerIndex`, perIndex, why))
    if (mostFailed !== undefined) errors.push(invalidValue(`${path}.maxFailedIndexes`, mostFailed, why))
    return errors
  }
  if (completions === undefined) errors.push(required(`${path}.completions`, 'when completion mode is Indexed'))
  if (parallelism > MAX_INDEXED_PARALLELISM) {
    const why = `must be less than or equal to ${MAX_INDEXED_PARALLELISM} when completion mode is Indexed`
    errors.push(invalidValue(`${path}.parallelism`, parallelism, why))
  }
  if (mostFailed !== undefined && completions !== undefined && mostFailed > completions)
    errors.push(invalidValue(`${path}.maxFailedIndexes`, mostFailed, 'must be less than or equal to completions'))
  if (mostFailed !== undefined && mostFailed > MAX_INDEXED_PARALLELISM)
    errors.push(invalidValue(`${path}.maxFailedIndexes`, mostFailed, `must be less than or equal to ${MAX_INDEXED_PARALLELISM}`))
  if (mostFailed !== undefined && perIndex === undefined)
    errors.push(required(`${path}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified'))
  return errors
}

const ACTIONS = ['Count', 'FailIndex', 'FailJob', 'Ignore']
const OPERATORS = ['In', 'NotIn']
const STATES = ['False', 'True', 'Unknown']
const MAX_RULES = 20
const MAX_EXIT_CODES = 255

/** `Invalid value` where there is nothing to show. */
const wrong = (field: string, why: string): FieldError => ({ field, reason: 'FieldValueInvalid', detail: `Invalid value: ${why}` })

const oneOf = (field: string, value: string, values: string[]): FieldError[] => {
  if (values.includes(value)) return []
  return [value === '' ? required(field, `valid values: [${values.join(' ')}]`) : notSupported(field, value, values)]
}

function failurePolicyErrors(spec: JobSpec, path: string): FieldError[] {
  const rules = spec.podFailurePolicy?.rules ?? []
  const { containers, initContainers } = spec.template?.spec ?? {}
  const names = [...(containers ?? []), ...(initContainers ?? [])].map(({ name }) => name ?? '')
  const errors = rules.length > MAX_RULES ? [tooMany(`${path}.rules`, rules.length, MAX_RULES)] : []
  return [...errors, ...rules.flatMap((rule, i) => failureRuleErrors(rule, spec, names, `${path}.rules[${i}]`))]
}

function failureRuleErrors(rule: FailureRule, spec: JobSpec, containers: string[], path: string): FieldError[] {
  const { action = '', onExitCodes, onPodConditions } = rule
  const conditions = onPodConditions ?? []
  const errors =
    action === 'FailIndex' && spec.backoffLimitPerIndex === undefined
      ? [invalidValue(`${path}.action`, action, 'requires the backoffLimitPerIndex to be set')]
      : oneOf(`${path}.action`, action, ACTIONS)
  if (onExitCodes) errors.push(...exitCodeErrors(onExitCodes, containers, `${path}.onExitCodes`))
  if (conditions.length > MAX_RULES) errors.push(tooMany(`${path}.onPodConditions`, conditions.length, MAX_RULES))
  for (const [i, { type = '', status = '' }] of conditions.entries()) {
    const at = `${path}.onPodConditions[${i}]`
    errors.push(...qualifiedNameProblems(type).map((problem) => invalidValue(`${at}.type`, type, problem)))
    errors.push(...oneOf(`${at}.status`, status, STATES))
  }
  if (onExitCodes && conditions.length > 0) errors.push(wrong(path, 'specifying both OnExitCodes and OnPodConditions is not supported'))
  if (!onExitCodes && conditions.length === 0) errors.push(wrong(path, 'specifying one of OnExitCodes and OnPodConditions is required'))
  return errors
}

function exitCodeErrors(rule: NonNullable<FailureRule['onExitCodes']>, containers: string[], path: string): FieldError[] {
  const { operator = '', containerName, values } = rule
  const codes = values ?? []
  const errors = oneOf(`${path}.operator`, operator, OPERATORS)
  if (containerName !== undefined && !containers.includes(containerName)) {
    const why = 'must be one of the container or initContainer names in the pod template'
    errors.push(invalidValue(`${path}.containerName`, containerName, why))
  }
  if (codes.length === 0) errors.push(wrong(`${path}.values`, 'at least one value is required'))
  else if (codes.length > MAX_EXIT_CODES) errors.push(tooMany(`${path}.values`, codes.length, MAX_EXIT_CODES))
  const seen = new Set<number>()
  for (const [i, code] of codes.entries()) {
    if (operator === 'In' && code === 0) errors.push(invalidValue(`${path}.values[${i}]`, code, 'must not be 0 for the In operator'))
    if (seen.has(code)) errors.push(duplicate(`${path}.values[${i}]`, code))
    seen.add(code)
  }
  if (codes.some((code, i) => i > 0 && (codes[i - 1] ?? 0) > code))
    errors.push(wrong(`${path}.values`, `[]int32{${codes.join(', ')}}: must be ordered`))
  return errors
}

function successErrors(spec: JobSpec, indexed: boolean, path: string): FieldError[] {
  const policy = spec.successPolicy
  if (!policy) return []
  if (!indexed) return [invalidStructure(path, 'batch.v1.SuccessPolicy', policy, 'requires indexed completion mode')]
  return successPolicyErrors(policy.rules ?? [], spec.completions ?? 0, `${path}.rules`)
}

function replacementErrors({ podReplacementPolicy: policy, podFailurePolicy }: JobSpec, field: string): FieldError[] {
  if (policy === undefined) return []
  const supported = podFailurePolicy ? ['Failed'] : REPLACEMENTS
  return supported.includes(policy) ? [] : [notSupported(field, policy, supported)]
}

/** Pods of jobs come to an end. */
function restartErrors({ template, podFailurePolicy }: JobSpec, field: string): FieldError[] {
  const policy = template?.spec?.restartPolicy ?? ''
  if (policy === '' || policy === 'Always') return [required(field, 'valid values: "OnFailure", "Never"')]
  if (policy !== 'OnFailure' && policy !== 'Never') return [notSupported(field, policy, ['OnFailure', 'Never'])]
  if (podFailurePolicy && policy !== 'Never')
    return [invalidValue(field, policy, 'only "Never" is supported when podFailurePolicy is specified')]
  return []
}
