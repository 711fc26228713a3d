/**
 * Rules of ValidatingAdmissionPolicies. Recorded from kube-apiserver 1.31 (`policy-create`,
 * `kinds-admissionregistration`).
 */
import type { FieldError } from '../../http/status'
import { type Declarations, type Era, VariableScope } from '../../policy/compile'
import type {
  AuditAnnotation,
  ParamKind,
  PolicySpec,
  ValidatingAdmissionPolicy,
  Validation,
  Variable,
} from '../../policy/objects'
import { goTrim } from '../../schema/go-text'
import {
  duplicate,
  invalidNamed,
  invalidValue,
  notSupported,
  required,
} from '../../validation/field-errors'
import { invalidStructures } from '../../validation/go-literal'
import {
  byteLength,
  dns1035LabelProblems,
  dnsSubdomainProblems,
  qualifiedNameProblems,
} from '../../validation/names'
import { expressionErrors, isIdentifier, variableErrors } from './expressions'
import { matchConditionErrors } from './match-conditions'
import { FAILURE_POLICIES, matchResourcesErrors, supportedErrors } from './rules'

const REASONS = ['Forbidden', 'Invalid', 'RequestEntityTooLarge']
const MAX_AUDIT_ANNOTATIONS = 20
const MAX_VALUE_EXPRESSION_BYTES = 5 * 1024
const NOTHING = 'validations or auditAnnotations must contain at least one item'

/** @param old its expressions compile as stored ones */
export function policyErrors(
  policy: ValidatingAdmissionPolicy,
  old: ValidatingAdmissionPolicy | undefined,
  release: string,
): FieldError[] {
  const spec = policy.spec ?? {}
  const {
    paramKind,
    failurePolicy,
    matchConstraints,
    matchConditions,
    variables,
    validations,
    auditAnnotations,
  } = spec
  const kept = expressionsOf(old?.spec)
  const era: Era = (expression) => (kept.has(expression) ? 'stored' : 'new')
  const declared: Declarations = { params: Boolean(paramKind), authorizer: true, release }
  const scope = new VariableScope()
  const errors = [
    ...supportedErrors(failurePolicy, FAILURE_POLICIES, 'spec.failurePolicy'),
    ...(paramKind ? paramKindErrors(paramKind, 'spec.paramKind') : []),
    ...(matchConstraints
      ? matchResourcesErrors(matchConstraints, 'spec.matchConstraints')
      : [required('spec.matchConstraints')]),
    ...(matchConstraints && !matchConstraints.resourceRules?.length
      ? [required('spec.matchConstraints.resourceRules')]
      : []),
    ...matchConditionErrors(
      matchConditions,
      old && (old.spec?.matchConditions ?? []),
      declared,
      'spec.matchConditions',
      era,
    ),
    ...(variables ?? []).flatMap((variable, i) =>
      variableRuleErrors(variable, scope, declared, `spec.variables[${i}]`, era),
    ),
  ]
  if (!validations?.length && !auditAnnotations?.length)
    return [
      ...errors,
      required('spec.validations', NOTHING),
      required('spec.auditAnnotations', NOTHING),
    ]
  const withVariables: Declarations = variables?.length
    ? { ...declared, variables: scope }
    : declared
  return [
    ...errors,
    ...(validations ?? []).flatMap((validation, i) =>
      validationErrors(validation, withVariables, `spec.validations[${i}]`, era),
    ),
    ...auditAnnotationsErrors(
      auditAnnotations ?? [],
      policy.metadata.name ?? '',
      withVariables,
      'spec.auditAnnotations',
      era,
    ),
  ]
}

const MUST_NOT_BE_BLANK = { name: 'message', why: 'must be non-empty if specified' }
const MUST_BE_ONE_LINE = { name: 'message', why: 'must not contain line breaks' }

function expressionsOf(spec: PolicySpec | undefined): Set<string> {
  const { matchConditions, variables, validations, auditAnnotations } = spec ?? {}
  return new Set([
    ...(matchConditions ?? []).map(({ expression }) => expression ?? ''),
    ...(variables ?? []).map(({ expression }) => expression ?? ''),
    ...(validations ?? []).flatMap(({ expression, messageExpression }) => [
      expression ?? '',
      messageExpression ?? '',
    ]),
    ...(auditAnnotations ?? []).map(({ valueExpression }) => valueExpression ?? ''),
  ])
}

export function paramKindErrors(
  { apiVersion = '', kind = '' }: ParamKind,
  path: string,
): FieldError[] {
  const label = dns1035LabelProblems(kind.toLowerCase()).join(',')
  return [
    ...(apiVersion === ''
      ? [required(`${path}.apiVersion`)]
      : groupVersionErrors(apiVersion, `${path}.apiVersion`)),
    ...(kind === '' ? [required(`${path}.kind`)] : []),
    ...(kind !== '' && label !== ''
      ? [
          invalidValue(
            `${path}.kind`,
            kind,
            `may have mixed case, but should otherwise match: ${label}`,
          ),
        ]
      : []),
  ]
}

