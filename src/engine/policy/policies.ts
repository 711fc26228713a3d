/** Policies and bindings, ready to judge by: what they match, and their expressions compiled when first needed. */
import type { Storage } from '../storage/storage'
import { compileExpression, type Declarations, declareVariables, type Wanted } from './compile'
import type { Prepared } from './evaluate'
import { LiveObjects } from './live'
import { type Criteria, criteriaOf } from './match'
import { type CompiledConditions, compileConditions } from './match-conditions'
import type { FailurePolicy, PolicySpec, ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding, Validation } from './objects'

export interface PreparedPolicy {
  conditions: CompiledConditions
  variables: ReadonlyMap<string, Prepared>
  validations: readonly { validation: Validation; prepared: Prepared }[]
  /** One a validation; undefined where it has none. */
  messages: readonly (Prepared | undefined)[]
  auditAnnotations: readonly { key: string; prepared: Prepared }[]
}

export class Policy {
  readonly name: string
  readonly spec: PolicySpec
  readonly criteria: Criteria
  private compiled: PreparedPolicy | undefined

  constructor({ metadata, spec = {} }: ValidatingAdmissionPolicy) {
    this.name = metadata.name ?? ''
    this.spec = spec
    this.criteria = criteriaOf(spec.matchConstraints ?? {})
  }

  get failurePolicy(): FailurePolicy {
    return this.spec.failurePolicy === 'Ignore' ? 'Ignore' : 'Fail'
  }

  get prepared(): PreparedPolicy {
    this.compiled ??= prepare(this.spec)
    return this.compiled
  }
}

function prepare({ paramKind, matchConditions, variables, validations, auditAnnotations }: PolicySpec): PreparedPolicy {
  const declared: Declarations = { params: Boolean(paramKind), authorizer: true }
  const { compiled, declared: all } = declareVariables(variables ?? [], declared)
  const preparedVariables = new Map(compiled.map(({ name, ...variable }) => [name, variable]))
  const ready = (expression: string, wanted: Wanted, of: Declarations): Prepared => ({
    expression,
    compiled: compileExpression(expression, wanted, of),
  })
  return {
    conditions: compileConditions(matchConditions ?? [], declared),
    variables: preparedVariables,
    validations: (validations ?? []).map((validation) => ({ validation, prepared: ready(validation.expression ?? '', 'bool', all) })),
    messages: (validations ?? []).map(({ messageExpression }) =>
      messageExpression ? ready(messageExpression, 'string', { ...all, authorizer: false }) : undefined,
    ),
    auditAnnotations: (auditAnnotations ?? []).map(({ key = '', valueExpression = '' }) => ({
      key,
      prepared: ready(valueExpression.trim(), 'string or null', all),
    })),
  }
}

export interface Binding {
  name: string
  spec: NonNullable<ValidatingAdmissionPolicyBinding['spec']>
  criteria: Criteria
}

export function policiesIn(storage: Storage): LiveObjects<Policy> {
  return new LiveObjects(storage, '/registry/validatingadmissionpolicies/', (object) => new Policy(object as ValidatingAdmissionPolicy))
}

export function bindingsIn(storage: Storage): LiveObjects<Binding> {
  return new LiveObjects<Binding>(storage, '/registry/validatingadmissionpolicybindings/', (object) => {
    const { metadata, spec = {} } = object as ValidatingAdmissionPolicyBinding
    return { name: metadata.name ?? '', spec, criteria: criteriaOf(spec.matchResources ?? {}) }
  })
}
