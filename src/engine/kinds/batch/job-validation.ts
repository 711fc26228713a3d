/** Recorded from kube-apiserver 1.31; others from kubernetes.io, "Jobs". */

import { append } from '../../core/lists'
import type { FieldError } from '../../http/status'
import type { Changes } from '../../release-tables/changes'
import { goJson } from '../../schema/go-json'
import { goQuote } from '../../schema/go-text'
import {
  duplicate,
  invalidPrinted,
  invalidValue,
  notSupported,
  overlong,
  required,
  tooMany,
} from '../../validation/field-errors'
import { invalidStructure } from '../../validation/go-literal'
import { domainPathErrors } from '../../validation/hosts'
import { qualifiedNameProblems } from '../../validation/names'
import { notNegative } from '../../validation/numbers'
import type { PodValidationOptions } from '../core/pod-validation/options'
import { podTemplateErrors } from '../core/pod-validation/template'
import { templateWarnings } from '../core/pod-warnings'
import type { FailureRule, JobSpec } from './job-types'
import { successPolicyErrors } from './success-policy'

const MODES = ['NonIndexed', 'Indexed']
const REPLACEMENTS = ['Failed', 'TerminatingOrFailed']
const LONGEST_MANAGER = 63
const MAX_INDEXED_PARALLELISM = 100_000
/** Above this, jobs with per-index backoff have more limits. */
const MANY_COMPLETIONS = 100_000
const MOST_WITH_MANY_COMPLETIONS = 10_000
const COUNTS = [
  ...([
    'parallelism',
    'completions',
    'activeDeadlineSeconds',
    'backoffLimit',
    'ttlSecondsAfterFinished',
  ] as const),
  ...(['backoffLimitPerIndex', 'maxFailedIndexes'] as const),
]

