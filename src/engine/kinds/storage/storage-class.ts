/**
 * Recorded from kube-apiserver 1.31; others from k8s.io/kubernetes, pkg/apis/storage/validation.
 */

import { entryOf, equalJson, type KubeObject } from '../../core/object'
import type { FieldError } from '../../http/status'
import type { Strategy } from '../../registry/strategy'
import { isExplicitEmpty } from '../../schema/explicit-empties'
import { repeatsIn } from '../../schema/repeats'
import {
  duplicate,
  errorsOfItems,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
  tooLong,
} from '../../validation/field-errors'
import { labelKeyErrors } from '../../validation/label-selectors'
import { byteLength, qualifiedNameProblems } from '../../validation/names'
import { labelDeprecation } from '../../validation/node-labels'

type Parameters = Record<string, string>

interface TopologyTerm {
  matchLabelExpressions?: { key?: string; values?: string[] | null }[]
}

interface StorageClass extends KubeObject {
  provisioner?: string
  parameters?: Parameters
  reclaimPolicy?: string
  volumeBindingMode?: string
  allowedTopologies?: TopologyTerm[]
}

interface VolumeAttributesClass extends KubeObject {
  driverName?: string
  parameters?: Parameters
}

const RECLAIM_POLICIES = ['Delete', 'Retain']
const BINDING_MODES = ['Immediate', 'WaitForFirstConsumer']

export const storageClassStrategy: Strategy = {
  defaults(object) {
    object.reclaimPolicy ??= 'Delete'
    object.volumeBindingMode ??= 'Immediate'
  },
  validate(object) {
    const {
      provisioner,
      parameters,
      reclaimPolicy = '',
      volumeBindingMode = '',
      allowedTopologies,
    } = object as StorageClass
    return [
      ...provisionerErrors('provisioner', provisioner),
      ...parameterErrors('parameters', parameters ?? {}),
      ...(reclaimPolicy === '' || RECLAIM_POLICIES.includes(reclaimPolicy)
        ? []
        : [notSupported('reclaimPolicy', reclaimPolicy, RECLAIM_POLICIES)]),
      ...(BINDING_MODES.includes(volumeBindingMode)
        ? []
        : [notSupported('volumeBindingMode', volumeBindingMode, BINDING_MODES)]),
      ...topologyErrors('allowedTopologies', allowedTopologies ?? []),
    ]
  },
  warningsOnCreate: topologyWarnings,
  warningsOnUpdate: topologyWarnings,
  validateUpdate(object, old, { engine }) {
    // Declared rules cover the same members.
    if (engine.featureGates.DeclarativeValidationBeta) return []
    const { volumeBindingMode } = object as StorageClass
    const rebinds = volumeBindingMode !== (old as StorageClass).volumeBindingMode
    return [
      ...fixedErrors(object, old, ['parameters', 'provisioner', 'reclaimPolicy']),
      ...(rebinds
        ? [invalidValue('volumeBindingMode', volumeBindingMode, 'field is immutable')]
        : []),
    ]
  },
}

export const volumeAttributesClassStrategy: Strategy = {
  validate(object) {
    const { driverName, parameters = {} } = object as VolumeAttributesClass
    const none = Object.keys(parameters).length === 0
    return [
      ...provisionerErrors('driverName', driverName),
      ...(none
        ? [required('parameters', 'must contain at least one key/value pair')]
        : parameterErrors('parameters', parameters)),
    ]
  },
  validateUpdate: (object, old) => fixedErrors(object, old, ['driverName', 'parameters']),
}

function fixedErrors(object: KubeObject, old: KubeObject, members: string[]): FieldError[] {
  // reflect.DeepEqual of kube-apiserver: an empty map differs from nil.
  const changed = members.filter(
    (member) => !equalJson(object[member], old[member]) || isExplicitEmpty(object, member),
  )
  return changed.map((member) => forbiddenField(member, `updates to ${member} are forbidden.`))
}

