/** Validates the status of ResourceClaims. Recorded from kube-apiserver 1.31. */

import { equalJson, type KubeObject } from '../../core/object'
import type { FieldError } from '../../http/status'
import { forbiddenField, notSupported, required } from '../../validation/field-errors'
import { invalidStructure } from '../../validation/go-literal'
import { setErrors } from '../../validation/sets'
import { driverNameErrors } from '../../validation/volumes'
import type { NodeSelector } from '../core/pod-types'
import { nodeSelectorErrors } from '../core/pod-validation/affinity'
import {
  type ClaimSpec,
  type Configuration,
  configurationErrors,
  LONGEST,
  referenceErrors,
  requestReferenceErrors,
} from './device-claim'
import { labelNameErrors, poolNameErrors } from './names'

interface Result {
  request?: string
  driver?: string
  pool?: string
  device?: string
}

interface Consumer {
  resource?: string
  name?: string
  uid?: string
}

interface AllocatedConfiguration extends Configuration {
  source?: string
}

interface Allocation {
  controller?: string
  devices?: { results?: Result[]; config?: AllocatedConfiguration[] }
  nodeSelector?: NodeSelector
}

export interface ClaimStatus {
  allocation?: Allocation
  reservedFor?: Consumer[]
  deallocationRequested?: boolean
}

export interface Claim extends KubeObject {
  spec?: ClaimSpec
  status?: ClaimStatus
}

/** Those of the class and of the claim. */
const MOST_CONFIGURATIONS = 2 * LONGEST

export function claimStatusErrors(
  { metadata, spec, status = {} }: Claim,
  old: Claim,
): FieldError[] {
  const { allocation, reservedFor } = status
  const names = new Set((spec?.devices?.requests ?? []).map(({ name = '' }) => name))
  return [
    ...setErrors(reservedFor, 'status.reservedFor', {
      longest: LONGEST,
      errors: consumerErrors,
      key: ({ uid = '' }) => uid,
      member: 'uid',
    }),
    ...(allocation ? allocationErrors(allocation, names, 'status.allocation') : []),
    ...reservationErrors(status, old.status, metadata.deletionTimestamp !== undefined),
    ...changeErrors(status, old.status),
  ]
}

const consumerErrors = ({ resource, name, uid }: Consumer, path: string): FieldError[] => [
  ...(resource ? [] : [required(`${path}.resource`)]),
  ...(name ? [] : [required(`${path}.name`)]),
  ...(uid ? [] : [required(`${path}.uid`)]),
]

function allocationErrors(
  { devices = {}, nodeSelector, controller = '' }: Allocation,
  names: Set<string>,
  path: string,
): FieldError[] {
  return [
    ...setErrors(devices.results, `${path}.devices.results`, {
      longest: LONGEST,
      errors: (result, at) => resultErrors(result, names, at),
    }),
    ...setErrors(devices.config, `${path}.devices.config`, {
      longest: MOST_CONFIGURATIONS,
      errors: (one, at) => [
        ...sourceErrors(`${at}.source`, one.source ?? ''),
        ...referenceErrors(one.requests, names, `${at}.requests`),
        ...configurationErrors(one, at),
      ],
    }),
    ...(nodeSelector ? nodeSelectorErrors(nodeSelector, `${path}.nodeSelector`) : []),
    ...(controller === '' ? [] : driverNameErrors(`${path}.controller`, controller)),
  ]
}

const resultErrors = (
  { request = '', driver, pool = '', device = '' }: Result,
  names: Set<string>,
  path: string,
): FieldError[] => [
  ...requestReferenceErrors(request, names, `${path}.request`),
  ...driverNameErrors(`${path}.driver`, driver),
  ...poolNameErrors(`${path}.pool`, pool),
  ...labelNameErrors(`${path}.device`, device),
]

const SOURCES = ['FromClaim', 'FromClass']

function sourceErrors(field: string, source: string): FieldError[] {
  if (source === '') return [required(field)]
  return SOURCES.includes(source) ? [] : [notSupported(field, source, SOURCES)]
}

/** After allocation, while no deallocation is requested. */
function reservationErrors(
  now: ClaimStatus,
  before: ClaimStatus = {},
  deleted: boolean,
): FieldError[] {
  const { allocation, reservedFor = [], deallocationRequested } = now
  const field = 'status.reservedFor'
  if (!allocation)
    return reservedFor.length > 0
      ? [forbiddenField(field, 'may not be specified when `allocated` is not set')]
      : []
  if (!deallocationRequested && !deleted) return []
  const known = new Set(before.reservedFor?.map(({ uid }) => uid))
  if (reservedFor.every(({ uid }) => known.has(uid))) return []
  return [
    forbiddenField(
      field,
      'new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set',
    ),
  ]
}

function changeErrors(now: ClaimStatus, before: ClaimStatus = {}): FieldError[] {
  const { allocation, reservedFor = [], deallocationRequested = false } = now
  const field = 'status.deallocationRequested'
  const errors: FieldError[] = []
  if (allocation && before.allocation && !equalJson(allocation, before.allocation))
    errors.push(
      invalidStructure(
        'status.allocation',
        'resource.v1alpha3.AllocationResult',
        allocation,
        'field is immutable',
      ),
    )
  if (before.deallocationRequested) {
    if (!deallocationRequested && allocation)
      errors.push(forbiddenField(field, 'may not be cleared when `allocation` is set'))
  } else if (deallocationRequested && reservedFor.length > 0)
    errors.push(
      forbiddenField(field, 'deallocation cannot be requested while `reservedFor` is set'),
    )
  if (deallocationRequested && !allocation)
    errors.push(
      forbiddenField('status', '`allocation` must be set when `deallocationRequested` is set'),
    )
  return errors
}
