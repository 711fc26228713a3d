/** Rules of IPAddresses and ServiceCIDRs. Recorded from kube-apiserver 1.31. */

import { equalJson, type KubeObject } from '../../core/object'
import type { FieldError } from '../../http/status'
import type { Strategy } from '../../registry/strategy'
import {
  addressFlaw,
  addressProblem,
  rangeFlaw,
  rangeProblem,
} from '../../validation/address-problems'
import { canonicalAddress, cidrFamily } from '../../validation/addresses'
import {
  invalidValue,
  onlySince,
  required,
  sinceChange,
  untilChange,
} from '../../validation/field-errors'
import { invalidStructure, invalidTypedList } from '../../validation/go-literal'
import { dnsSubdomainProblems, pathSegment } from '../../validation/names'

const givenRanges = (object: KubeObject): string[] | undefined =>
  (object.spec as { cidrs?: string[] } | undefined)?.cidrs
const rangesOf = (object: KubeObject): string[] => givenRanges(object) ?? []

export const serviceCidrStrategy: Strategy = {
  validate: rangeErrors,
  validateUpdate: (object, old, { engine }) =>
    engine.tables.changes.has('ServiceCidrsBecomeDual')
      ? laterChangeErrors(object, old)
      : changeErrors(object, old),
  status: {
    prepareForUpdate(object, old) {
      object.spec = old.spec
    },
  },
}

const IMMUTABLE = 'field is immutable'

const changeErrors = (object: KubeObject, old: KubeObject): FieldError[] =>
  equalJson(rangesOf(object), rangesOf(old))
    ? []
    : [invalidTypedList('spec.cidrs', 'string', givenRanges(object), IMMUTABLE)]

/** A second IP family may be added. */
function laterChangeErrors(object: KubeObject, old: KubeObject): FieldError[] {
  const [now, before] = [rangesOf(object), rangesOf(old)]
  const isAdded = before.length === 1 && now.length === 2
  if (!isAdded && now.length !== before.length) return changeErrors(object, old)
  return before.flatMap((range, i) =>
    range === now[i] ? [] : [invalidValue(`spec.cidrs[${i}]`, now[i], IMMUTABLE)],
  )
}

const ONE_OF_EACH =
  'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64'

function rangeErrors(object: KubeObject): FieldError[] {
  const ranges = rangesOf(object)
  const field = 'spec.cidrs'
  const whole = (why: string) =>
    invalidStructure(field, 'networking.v1beta1.ServiceCIDRSpec', object.spec, why)
  if (ranges.length === 0) return [required(field, 'at least one CIDR required')]
  if (ranges.length > 2) return [whole('may only hold up to 2 values')]
  const flaws = rangeFlaws(ranges, field)
  if (ranges.length === 2) {
    const [first, second] = ranges.map(cidrFamily)
    if (first === undefined || second === undefined)
      return [...flaws.map(sinceReworded), untilChange('AddressErrorsReworded', whole(ONE_OF_EACH))]
    if (first === second)
      return [
        ...flaws.map(sinceReworded),
        sinceChange(
          'AddressErrorsReworded',
          invalidTypedList(field, 'string', ranges, ONE_OF_EACH),
          whole(ONE_OF_EACH),
        ),
      ]
  }
  return flaws
}

const sinceReworded = (error: FieldError): FieldError => onlySince('AddressErrorsReworded', error)

function rangeFlaws(ranges: string[], field: string): FieldError[] {
  return ranges.flatMap((range, i) => {
    const problem = rangeProblem(range)
    if (problem === undefined) return []
    return [reworded(`${field}[${i}]`, range, rangeFlaw(range) ?? problem, problem)]
  })
}

const reworded = (field: string, value: string, now: string, before: string): FieldError =>
  sinceChange(
    'AddressErrorsReworded',
    invalidValue(field, value, now),
    invalidValue(field, value, before),
  )

interface Parent {
  group?: string
  resource?: string
  namespace?: string
  name?: string
}

const parentOf = (object: KubeObject): Parent | undefined =>
  (object.spec as { parentRef?: Parent } | undefined)?.parentRef

export const ipAddressStrategy: Strategy = {
  behindGates: (_, changes) =>
    changes.has('AddressErrorsReworded')
      ? { nameRule: (name) => [addressFlaw(name)].filter((why) => why !== undefined) }
      : {},
  nameRule: addressProblems,
  namesAsPrefix: true,
  validate: (object) => parentErrors(parentOf(object)),
  validateUpdate(object, old) {
    const [parent, why] = [parentOf(object), 'field is immutable']
    if (equalJson(parent, parentOf(old))) return []
    if (!parent) return [invalidValue('spec.parentRef', null, why)]
    return [invalidStructure('spec.parentRef', 'networking.v1beta1.ParentReference', parent, why)]
  },
}

function addressProblems(name: string): string[] {
  const problem = addressProblem(name)
  if (problem !== undefined) return [problem]
  if (name.includes('%')) return pathSegment(name, false)
  return canonicalAddress(name) === name ? [] : ['must be a canonical format IP address']
}

function parentErrors(parent: Parent | undefined): FieldError[] {
  const field = 'spec.parentRef'
  if (!parent) return [required(field)]
  const { group = '', resource = '', namespace = '', name = '' } = parent
  const segment = (member: string, value: string, needed: boolean): FieldError[] => {
    if (value === '') return needed ? [required(`${field}.${member}`)] : []
    return pathSegment(value, false).map((problem) =>
      invalidValue(`${field}.${member}`, value, problem),
    )
  }
  return [
    ...(group === ''
      ? []
      : dnsSubdomainProblems(group).map((problem) =>
          invalidValue(`${field}.group`, group, problem),
        )),
    ...segment('resource', resource, true),
    ...segment('name', name, true),
    ...segment('namespace', namespace, false),
  ]
}
