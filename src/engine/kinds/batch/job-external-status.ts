/**
 * * Validates the status that an external controller writes (`JobManagedBy`). Compared with
 * kube-apiserver 1.31. Rules apply only when their members change, so that invalid stored states
 * can remain.
 */

import { equalJson } from '../../core/object'
import type { FieldError } from '../../http/status'
import {
  invalidPrinted,
  invalidValue,
  printedTime,
  required,
  sinceChange,
} from '../../validation/field-errors'
import { invalidStructure } from '../../validation/go-literal'
import { holds, type Job, wrongConditions } from './job-types'
import { countIndexes, readRange } from './success-policy'

type Status = NonNullable<Job['status']>

/** A condition type, whether the job has finished, or a member. */
type Aspect =
  | 'Complete'
  | 'Failed'
  | 'FailureTarget'
  | 'SuccessCriteriaMet'
  | 'finished'
  | keyof Status

interface Rule {
  /** Changes that trigger the rule. */
  when: readonly Aspect[]
  check(job: Job, status: Status): FieldError | undefined
}

const isFinished = (job: Job): boolean => holds(job, 'Complete') || holds(job, 'Failed')

function exclude(when: readonly Aspect[], type: string, other: string): Rule {
  const rejection = wrongConditions(`cannot set ${type}=True and ${other}=true conditions`)
  return { when, check: (job) => (holds(job, type) && holds(job, other) ? rejection : undefined) }
}

function announced(when: readonly Aspect[], type: string, by: string): Rule {
  const rejection = wrongConditions(
    `cannot set ${type}=True condition without the ${by}=true condition`,
  )
  return { when, check: (job) => (holds(job, type) && !holds(job, by) ? rejection : undefined) }
}

function noneLeft(member: 'active' | 'terminating'): Rule {
  const check: Rule['check'] = (job, { [member]: count = 0 }) =>
    count > 0 && isFinished(job)
      ? invalidValue(`status.${member}`, count, `${member}>0 is invalid for finished job`)
      : undefined
  return { when: ['finished', member], check }
}

function readableIndexes(
  member: 'completedIndexes' | 'failedIndexes',
  applies: (job: Job) => boolean,
): Rule {
  return {
    when: [member],
    check(job, { [member]: indexes = '' }) {
      const { completions } = job.spec ?? {}
      if (completions === undefined || !applies(job)) return undefined
      const problem = countIndexes(indexes, completions)
      return typeof problem === 'string'
        ? invalidValue(`status.${member}`, indexes, `error parsing ${member}: ${problem}`)
        : undefined
    },
  }
}

const RULES: readonly Rule[] = [
  exclude(['Complete', 'Failed'], 'Complete', 'Failed'),
  exclude(['Complete', 'FailureTarget'], 'Complete', 'FailureTarget'),
  {
    when: ['Complete', 'completionTime'],
    check: (job, { completionTime }) =>
      completionTime && !holds(job, 'Complete')
        ? wrongTime(
            completionTime,
            'cannot set completionTime when there is no Complete=True condition',
          )
        : undefined,
  },
  {
    when: ['Complete', 'completionTime'],
    check: (job, { completionTime }) =>
      !completionTime && holds(job, 'Complete')
        ? required('status.completionTime', 'completionTime is required for Complete jobs')
        : undefined,
  },
  {
    when: ['startTime', 'completionTime'],
    check: (_, { startTime, completionTime }) =>
      startTime && completionTime && Date.parse(completionTime) < Date.parse(startTime)
        ? wrongTime(completionTime, 'completionTime cannot be set before startTime')
        : undefined,
  },
  announced(['Failed', 'failedIndexes'], 'Failed', 'FailureTarget'),
  announced(['Complete', 'SuccessCriteriaMet'], 'Complete', 'SuccessCriteriaMet'),
  noneLeft('active'),
  {
    when: ['finished', 'startTime'],
    check: (job, { startTime }) =>
      !startTime && isFinished(job)
        ? required('status.startTime', 'startTime is required for finished job')
        : undefined,
  },
  {
    when: ['finished', 'uncountedTerminatedPods'],
    check(job, { uncountedTerminatedPods: pods }) {
      if (!isFinished(job) || !(pods?.succeeded?.length || pods?.failed?.length)) return undefined
      const why = 'uncountedTerminatedPods needs to be empty for finished job'
      return invalidStructure(
        'status.uncountedTerminatedPods',
        'batch.v1.UncountedTerminatedPods',
        pods,
        why,
      )
    },
  },
  readableIndexes('completedIndexes', () => true),
  readableIndexes('failedIndexes', ({ spec }) => spec?.backoffLimitPerIndex !== undefined),
  {
    when: ['completedIndexes'],
    check: ({ spec }, { completedIndexes }) =>
      completedIndexes && spec?.completionMode !== 'Indexed'
        ? invalidValue(
            'status.completedIndexes',
            completedIndexes,
            'cannot set non-empty completedIndexes when non-indexed completion mode',
          )
        : undefined,
  },
  {
    when: ['failedIndexes'],
    check: ({ spec }, { failedIndexes }) =>
      failedIndexes !== undefined && spec?.backoffLimitPerIndex === undefined
        ? invalidValue(
            'status.failedIndexes',
            failedIndexes,
            'cannot set non-null failedIndexes when backoffLimitPerIndex is null',
          )
        : undefined,
  },
  {
    when: ['failedIndexes', 'completedIndexes'],
    check({ spec }, { completedIndexes = '', failedIndexes = '' }) {
      const shared =
        spec?.completions === undefined
          ? undefined
          : sharedIndex(completedIndexes, failedIndexes, spec.completions)
      if (shared === undefined) return undefined
      return invalidValue(
        'status.failedIndexes',
        failedIndexes,
        `failedIndexes and completedIndexes overlap at index: ${shared}`,
      )
    },
  },
  noneLeft('terminating'),
  {
    when: ['ready', 'active'],
    check: (_, { ready = 0, active = 0 }) =>
      ready > active
        ? invalidValue('status.ready', ready, 'cannot set more ready pods than active')
        : undefined,
  },
]

