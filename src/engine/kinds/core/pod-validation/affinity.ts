/** Validates affinity and node selectors. Recorded from kube-apiserver 1.31. */

import { append } from '../../../core/lists'
import type { FieldError } from '../../../http/status'
import {
  duplicate,
  errorsOfItems,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
} from '../../../validation/field-errors'
import {
  BAD_OPERATOR,
  type LabelSelectorObject,
  labelKeyErrors,
  labelSelectorErrors,
  VALUES_FORBIDDEN,
  VALUES_REQUIRED,
} from '../../../validation/label-selectors'
import { dnsLabelProblems, dnsSubdomainProblems } from '../../../validation/names'
import type {
  Affinity,
  NodeAffinity,
  NodeSelector,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  PodAffinity,
  PodAffinityTerm,
  TopologySpreadConstraint,
} from '../pod-types'
import type { PodValidationOptions } from './options'

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution'
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution'

export function affinityErrors(affinity: Affinity | undefined, path: string): FieldError[] {
  if (!affinity) return []
  return [
    ...nodeAffinityErrors(affinity.nodeAffinity, `${path}.nodeAffinity`),
    ...podAffinityErrors(affinity.podAffinity, `${path}.podAffinity`),
    ...podAffinityErrors(affinity.podAntiAffinity, `${path}.podAntiAffinity`),
  ]
}

function nodeAffinityErrors(affinity: NodeAffinity | undefined, path: string): FieldError[] {
  const errors: FieldError[] = []
  const selector = affinity?.[REQUIRED]
  if (selector) append(errors, nodeSelectorErrors(selector, `${path}.${REQUIRED}`))
  for (const [i, { weight, preference = {} }] of (affinity?.[PREFERRED] ?? []).entries()) {
    const at = `${path}.${PREFERRED}[${i}]`
    append(errors, weightErrors(weight, at), nodeTermErrors(preference, `${at}.preference`))
  }
  return errors
}

export function nodeSelectorErrors(
  { nodeSelectorTerms: terms }: NodeSelector,
  path: string,
): FieldError[] {
  const at = `${path}.nodeSelectorTerms`
  if (!terms?.length) return [required(at, 'must have at least one node selector term')]
  return terms.flatMap((term, i) => nodeTermErrors(term, `${at}[${i}]`))
}

function weightErrors(weight = 0, path: string): FieldError[] {
  return weight <= 0 || weight > 100
    ? [invalidValue(`${path}.weight`, weight, 'must be in the range 1-100')]
    : []
}

/** Values are not validated in this release. */
function nodeTermErrors(term: NodeSelectorTerm, path: string): FieldError[] {
  return [
    ...(term.matchExpressions ?? []).flatMap((expression, i) =>
      nodeExpressionErrors(expression, `${path}.matchExpressions[${i}]`),
    ),
    ...(term.matchFields ?? []).flatMap((expression, i) =>
      nodeFieldErrors(expression, `${path}.matchFields[${i}]`),
    ),
  ]
}

function nodeExpressionErrors(
  { key = '', operator = '', values }: NodeSelectorRequirement,
  path: string,
): FieldError[] {
  const given = values ?? []
  const errors: FieldError[] = []
  if (operator === 'In' || operator === 'NotIn') {
    if (given.length === 0) errors.push(required(`${path}.values`, VALUES_REQUIRED))
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (given.length > 0) errors.push(forbiddenField(`${path}.values`, VALUES_FORBIDDEN))
  } else if (operator === 'Gt' || operator === 'Lt') {
    if (given.length !== 1)
      errors.push(
        required(
          `${path}.values`,
          "must be specified single value when `operator` is 'Lt' or 'Gt'",
        ),
      )
  } else errors.push(invalidValue(`${path}.operator`, operator, BAD_OPERATOR))
  return [...errors, ...labelKeyErrors(key, `${path}.key`)]
}

/** Only `metadata.name`. */
function nodeFieldErrors(
  { key = '', operator = '', values }: NodeSelectorRequirement,
  path: string,
): FieldError[] {
  const given = values ?? []
  const errors: FieldError[] = []
  if (operator !== 'In' && operator !== 'NotIn')
    errors.push(invalidValue(`${path}.operator`, operator, BAD_OPERATOR))
  else if (given.length !== 1)
    errors.push(
      required(
        `${path}.values`,
        "must be only one value when `operator` is 'In' or 'NotIn' for node field selector",
      ),
    )
  if (key !== 'metadata.name')
    return [...errors, invalidValue(`${path}.key`, key, 'not a valid field selector key')]
  const problems = given.flatMap((value, i) =>
    dnsSubdomainProblems(value).map((problem) =>
      invalidValue(`${path}.values[${i}]`, value, problem),
    ),
  )
  return [...errors, ...problems]
}

function podAffinityErrors(affinity: PodAffinity | undefined, path: string): FieldError[] {
  return [
    ...(affinity?.[REQUIRED] ?? []).flatMap((term, i) =>
      podTermErrors(term, `${path}.${REQUIRED}[${i}]`),
    ),
    ...(affinity?.[PREFERRED] ?? []).flatMap(({ weight, podAffinityTerm = {} }, i) => {
      const at = `${path}.${PREFERRED}[${i}]`
      return [
        ...weightErrors(weight, at),
        ...podTermErrors(podAffinityTerm, `${at}.podAffinityTerm`),
      ]
    }),
  ]
}

