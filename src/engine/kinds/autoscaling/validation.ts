/** Validates HorizontalPodAutoscalers. Recorded from kube-apiserver 1.31. */

import { append } from '../../core/lists'
import { entryOf, isJsonObject, type Json, type JsonObject } from '../../core/object'
import type { FieldError } from '../../http/status'
import {
  canonicalQuantity,
  compareQuantities,
  parseQuantity,
  ZERO_QUANTITY,
} from '../../schema/quantity'
import { forbiddenField, invalidValue, notSupported, required } from '../../validation/field-errors'
import { dnsLabelProblems, pathSegment } from '../../validation/names'
import { invalidQuantity } from '../../validation/quantities'
import { containerResourceErrors } from '../../validation/resource-names'

const MAX_WINDOW_SECONDS = 3600
const MAX_PERIOD_SECONDS = 1800

const structOf = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {})
const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '')
const isSet = (value: Json | undefined): boolean => value !== undefined && value !== null
const listOf = (value: Json | undefined): JsonObject[] =>
  Array.isArray(value) ? value.map((item) => structOf(item)) : []

/** What apiVersion must name; the core group has no name. */
type GroupRule = 'a group' | 'any group'

export interface AutoscalerRules {
  /** Of minReplicas: 0 with `HPAScaleToZero`, or if stored. */
  fewest: 0 | 1
  /** maxReplicas 0 is unset. */
  zeroIsUnset: boolean
  /** Absent: no check of scaleTargetRef. */
  target?: GroupRule
  /** For objects that metrics describe. */
  described?: GroupRule
}

export const targetOf = (reference: Json | undefined): { apiVersion: string; kind: string } => {
  const { apiVersion, kind } = structOf(reference)
  return { apiVersion: textOf(apiVersion), kind: textOf(kind) }
}

export const describedObjects = (spec: JsonObject): { apiVersion: string; kind: string }[] =>
  listOf(spec.metrics)
    .filter(({ type, object }) => type === 'Object' && isJsonObject(object))
    .map(({ object }) => targetOf(structOf(object).describedObject))

/** @returns undefined if valid */
export function versionProblem(apiVersion: string, rule: GroupRule): string | undefined {
  const parts = apiVersion === '/' ? [''] : apiVersion.split('/')
  if (parts.length > 2) return `unexpected GroupVersion string: ${apiVersion}`
  const isUngrouped = parts.length === 1 || parts[0] === ''
  return rule === 'a group' && isUngrouped ? 'apiVersion must specify API group' : undefined
}

export function validateAutoscalerSpec(
  spec: JsonObject,
  { fewest, zeroIsUnset, target, described }: AutoscalerRules,
): FieldError[] {
  const { minReplicas: least, maxReplicas } = spec
  const most = typeof maxReplicas === 'number' ? maxReplicas : 0
  const errors: FieldError[] = []
  if (typeof least === 'number' && least < fewest)
    errors.push(
      invalidValue('spec.minReplicas', least, `must be greater than or equal to ${fewest}`),
    )
  append(errors, maximumErrors(most, zeroIsUnset))
  if (typeof least === 'number' && most < least)
    errors.push(
      invalidValue('spec.maxReplicas', most, 'must be greater than or equal to `minReplicas`'),
    )
  const behavior = structOf(spec.behavior)
  return [
    ...errors,
    ...referenceErrors(structOf(spec.scaleTargetRef), 'spec.scaleTargetRef', target),
    ...metricsErrors(listOf(spec.metrics), least === 0, described),
    ...['scaleUp', 'scaleDown'].flatMap((direction) =>
      rulesErrors(behavior[direction], `spec.behavior.${direction}`),
    ),
  ]
}

function maximumErrors(most: number, zeroIsUnset: boolean): FieldError[] {
  const field = 'spec.maxReplicas'
  if (most >= 1) return []
  if (!zeroIsUnset) return [invalidValue(field, most, 'must be greater than 0')]
  return most === 0
    ? [required(field, 'must be set and greater than 0')]
    : [invalidValue(field, most, 'must be greater than or equal to 1')]
}

export function validateAutoscalerStatus(status: JsonObject): FieldError[] {
  return ['currentReplicas', 'desiredReplicas'].flatMap((member) => {
    const replicas = status[member]
    if (typeof replicas !== 'number' || replicas >= 0) return []
    return [invalidValue(`status.${member}`, replicas, 'must be greater than or equal to 0')]
  })
}