export function externalStateErrors(job: Job, old: Job): FieldError[] {
  const { status = {} } = job
  return RULES.flatMap(({ when, check }) =>
    when.some((aspect) => differs(aspect, job, old)) ? (check(job, status) ?? []) : [],
  )
}

export function externalStepErrors(job: Job, old: Job): FieldError[] {
  const [{ status = {}, spec = {} }, { status: before = {} }] = [job, old]
  const errors = ['Failed', 'Complete', 'FailureTarget']
    .filter((type) => holds(old, type) && !holds(job, type))
    .map((type) => wrongConditions(`cannot disable the terminal ${type}=True condition`))
  const mayShrink = spec.completionMode === 'Indexed' && spec.completions === spec.parallelism
  for (const member of mayShrink ? (['failed'] as const) : (['failed', 'succeeded'] as const))
    if ((status[member] ?? 0) < (before[member] ?? 0))
      errors.push(
        invalidValue(
          `status.${member}`,
          status[member] ?? 0,
          `cannot decrease the ${member} counter`,
        ),
      )
  if (
    status.completionTime &&
    before.completionTime &&
    status.completionTime !== before.completionTime
  )
    errors.push(wrongTime(status.completionTime, 'completionTime cannot be mutated'))
  if (before.startTime && status.startTime !== before.startTime && spec.suspend !== true)
    errors.push(startErrorOf(status.startTime))
  return errors
}

const START = 'status.startTime'

const startErrorOf = (startTime: string | null | undefined): FieldError =>
  sinceChange(
    'JobStartPrinted',
    invalidValue(START, startTime ?? null, 'field is immutable for unsuspended job once set'),
    required(START, 'startTime cannot be removed for unsuspended job'),
  )

function differs(aspect: Aspect, job: Job, old: Job): boolean {
  switch (aspect) {
    case 'finished':
      return isFinished(job) !== isFinished(old)
    case 'Complete':
    case 'Failed':
    case 'FailureTarget':
    case 'SuccessCriteriaMet':
      return holds(job, aspect) !== holds(old, aspect)
    default:
      return !equalJson(job.status?.[aspect] ?? null, old.status?.[aspect] ?? null)
  }
}

const wrongTime = (time: string, why: string): FieldError =>
  invalidPrinted('status.completionTime', printedTime(time), why)

/** Skips malformed intervals, which are reported elsewhere. */
function sharedIndex(completed: string, failed: string, completions: number): number | undefined {
  const [one, other] = [intervals(completed, completions), intervals(failed, completions)]
  let [i, k] = [0, 0]
  for (;;) {
    const [a, b] = [one[i], other[k]]
    if (!a || !b) return undefined
    if (a[0] <= b[1] && b[0] <= a[1]) return Math.max(a[0], b[0])
    if (a[0] <= b[0]) i++
    else k++
  }
}

function intervals(text: string, completions: number): (readonly [first: number, last: number])[] {
  if (text === '') return []
  return text.split(',').flatMap((fragment) => {
    const range = readRange(fragment, completions)
    return typeof range === 'string' ? [] : [range]
  })
}