function podTermErrors(term: PodAffinityTerm, path: string): FieldError[] {
  const { topologyKey = '', matchLabelKeys, mismatchLabelKeys, labelSelector } = term
  const errors = [
    ...labelSelectorErrors(labelSelector, `${path}.labelSelector`),
    ...labelSelectorErrors(term.namespaceSelector, `${path}.namespaceSelector`),
  ]
  for (const name of term.namespaces ?? [])
    append(
      errors,
      dnsLabelProblems(name).map((problem) => invalidValue(`${path}.namespace`, name, problem)),
    )
  append(
    errors,
    labelKeyListErrors(matchLabelKeys, labelSelector, `${path}.matchLabelKeys`),
    labelKeyListErrors(mismatchLabelKeys, labelSelector, `${path}.mismatchLabelKeys`),
  )
  append(errors, repeatedKeyErrors(matchLabelKeys ?? [], labelSelector, path))
  for (const [i, key] of (matchLabelKeys ?? []).entries()) {
    if (mismatchLabelKeys?.includes(key))
      errors.push(
        invalidValue(
          `${path}.matchLabelKeys[${i}]`,
          key,
          'exists in both matchLabelKeys and mismatchLabelKeys',
        ),
      )
  }
  if (topologyKey === '') errors.push(required(`${path}.topologyKey`, 'can not be empty'))
  return [...errors, ...labelKeyErrors(topologyKey, `${path}.topologyKey`)]
}

const KEYS_NEED_SELECTOR = 'must not be specified when labelSelector is not set'

/**
 * Keys become requirements of a pod's selector, so another one is an error, except in templates.
 * The path is kube-apiserver's.
 */
function repeatedKeyErrors(
  keys: string[],
  selector: LabelSelectorObject | undefined,
  path: string,
): FieldError[] {
  const seen = new Set(Object.keys(selector?.matchLabels ?? {}))
  return errorsOfItems(selector?.matchExpressions, ({ key = '' }) => {
    const again = seen.has(key) ? keys.lastIndexOf(key) : -1
    seen.add(key)
    return again < 0
      ? []
      : [invalidValue(`${path}[${again}]`, key, 'exists in both matchLabelKeys and labelSelector')]
  })
}

function labelKeyListErrors(
  keys: string[] | null | undefined,
  selector: LabelSelectorObject | undefined,
  path: string,
): FieldError[] {
  if (!keys || keys.length === 0) return []
  if (!selector) return [forbiddenField(path, KEYS_NEED_SELECTOR)]
  return keys.flatMap((key, i) => labelKeyErrors(key, `${path}[${i}]`))
}

const UNSATISFIABLE = ['DoNotSchedule', 'ScheduleAnyway']
const INCLUSION_POLICIES = ['Honor', 'Ignore']
const NOT_POSITIVE = 'must be greater than zero'

export function topologySpreadErrors(
  constraints: TopologySpreadConstraint[],
  path: string,
  { mergesSpreadKeys }: PodValidationOptions,
): FieldError[] {
  return constraints.flatMap((constraint, i) => {
    const at = `${path}[${i}]`
    const {
      maxSkew = 0,
      topologyKey = '',
      whenUnsatisfiable: when = '',
      minDomains,
      labelSelector,
    } = constraint
    const errors: FieldError[] = []
    if (maxSkew <= 0) errors.push(invalidValue(`${at}.maxSkew`, maxSkew, NOT_POSITIVE))
    if (topologyKey === '') errors.push(required(`${at}.topologyKey`, 'can not be empty'))
    if (!UNSATISFIABLE.includes(when))
      errors.push(notSupported(`${at}.whenUnsatisfiable`, when, UNSATISFIABLE))
    if (
      constraints
        .slice(i + 1)
        .some((other) => other.topologyKey === topologyKey && other.whenUnsatisfiable === when)
    )
      errors.push(duplicate(`${at}.{topologyKey, whenUnsatisfiable}`, `{${topologyKey}, ${when}}`))
    if (typeof minDomains === 'number') {
      if (minDomains <= 0) errors.push(invalidValue(`${at}.minDomains`, minDomains, NOT_POSITIVE))
      if (when !== 'DoNotSchedule') {
        const why = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${when}`
        errors.push(invalidValue(`${at}.minDomains`, minDomains, why))
      }
    }
    for (const member of ['nodeAffinityPolicy', 'nodeTaintsPolicy'] as const) {
      const policy = constraint[member]
      if (policy !== undefined && !INCLUSION_POLICIES.includes(policy))
        errors.push(notSupported(`${at}.${member}`, policy, INCLUSION_POLICIES))
    }
    return [
      ...errors,
      ...(mergesSpreadKeys
        ? mergedKeyErrors(constraint, `${at}.matchLabelKeys`)
        : spreadKeyErrors(constraint, `${at}.matchLabelKeys`)),
      ...labelSelectorErrors(labelSelector, `${at}.labelSelector`),
    ]
  })
}

/** As in affinity, the selector has the keys already. */
const mergedKeyErrors = (
  { matchLabelKeys, labelSelector }: TopologySpreadConstraint,
  path: string,
): FieldError[] => [
  ...labelKeyListErrors(matchLabelKeys, labelSelector, path),
  ...repeatedKeyErrors(matchLabelKeys ?? [], labelSelector, path),
]

function spreadKeyErrors(
  { matchLabelKeys, labelSelector }: TopologySpreadConstraint,
  path: string,
): FieldError[] {
  if (!matchLabelKeys?.length) return []
  const { matchLabels, matchExpressions } = labelSelector ?? {}
  const keys = [
    ...Object.keys(matchLabels ?? {}),
    ...(matchExpressions ?? []).map(({ key }) => key ?? ''),
  ]
  const errors = labelSelector ? [] : [forbiddenField(path, KEYS_NEED_SELECTOR)]
  for (const [i, key] of matchLabelKeys.entries()) {
    append(errors, labelKeyErrors(key, `${path}[${i}]`))
    if (keys.includes(key))
      errors.push(
        invalidValue(`${path}[${i}]`, key, 'exists in both matchLabelKeys and labelSelector'),
      )
  }
  return errors
}
