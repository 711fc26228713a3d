/**
 * Rules of MutatingAdmissionPolicies. See kubernetes/kubernetes,
 * pkg/apis/admissionregistration/validation/validation.go.
 */
import type { FieldError } from '../../http/status'
import { type Declarations, type Era, VariableScope, type Wanted } from '../../policy/compile'
import type {
  BindingSpec,
  MutatingAdmissionPolicy,
  Mutation,
  PolicySpec,
  Rule,
} from '../../policy/objects'
import { goTrim } from '../../schema/go-text'
import { invalidValue, notSupported, required } from '../../validation/field-errors'
import { matchedErrors } from './bindings'
import { expressionErrors } from './expressions'
import { matchConditionErrors } from './match-conditions'
import { paramKindErrors, variableRuleErrors } from './policies'
import { FAILURE_POLICIES, matchResourcesErrors, supportedErrors } from './rules'

/** DELETE has no object to mutate. */
const OPERATIONS = ['*', 'CONNECT', 'CREATE', 'UPDATE']
const REINVOCATION_POLICIES = ['IfNeeded', 'Never']
const PATCH_TYPES = ['ApplyConfiguration', 'JSONPatch']

/** @param old its expressions compile as stored ones */
export function mutatingPolicyErrors(
  policy: MutatingAdmissionPolicy,
  old: MutatingAdmissionPolicy | undefined,
  release: string,
): FieldError[] {
  const { paramKind, failurePolicy, matchConstraints, ...rest } = policy.spec ?? {}
  const { matchConditions, variables, mutations, reinvocationPolicy = '' } = rest
  const kept = expressionsOf(old?.spec)
  const era: Era = (expression) => (kept.has(expression) ? 'stored' : 'new')
  const declared: Declarations = { params: Boolean(paramKind), authorizer: true, release }
  const scope = new VariableScope()
  const patching: Declarations = { ...declared, variables: scope, patchTypes: true }
  return [
    ...supportedErrors(failurePolicy, FAILURE_POLICIES, 'spec.failurePolicy'),
    ...(paramKind ? paramKindErrors(paramKind, 'spec.paramKind') : []),
    ...(matchConstraints
      ? matchResourcesErrors(matchConstraints, 'spec.matchConstraints')
      : [required('spec.matchConstraints')]),
    ...(matchConstraints && !matchConstraints.resourceRules?.length
      ? [required('spec.matchConstraints.resourceRules')]
      : []),
    ...operationErrors(matchConstraints?.resourceRules, 'spec.matchConstraints'),
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
    ...(mutations?.length
      ? []
      : [required('spec.mutations', 'mutations must contain at least one item')]),
    ...(mutations ?? []).flatMap((mutation, i) =>
      mutationErrors(mutation, patching, `spec.mutations[${i}]`, era),
    ),
    ...(reinvocationPolicy === ''
      ? [required('spec.reinvocationPolicy')]
      : supportedErrors(reinvocationPolicy, REINVOCATION_POLICIES, 'spec.reinvocationPolicy')),
  ]
}

export function mutatingBindingErrors(spec: BindingSpec): FieldError[] {
  const { matchResources } = spec
  return [
    ...matchedErrors(spec, 'spec.matchResources'),
    ...operationErrors(matchResources?.resourceRules, 'spec.matchResources'),
  ]
}

function expressionsOf(spec: PolicySpec | undefined): Set<string> {
  const { matchConditions, variables, mutations } = spec ?? {}
  return new Set([
    ...(matchConditions ?? []).map(({ expression }) => expression ?? ''),
    ...(variables ?? []).map(({ expression }) => expression ?? ''),
    ...(mutations ?? []).flatMap(({ applyConfiguration, jsonPatch }) => [
      goTrim(applyConfiguration?.expression ?? ''),
      goTrim(jsonPatch?.expression ?? ''),
    ]),
  ])
}

function operationErrors(rules: readonly Rule[] | null | undefined, path: string): FieldError[] {
  return (rules ?? []).flatMap(({ operations }) =>
    (operations ?? []).flatMap((operation) =>
      supportedErrors(operation, OPERATIONS, `${path}.resourceRules.operations`),
    ),
  )
}

const PATCHES = {
  JSONPatch: { own: 'jsonPatch', other: 'applyConfiguration', wanted: 'list(JSONPatch)' },
  ApplyConfiguration: { own: 'applyConfiguration', other: 'jsonPatch', wanted: 'Object' },
} as const satisfies Record<string, { own: keyof Mutation; other: keyof Mutation; wanted: Wanted }>

function mutationErrors(
  mutation: Mutation,
  declared: Declarations,
  path: string,
  era: Era,
): FieldError[] {
  const { patchType = '' } = mutation
  if (patchType === '') return [required(`${path}.patchType`)]
  if (patchType !== 'JSONPatch' && patchType !== 'ApplyConfiguration')
    return [notSupported(`${path}.patchType`, patchType, PATCH_TYPES)]
  const { own, other, wanted } = PATCHES[patchType]
  const patch = mutation[own]
  const expression = goTrim(patch?.expression ?? '')
  const at = `${path}.${own}.expression`
  return [
    ...(patch
      ? expression === ''
        ? [required(at)]
        : expressionErrors(expression, wanted, declared, at, era)
      : [required(`${path}.${own}`, `must be specified when patchType is ${patchType}`)]),
    ...(mutation[other]
      ? [
          invalidValue(
            `${path}.${other}`,
            `{${other}}`,
            `must not be specified when patchType is ${patchType}`,
          ),
        ]
      : []),
  ]
}