/** Compared and printed in lower case. */
function provisionerErrors(field: string, given = ''): FieldError[] {
  if (given === '') return [required(field)]
  const name = given.toLowerCase()
  return qualifiedNameProblems(name).map((problem) => invalidValue(field, name, problem))
}

const MOST_PARAMETERS = 512
const MAX_PARAMETER_BYTES = 256 * 1024

function parameterErrors(field: string, parameters: Parameters): FieldError[] {
  const names = Object.keys(parameters)
  if (names.length > MOST_PARAMETERS) return [tooLong(field, MOST_PARAMETERS)]
  const size = names.reduce(
    (sum, name) => sum + byteLength(name) + byteLength(entryOf(parameters, name) ?? ''),
    0,
  )
  return [
    ...(names.includes('') ? [invalidValue(field, '', 'field can not be empty.')] : []),
    ...(size > MAX_PARAMETER_BYTES ? [tooLong(field, MAX_PARAMETER_BYTES)] : []),
  ]
}

function topologyErrors(path: string, terms: TopologyTerm[]): FieldError[] {
  const seen = new Map<string, number>()
  return errorsOfItems(terms, (term, i) => {
    const identity = topologyIdentity(term)
    const earlier = seen.get(identity) ?? 0
    seen.set(identity, earlier + 1)
    // A term without expressions also equals the empty elements that kube-apiserver compares it
    // with.
    const times = earlier + (term.matchLabelExpressions?.length ? 0 : terms.length)
    const errors = expressionErrors(term)
    if (errors.length === 0 && times === 0) return errors
    const field = `${path}[${i}].matchLabelExpressions`
    const placed = errors.map((error) => ({ ...error, field: field + error.field }))
    return times > 0 ? [...placed, { ...duplicate(field, ''), times }] : placed
  })
}

/** Fields begin below the expressions. */
function expressionErrors({ matchLabelExpressions }: TopologyTerm): FieldError[] {
  const keys = new Set<string>()
  return errorsOfItems(matchLabelExpressions, ({ key = '', values }, i) => {
    const isRepeat = keys.has(key)
    keys.add(key)
    if (!isRepeat && isDistinct(values) && qualifiedNameProblems(key).length === 0) return []
    return [
      ...valueErrors(values ?? [], `[${i}].values`),
      ...labelKeyErrors(key, `[${i}].key`),
      ...(isRepeat ? [duplicate(`[${i}].key`, key)] : []),
    ]
  })
}

const isDistinct = (values: readonly string[] | null | undefined): boolean =>
  values?.length === 1 || (Boolean(values?.length) && new Set(values).size === values?.length)

function valueErrors(values: readonly string[], path: string): FieldError[] {
  if (values.length === 0) return [required(path)]
  const isRepeat = repeatsIn(values, (value) => value)
  return errorsOfItems(values, (value, i) =>
    isRepeat(i) ? [duplicate(`${path}[${i}]`, value)] : [],
  )
}

function topologyWarnings(object: KubeObject): string[] {
  const warnings: string[] = []
  for (const [i, term] of ((object as StorageClass).allowedTopologies ?? []).entries())
    for (const [j, { key = '' }] of (term.matchLabelExpressions ?? []).entries()) {
      const text = labelDeprecation(key)
      if (text !== undefined)
        warnings.push(`allowedTopologies[${i}].matchLabelExpressions[${j}].key: ${text}`)
    }
  return warnings
}

/** Ignores order; the last expression of a key counts. */
function topologyIdentity({ matchLabelExpressions }: TopologyTerm): string {
  const [first, second] = matchLabelExpressions ?? []
  if (first !== undefined && second === undefined && first.values?.length === 1)
    return identityOfOne(first.key ?? '', first.values[0] as string)
  const values = new Map(
    matchLabelExpressions?.map(({ key = '', values }) => [key, [...new Set(values)].sort()]),
  )
  const [one, another] = values
  if (one !== undefined && another === undefined && one[1].length === 1)
    return identityOfOne(one[0], one[1][0] as string)
  return JSON.stringify([...values].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Fast path: no JSON text begins like this. */
const identityOfOne = (key: string, value: string): string => `${key.length}:${key}${value}`