function groupVersionErrors(apiVersion: string, path: string): FieldError[] {
  const parts = apiVersion.split('/')
  if (parts.length > 2)
    return [invalidValue(path, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)]
  const [group, version] = parts.length === 2 ? (parts as [string, string]) : ['', apiVersion]
  const groupProblems = group === '' ? [] : dnsSubdomainProblems(group)
  const versionProblems = dns1035LabelProblems(version)
  return [
    ...(groupProblems.length > 0 ? [invalidValue(path, group, groupProblems.join(','))] : []),
    ...(version === '' ? [invalidValue(path, apiVersion, 'version must be specified')] : []),
    ...(version !== '' && versionProblems.length > 0
      ? [invalidValue(path, version, versionProblems.join(','))]
      : []),
  ]
}

export function variableRuleErrors(
  variable: Variable,
  scope: VariableScope,
  declared: Declarations,
  path: string,
  era: Era,
): FieldError[] {
  const { name = '', expression = '' } = variable
  const nameless = goTrim(name) === ''
  return [
    ...(nameless ? [required(`${path}.name`, 'name is not specified')] : []),
    ...(nameless || isIdentifier(name)
      ? []
      : [
          invalidNamed(`${path}.name`, name, {
            why: 'must be a valid CEL identifier',
            was: 'name is not a valid CEL identifier',
          }),
        ]),
    ...(goTrim(expression) === ''
      ? [required(`${path}.expression`, 'expression is not specified')]
      : variableErrors(name, expression, scope, declared, `${path}.expression`, era)),
  ]
}

function validationErrors(
  validation: Validation,
  declared: Declarations,
  path: string,
  era: Era,
): FieldError[] {
  const { expression = '', message = '', messageExpression = '', reason } = validation
  return [
    ...(goTrim(expression) === ''
      ? [required(`${path}.expression`, 'expression is not specified')]
      : expressionErrors(expression, 'bool', declared, `${path}.expression`, era)),
    ...messageExpressionErrors(messageExpression, declared, `${path}.messageExpression`, era),
    ...(message !== '' && goTrim(message) === ''
      ? [invalidNamed(`${path}.message`, message, MUST_NOT_BE_BLANK)]
      : []),
    ...(/[\n\r]/.test(goTrim(message))
      ? [invalidNamed(`${path}.message`, message, MUST_BE_ONE_LINE)]
      : []),
    ...(reason === undefined || REASONS.includes(reason)
      ? []
      : [notSupported(`${path}.reason`, reason, REASONS)]),
  ]
}

/** No authorizer, so that messages do not depend on permissions. */
function messageExpressionErrors(
  expression: string,
  declared: Declarations,
  path: string,
  era: Era,
): FieldError[] {
  if (expression === '') return []
  if (goTrim(expression) === '')
    return [invalidValue(path, expression, 'must be non-empty if specified')]
  return expressionErrors(expression, 'string', { ...declared, authorizer: false }, path, era)
}

function auditAnnotationsErrors(
  annotations: readonly AuditAnnotation[],
  policy: string,
  declared: Declarations,
  path: string,
  era: Era,
): FieldError[] {
  const why = `must not have more than ${MAX_AUDIT_ANNOTATIONS} auditAnnotations`
  return [
    ...(annotations.length > MAX_AUDIT_ANNOTATIONS
      ? [invalidStructures(path, 'admissionregistration.v1.AuditAnnotation', annotations, why)]
      : []),
    ...annotations.flatMap((annotation, i) => [
      ...auditAnnotationErrors(annotation, policy, declared, `${path}[${i}]`, era),
      ...(annotations.findIndex(({ key }) => key === annotation.key) < i
        ? [duplicate(`${path}[${i}].key`, annotation.key ?? '')]
        : []),
    ]),
  ]
}

function auditAnnotationErrors(
  { key = '', valueExpression = '' }: AuditAnnotation,
  policy: string,
  declared: Declarations,
  path: string,
  era: Era,
): FieldError[] {
  const qualified = `${policy}/${key}`
  const expression = goTrim(valueExpression)
  const at = `${path}.valueExpression`
  return [
    ...(policy === ''
      ? [invalidValue(`${path}.key`, key, 'requires metadata.name be non-empty')]
      : qualifiedNameProblems(qualified).map((problem) =>
          invalidValue(`${path}.key`, qualified, problem),
        )),
    ...(expression === '' ? [required(at, 'valueExpression is not specified')] : []),
    ...(byteLength(expression) > MAX_VALUE_EXPRESSION_BYTES
      ? [required(at, `must not exceed ${MAX_VALUE_EXPRESSION_BYTES} bytes in length`)]
      : expression === ''
        ? []
        : expressionErrors(expression, 'string or null', declared, at, era, valueExpression)),
  ]
}
