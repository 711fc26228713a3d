/** Rules of bindings of admission policies. Recorded from kube-apiserver 1.31 (`policy-create`). */

import type { FieldError } from '../../http/status'
import type { BindingSpec, ParamRef } from '../../policy/objects'
import type { Changes } from '../../release-tables/changes'
import { repeatsIn } from '../../schema/repeats'
import {
  duplicate,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
} from '../../validation/field-errors'
import { invalidTypedList } from '../../validation/go-literal'
import { labelSelectorErrors } from '../../validation/label-selectors'
import { dnsSubdomainProblems, pathSegment } from '../../validation/names'
import { matchResourcesErrors } from './rules'

const ACTIONS = ['Audit', 'Deny', 'Warn']
const NOT_FOUND_ACTIONS = ['Deny', 'Allow']
const EITHER = 'name and selector are mutually exclusive'

export function bindingErrors(spec: BindingSpec, changes: Changes): FieldError[] {
  // Earlier releases misspell the path.
  const path = changes.has('MatchResourcesSpelled') ? 'matchResources' : 'matchResouces'
  return [
    ...matchedErrors(spec, `spec.${path}`),
    ...actionErrors(spec.validationActions ?? [], 'spec.validationActions'),
  ]
}

export function matchedErrors(
  { policyName = '', paramRef, matchResources }: BindingSpec,
  resources: string,
): FieldError[] {
  const path = 'spec.policyName'
  return [
    ...(policyName === ''
      ? [required(path)]
      : dnsSubdomainProblems(policyName).map((problem) => invalidValue(path, policyName, problem))),
    ...(paramRef ? paramRefErrors(paramRef, 'spec.paramRef') : []),
    ...(matchResources ? matchResourcesErrors(matchResources, resources) : []),
  ]
}

function paramRefErrors(
  { name = '', selector, parameterNotFoundAction: action = '' }: ParamRef,
  path: string,
): FieldError[] {
  const both = name !== '' && selector
  return [
    ...(name === ''
      ? []
      : pathSegment(name, false).map((problem) => invalidValue(`${path}.name`, name, problem))),
    ...(both ? [forbiddenField(`${path}.name`, EITHER)] : []),
    ...labelSelectorErrors(selector, `${path}.selector`),
    ...(both ? [forbiddenField(`${path}.selector`, EITHER)] : []),
    ...(name === '' && !selector
      ? [required(path, 'one of name or selector must be specified')]
      : []),
    ...(action === '' ? [required(`${path}.parameterNotFoundAction`)] : []),
    ...(action === '' || NOT_FOUND_ACTIONS.includes(action)
      ? []
      : [notSupported(`${path}.parameterNotFoundAction`, action, NOT_FOUND_ACTIONS)]),
  ]
}

function actionErrors(actions: readonly string[], path: string): FieldError[] {
  if (actions.length === 0) return [required(path, 'at least one validation action is required')]
  const why =
    'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)'
  const isRepeat = repeatsIn(actions)
  return [
    ...actions.flatMap((action, i) => [
      ...(ACTIONS.includes(action) ? [] : [notSupported(`${path}[${i}]`, action, ACTIONS)]),
      ...(isRepeat(i) ? [duplicate(`${path}[${i}]`, action)] : []),
    ]),
    ...(actions.includes('Deny') && actions.includes('Warn')
      ? [invalidTypedList(path, 'admissionregistration.ValidationAction', actions, why)]
      : []),
  ]
}