function segmentErrors(field: string, name: string, why = ''): FieldError[] {
  if (name === '') return [required(field, why)]
  return pathSegment(name, false).map((problem) => invalidValue(field, name, problem))
}

function referenceErrors(reference: JsonObject, path: string, rule?: GroupRule): FieldError[] {
  const { apiVersion } = targetOf(reference)
  const problem = rule && versionProblem(apiVersion, rule)
  return [
    ...['kind', 'name'].flatMap((member) =>
      segmentErrors(`${path}.${member}`, textOf(reference[member])),
    ),
    ...(problem ? [invalidValue(`${path}.apiVersion`, apiVersion, problem)] : []),
  ]
}

/** In kube-apiserver's order. */
const MEMBER_OF: Record<string, string> = {
  Object: 'object',
  External: 'external',
  Pods: 'pods',
  Resource: 'resource',
  ContainerResource: 'containerResource',
}
const SOURCE_TYPES = Object.keys(MEMBER_OF).sort()

function metricsErrors(
  metrics: JsonObject[],
  toZero: boolean,
  described?: GroupRule,
): FieldError[] {
  const errors = metrics.flatMap((metric, index) =>
    metricErrors(metric, `spec.metrics[${index}]`, described),
  )
  if (toZero && !metrics.some(({ type }) => type === 'Object' || type === 'External'))
    errors.push(
      forbiddenField(
        'spec.metrics',
        'must specify at least one Object or External metric to support scaling to zero replicas',
      ),
    )
  return errors
}

function metricErrors(metric: JsonObject, path: string, described?: GroupRule): FieldError[] {
  const type = textOf(metric.type)
  const errors: FieldError[] = []
  if (type === '') errors.push(required(`${path}.type`, 'must specify a metric source type'))
  if (!SOURCE_TYPES.includes(type)) errors.push(notSupported(`${path}.type`, type, SOURCE_TYPES))
  const present = Object.values(MEMBER_OF).filter((member) => isJsonObject(metric[member]))
  const [first] = present
  if (first !== undefined)
    append(errors, sourceErrors(first, structOf(metric[first]), `${path}.${first}`, described))
  const expected = entryOf(MEMBER_OF, type)
  // Unknown types are reported twice.
  if (expected === undefined) errors.push(notSupported(`${path}.type`, type, SOURCE_TYPES))
  if (expected !== undefined && !present.includes(expected))
    errors.push(
      required(`${path}.${expected}`, 'must populate information for the given metric source'),
    )
  if (present.length > 1) {
    const others = present.filter((member) => member !== expected)
    append(
      errors,
      others.map((member) =>
        forbiddenField(`${path}.${member}`, 'must populate the given metric source only'),
      ),
    )
  }
  return errors
}

function sourceErrors(
  member: string,
  source: JsonObject,
  path: string,
  described?: GroupRule,
): FieldError[] {
  const target = structOf(source.target)
  const metric = () =>
    segmentErrors(
      `${path}.metric.name`,
      textOf(structOf(source.metric).name),
      'must specify a metric name',
    )
  const errors = targetErrors(target, `${path}.target`)
  switch (member) {
    case 'object':
      return [
        ...referenceErrors(structOf(source.describedObject), `${path}.describedObject`, described),
        ...metric(),
        ...errors,
        ...(isSet(target.value) || isSet(target.averageValue)
          ? []
          : [
              required(
                `${path}.target.averageValue`,
                'must set either a target value or averageValue',
              ),
            ]),
      ]
    case 'external':
      return [...metric(), ...errors, ...externalErrors(target, path)]
    case 'pods':
      return [
        ...metric(),
        ...errors,
        ...(isSet(target.averageValue)
          ? []
          : [
              required(
                `${path}.target.averageValue`,
                'must specify a positive target averageValue',
              ),
            ]),
      ]
    default:
      return [
        ...resourceErrors(member, source, path),
        ...errors,
        ...utilizationErrors(target, path),
      ]
  }
}

function externalErrors({ value, averageValue }: JsonObject, path: string): FieldError[] {
  if (!isSet(value) && !isSet(averageValue))
    return [
      required(
        `${path}.target.averageValue`,
        'must set either a target value for metric or a per-pod target',
      ),
    ]
  if (isSet(value) && isSet(averageValue))
    return [
      forbiddenField(
        `${path}.target.value`,
        'may not set both a target value for metric and a per-pod target',
      ),
    ]
  return []
}