export function jobSpecErrors(
  spec: JobSpec,
  path: string,
  options: PodValidationOptions,
): FieldError[] {
  const indexed = spec.completionMode === 'Indexed'
  const uncounted = spec.maxFailedIndexes !== undefined && spec.backoffLimitPerIndex === undefined
  return [
    ...COUNTS.flatMap((name) => notNegative(`${path}.${name}`, spec[name])),
    ...(uncounted
      ? [required(`${path}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified')]
      : []),
    ...managerErrors(spec.managedBy, `${path}.managedBy`),
    ...modeErrors(spec, path),
    ...failurePolicyErrors(spec, `${path}.podFailurePolicy`),
    ...successErrors(spec, indexed, `${path}.successPolicy`),
    ...replacementErrors(spec, `${path}.podReplacementPolicy`),
    ...podTemplateErrors(spec.template, `${path}.template`, options),
    ...restartErrors(spec, `${path}.template.spec.restartPolicy`),
  ]
}

function managerErrors(manager: string | undefined, field: string): FieldError[] {
  if (manager === undefined) return []
  return [
    ...domainPathErrors(field, manager),
    ...(manager.length > LONGEST_MANAGER ? [overlong(field, LONGEST_MANAGER)] : []),
  ]
}

const TOO_MANY_TO_TRACK =
  'In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail'

export function jobSpecWarnings(
  { completionMode, completions = 0, parallelism = 0, template }: JobSpec = {},
  path: string,
  changes: Changes,
): string[] {
  const large = completions > MANY_COMPLETIONS && parallelism > MOST_WITH_MANY_COMPLETIONS
  const own = completionMode === 'Indexed' && large ? [`${path}: ${TOO_MANY_TO_TRACK}`] : []
  return [...own, ...templateWarnings(template, `${path}.template`, changes)]
}

function modeErrors(spec: JobSpec, path: string): FieldError[] {
  const { completionMode: mode = 'NonIndexed' } = spec
  if (mode === 'Indexed') return indexedErrors(spec, path)
  if (mode !== 'NonIndexed') return [notSupported(`${path}.completionMode`, mode, MODES)]
  return (['backoffLimitPerIndex', 'maxFailedIndexes'] as const)
    .filter((name) => spec[name] !== undefined)
    .map((name) => invalidValue(`${path}.${name}`, spec[name], 'requires indexed completion mode'))
}

function indexedErrors(
  { completions, parallelism = 0, backoffLimitPerIndex, maxFailedIndexes }: JobSpec,
  path: string,
): FieldError[] {
  const failed = maxFailedIndexes ?? 0
  const atMost = (name: string, value: number, most: number, when = '') =>
    value > most
      ? [invalidValue(`${path}.${name}`, value, `must be less than or equal to ${most}${when}`)]
      : []
  const errors = [
    ...(completions === undefined
      ? [required(`${path}.completions`, 'when completion mode is Indexed')]
      : []),
    ...atMost(
      'parallelism',
      parallelism,
      MAX_INDEXED_PARALLELISM,
      ' when completion mode is Indexed',
    ),
    ...(completions !== undefined && failed > completions
      ? [
          invalidValue(
            `${path}.maxFailedIndexes`,
            failed,
            'must be less than or equal to completions',
          ),
        ]
      : []),
    ...atMost('maxFailedIndexes', failed, MAX_INDEXED_PARALLELISM),
  ]
  if (backoffLimitPerIndex === undefined || (completions ?? 0) <= MANY_COMPLETIONS) return errors
  const why = `must be specified when completions is above ${MANY_COMPLETIONS}`
  const when = ` when completions are above ${MANY_COMPLETIONS} and used with backoff limit per index`
  return [
    ...errors,
    ...(maxFailedIndexes === undefined ? [required(`${path}.maxFailedIndexes`, why)] : []),
    ...atMost('parallelism', parallelism, MOST_WITH_MANY_COMPLETIONS, when),
    ...atMost('maxFailedIndexes', failed, MOST_WITH_MANY_COMPLETIONS, when),
  ]
}

const ACTIONS = ['Count', 'FailIndex', 'FailJob', 'Ignore']
const OPERATORS = ['In', 'NotIn']
const STATES = ['False', 'True', 'Unknown']
const MAX_RULES = 20
const MAX_EXIT_CODES = 255

const wrong = (field: string, why: string): FieldError => ({
  field,
  reason: 'FieldValueInvalid',
  detail: `Invalid value: ${why}`,
})

const oneOf = (field: string, value: string, values: string[]): FieldError[] => {
  if (values.includes(value)) return []
  return [
    value === ''
      ? required(field, `valid values: [${values.map(goQuote).join(' ')}]`)
      : notSupported(field, value, values),
  ]
}

function failurePolicyErrors(spec: JobSpec, path: string): FieldError[] {
  const rules = spec.podFailurePolicy?.rules ?? []
  const { containers, initContainers } = spec.template?.spec ?? {}
  const names = [...(containers ?? []), ...(initContainers ?? [])].map(({ name }) => name ?? '')
  const errors = rules.length > MAX_RULES ? [tooMany(`${path}.rules`, rules.length, MAX_RULES)] : []
  return [
    ...errors,
    ...rules.flatMap((rule, i) => failureRuleErrors(rule, spec, names, `${path}.rules[${i}]`)),
  ]
}

function failureRuleErrors(
  rule: FailureRule,
  spec: JobSpec,
  containers: string[],
  path: string,
): FieldError[] {
  const { action = '', onExitCodes, onPodConditions } = rule
  const conditions = onPodConditions ?? []
  const errors =
    action === 'FailIndex' && spec.backoffLimitPerIndex === undefined
      ? [invalidValue(`${path}.action`, action, 'requires the backoffLimitPerIndex to be set')]
      : oneOf(`${path}.action`, action, ACTIONS)
  if (onExitCodes) append(errors, exitCodeErrors(onExitCodes, containers, `${path}.onExitCodes`))
  if (conditions.length > MAX_RULES)
    errors.push(tooMany(`${path}.onPodConditions`, conditions.length, MAX_RULES))
  for (const [i, { type = '', status = '' }] of conditions.entries()) {
    const at = `${path}.onPodConditions[${i}]`
    append(
      errors,
      qualifiedNameProblems(type).map((problem) => invalidValue(`${at}.type`, type, problem)),
    )
    append(errors, oneOf(`${at}.status`, status, STATES))
  }
  if (onExitCodes && conditions.length > 0)
    errors.push(wrong(path, 'specifying both OnExitCodes and OnPodConditions is not supported'))
  if (!onExitCodes && conditions.length === 0)
    errors.push(wrong(path, 'specifying one of OnExitCodes and OnPodConditions is required'))
  return errors
}

function exitCodeErrors(
  rule: NonNullable<FailureRule['onExitCodes']>,
  containers: string[],
  path: string,
): FieldError[] {
  const { operator = '', containerName, values } = rule
  const codes = values ?? []
  const errors = oneOf(`${path}.operator`, operator, OPERATORS)
  if (containerName !== undefined && !containers.includes(containerName)) {
    const why = 'must be one of the container or initContainer names in the pod template'
    errors.push(invalidValue(`${path}.containerName`, containerName, why))
  }
  if (codes.length === 0)
    errors.push(
      invalidPrinted(
        `${path}.values`,
        { go: `[]int32${values ? '{}' : '(nil)'}`, json: values ? '[]' : 'null' },
        'at least one value is required',
      ),
    )
  else if (codes.length > MAX_EXIT_CODES)
    errors.push(tooMany(`${path}.values`, codes.length, MAX_EXIT_CODES))
  const seen = new Set<number>()
  for (const [i, code] of codes.entries()) {
    if (operator === 'In' && code === 0)
      errors.push(invalidValue(`${path}.values[${i}]`, code, 'must not be 0 for the In operator'))
    if (seen.has(code)) errors.push(duplicate(`${path}.values[${i}]`, code))
    seen.add(code)
  }
  if (codes.some((code, i) => i > 0 && (codes[i - 1] ?? 0) > code))
    errors.push(
      invalidPrinted(
        `${path}.values`,
        { go: `[]int32{${codes.join(', ')}}`, json: goJson(codes) },
        'must be ordered',
      ),
    )
  return errors
}

function successErrors(spec: JobSpec, indexed: boolean, path: string): FieldError[] {
  const policy = spec.successPolicy
  if (!policy) return []
  if (!indexed)
    return [
      invalidStructure(path, 'batch.v1.SuccessPolicy', policy, 'requires indexed completion mode'),
    ]
  return successPolicyErrors(policy.rules ?? [], spec.completions ?? 0, `${path}.rules`)
}

function replacementErrors(
  { podReplacementPolicy: policy, podFailurePolicy }: JobSpec,
  field: string,
): FieldError[] {
  if (policy === undefined) return []
  const supported = podFailurePolicy ? ['Failed'] : REPLACEMENTS
  return supported.includes(policy) ? [] : [notSupported(field, policy, supported)]
}

function restartErrors({ template, podFailurePolicy }: JobSpec, field: string): FieldError[] {
  const policy = template?.spec?.restartPolicy ?? ''
  if (policy === '' || policy === 'Always')
    return [required(field, 'valid values: "OnFailure", "Never"')]
  if (policy !== 'OnFailure' && policy !== 'Never')
    return [notSupported(field, policy, ['OnFailure', 'Never'])]
  if (podFailurePolicy && policy !== 'Never')
    return [
      invalidValue(field, policy, 'only "Never" is supported when podFailurePolicy is specified'),
    ]
  return []
}
