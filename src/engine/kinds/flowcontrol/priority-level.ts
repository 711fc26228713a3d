/** Rules of PriorityLevelConfigurations. Recorded from kube-apiserver 1.31. */

import type { KubeObject } from '../../core/object'
import type { FieldError } from '../../http/status'
import { STATUS_ALONE, type Strategy } from '../../registry/strategy'
import { ZERO_SHARES } from '../../releases/conversions/flowcontrol'
import {
  forbiddenField,
  invalidNamed,
  invalidValue,
  notSupported,
  required,
} from '../../validation/field-errors'
import { fixedSpecErrors } from './mandatory'
import { keepMetadata, statusErrors } from './status'

interface Shares {
  nominalConcurrencyShares?: number | null
  lendablePercent?: number | null
}

interface Queuing {
  queues?: number
  handSize?: number
  queueLengthLimit?: number
}

interface Limited extends Shares {
  borrowingLimitPercent?: number | null
  limitResponse?: { type?: string; queuing?: Queuing | null }
}

interface PriorityLevel extends KubeObject {
  spec?: { type?: string; limited?: Limited | null; exempt?: Shares | null }
}

const EXEMPT = 'exempt'
const DEFAULT_SHARES = 30
const MAX_QUEUES = 10_000_000
/** Of the hash that selects queues. */
const MAX_HASH_BITS = 60

function sharesErrors({ nominalConcurrencyShares: shares }: Shares, path: string): FieldError[] {
  if (typeof shares !== 'number' || shares >= 0) return []
  return [
    invalidValue(`${path}.nominalConcurrencyShares`, shares, 'must be a non-negative integer'),
  ]
}

function lendableErrors({ lendablePercent: percent }: Shares, path: string): FieldError[] {
  if (typeof percent !== 'number' || (percent >= 0 && percent <= 100)) return []
  return [invalidValue(`${path}.lendablePercent`, percent, 'must be between 0 and 100, inclusive')]
}

function limitedErrors(limited: Limited): FieldError[] {
  const path = 'spec.limited'
  const { borrowingLimitPercent: borrowing } = limited
  return [
    ...sharesErrors(limited, path),
    ...responseErrors(limited.limitResponse ?? {}, `${path}.limitResponse`),
    ...lendableErrors(limited, path),
    ...(typeof borrowing === 'number' && borrowing < 0
      ? [
          invalidValue(
            `${path}.borrowingLimitPercent`,
            borrowing,
            'if specified, must be a non-negative integer',
          ),
        ]
      : []),
  ]
}

function responseErrors(
  { type, queuing }: NonNullable<Limited['limitResponse']>,
  path: string,
): FieldError[] {
  const field = `${path}.queuing`
  if (type === 'Reject')
    return queuing
      ? [forbiddenField(field, 'must be nil if limited.limitResponse.type is not Limited')]
      : []
  if (type !== 'Queue') return [notSupported(`${path}.type`, type ?? '', ['Queue', 'Reject'])]
  if (!queuing)
    return [required(field, 'must not be empty if limited.limitResponse.type is Limited')]
  const { queues = 0, handSize = 0, queueLengthLimit = 0 } = queuing
  const positive = (member: string, value: number) =>
    value > 0 ? [] : [invalidValue(`${field}.${member}`, value, 'must be positive')]
  return [
    ...positive('queueLengthLimit', queueLengthLimit),
    ...(queues > MAX_QUEUES
      ? [invalidValue(`${field}.queues`, queues, `must not be greater than ${MAX_QUEUES}`)]
      : positive('queues', queues)),
    ...positive('handSize', handSize),
    ...(handSize > 0 ? handErrors(queues, handSize, `${field}.handSize`) : []),
  ]
}

function handErrors(queues: number, handSize: number, field: string): FieldError[] {
  if (handSize > queues)
    return [invalidValue(field, handSize, `should not be greater than queues (${queues})`)]
  if (Math.ceil(Math.log2(queues) * handSize) <= MAX_HASH_BITS) return []
  const why = `required entropy bits of deckSize ${queues} and handSize ${handSize} should not be greater than ${MAX_HASH_BITS}`
  return [invalidValue(field, handSize, why)]
}

function specErrors({ spec = {}, metadata }: PriorityLevel): FieldError[] {
  const { type = '', limited, exempt } = spec
  const errors =
    (metadata.name === EXEMPT) === (type === 'Exempt')
      ? []
      : [
          invalidNamed('spec.type', type, {
            why: "must be 'Exempt' if and only if `name` is 'exempt'",
            was: "type must be 'Exempt' if and only if name is 'exempt'",
          }),
        ]
  if (type === 'Exempt') {
    if (limited)
      errors.push(forbiddenField('spec.limited', 'must be nil if the type is not Limited'))
    return [
      ...errors,
      ...(exempt
        ? [...sharesErrors(exempt, 'spec.exempt'), ...lendableErrors(exempt, 'spec.exempt')]
        : []),
    ]
  }
  if (type !== 'Limited') return [...errors, notSupported('spec.type', type, ['Exempt', 'Limited'])]
  if (exempt) errors.push(forbiddenField('spec.exempt', 'must be nil if the type is Limited'))
  return [
    ...errors,
    ...(limited
      ? limitedErrors(limited)
      : [required('spec.limited', 'must not be empty when type is Limited')]),
  ]
}

/** Zero equals absent, except for shares. */
function fillQueuing(queuing: Queuing): void {
  queuing.queues ||= 64
  queuing.handSize ||= 8
  queuing.queueLengthLimit ||= 50
}

/** Only beta versions have this annotation. */
function annotationErrors({ metadata: { annotations } }: KubeObject): FieldError[] {
  if (annotations?.[ZERO_SHARES] === undefined) return []
  return [forbiddenField('metadata.annotations', `annotation '${ZERO_SHARES}' is forbidden`)]
}

export const priorityLevelStrategy: Strategy = {
  generationFields: ['spec'],
  serverOwned: ['status'],
  statusKeeps: STATUS_ALONE,
  defaults(object) {
    const { limited, exempt } = (object as PriorityLevel).spec ?? {}
    if (limited) {
      limited.nominalConcurrencyShares ??= DEFAULT_SHARES
      limited.lendablePercent ??= 0
      if (limited.limitResponse?.queuing) fillQueuing(limited.limitResponse.queuing)
    }
    if (exempt) {
      exempt.nominalConcurrencyShares ??= 0
      exempt.lendablePercent ??= 0
    }
  },
  validate: (object, { engine }) => [
    ...annotationErrors(object),
    ...specErrors(object as PriorityLevel),
    ...fixedSpecErrors(object, engine),
  ],
  status: { prepareForUpdate: keepMetadata, validateUpdate: statusErrors },
}