function resourceErrors(member: string, source: JsonObject, path: string): FieldError[] {
  const [name, container] = [textOf(source.name), textOf(source.container)]
  const unnamed = name === '' ? [required(`${path}.name`, 'must specify a resource name')] : []
  if (member !== 'containerResource') return unnamed
  const ofContainer = dnsLabelProblems(container).map((problem) =>
    invalidValue(`${path}.container`, container, problem),
  )
  return [
    ...(name === '' ? unnamed : containerResourceErrors(`${path}.name`, name, invalidValue)),
    ...(container === ''
      ? [required(`${path}.container`, 'must specify a container')]
      : ofContainer),
  ]
}

function utilizationErrors(
  { averageUtilization, averageValue }: JsonObject,
  path: string,
): FieldError[] {
  if (!isSet(averageUtilization) && !isSet(averageValue))
    return [
      required(
        `${path}.target.averageUtilization`,
        'must set either a target raw value or a target utilization',
      ),
    ]
  if (isSet(averageUtilization) && isSet(averageValue))
    return [
      forbiddenField(
        `${path}.target.averageValue`,
        'may not set both a target raw value and a target utilization',
      ),
    ]
  return []
}

function targetErrors(target: JsonObject, path: string): FieldError[] {
  const type = textOf(target.type)
  const errors: FieldError[] = []
  if (type === '') errors.push(required(`${path}.type`, 'must specify a metric target type'))
  if (!['Utilization', 'Value', 'AverageValue'].includes(type))
    errors.push(
      invalidValue(`${path}.type`, type, 'must be either Utilization, Value, or AverageValue'),
    )
  for (const member of ['value', 'averageValue']) {
    const amount = target[member]
    if (isSet(amount) && !isPositive(amount))
      errors.push(invalidQuantity(`${path}.${member}`, String(amount), 'must be positive'))
  }
  const { averageUtilization } = target
  if (typeof averageUtilization === 'number' && averageUtilization < 1)
    errors.push(
      invalidValue(`${path}.averageUtilization`, averageUtilization, 'must be greater than 0'),
    )
  return errors
}

const isPositive = (amount: Json | undefined): boolean =>
  isSet(amount) && compareQuantities(parseQuantity(String(amount)), ZERO_QUANTITY) > 0

function rulesErrors(rules: Json | undefined, path: string): FieldError[] {
  if (!isJsonObject(rules)) return []
  const { stabilizationWindowSeconds: window, selectPolicy } = rules
  const errors: FieldError[] = []
  const windowField = `${path}.stabilizationWindowSeconds`
  if (typeof window === 'number' && window < 0)
    errors.push(invalidValue(windowField, window, 'must be greater than or equal to zero'))
  if (typeof window === 'number' && window > MAX_WINDOW_SECONDS)
    errors.push(
      invalidValue(windowField, window, `must be less than or equal to ${MAX_WINDOW_SECONDS}`),
    )
  const choices = ['Disabled', 'Max', 'Min']
  if (isSet(selectPolicy) && !choices.includes(textOf(selectPolicy)))
    errors.push(notSupported(`${path}.selectPolicy`, selectPolicy, choices))
  const policies = listOf(rules.policies)
  if (policies.length === 0)
    errors.push(required(`${path}.policies`, 'must specify at least one Policy'))
  return [
    ...errors,
    ...policies.flatMap((policy, index) => policyErrors(policy, `${path}.policies[${index}]`)),
    ...toleranceErrors(rules.tolerance, `${path}.tolerance`),
  ]
}

function toleranceErrors(tolerance: Json | undefined, field: string): FieldError[] {
  if (!isSet(tolerance)) return []
  const text = String(tolerance)
  return compareQuantities(parseQuantity(text), ZERO_QUANTITY) < 0
    ? [invalidValue(field, canonicalQuantity(text), 'must be greater than or equal to 0')]
    : []
}

function policyErrors({ type, value, periodSeconds }: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = []
  const types = ['Percent', 'Pods']
  if (!types.includes(textOf(type))) errors.push(notSupported(`${path}.type`, textOf(type), types))
  const amount = typeof value === 'number' ? value : 0
  const period = typeof periodSeconds === 'number' ? periodSeconds : 0
  if (amount <= 0) errors.push(invalidValue(`${path}.value`, amount, 'must be greater than zero'))
  if (period <= 0)
    errors.push(invalidValue(`${path}.periodSeconds`, period, 'must be greater than zero'))
  if (period > MAX_PERIOD_SECONDS)
    errors.push(
      invalidValue(
        `${path}.periodSeconds`,
        period,
        `must be less than or equal to ${MAX_PERIOD_SECONDS}`,
      ),
    )
  return errors
}
