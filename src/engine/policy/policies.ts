/** Expressions are compiled on first use. */
import { visit } from '../cel/syntax/visit'
import { goTrim } from '../schema/go-text'
import { LiveObjects } from '../storage/live-objects'
import type { Storage } from '../storage/storage'
import {
  compileExpression,
  type Declarations,
  declareVariables,
  VariableScope,
  type Wanted,
} from './compile'
import type { Prepared } from './evaluate'
import { type Criteria, criteriaOf } from './match'
import { type CompiledConditions, compileConditions } from './match-conditions'
import type {
  FailurePolicy,
  MutatingAdmissionPolicy,
  PolicySpec,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  Validation,
} from './objects'

export interface PreparedPolicy {
  mutations: readonly { patchType: string | undefined; prepared: Prepared }[]
  conditions: CompiledConditions
  variables: ReadonlyMap<string, Prepared>
  validations: readonly { validation: Validation; prepared: Prepared }[]
  expressions: readonly Prepared[]
  /** Undefined without messageExpression. */
  messages: readonly (Prepared | undefined)[]
  hasMessages: boolean
  auditAnnotations: readonly { key: string; prepared: Prepared }[]
  usesNamespace: boolean
}

export class Policy {
  readonly name: string
  readonly spec: PolicySpec
  readonly criteria: Criteria
  private compiled: PreparedPolicy | undefined

  constructor(
    { metadata, spec = {} }: ValidatingAdmissionPolicy | MutatingAdmissionPolicy,
    private readonly declared: Pick<Declarations, 'strictCost' | 'release'>,
  ) {
    this.name = metadata.name ?? ''
    this.spec = spec
    this.criteria = criteriaOf(spec.matchConstraints ?? {})
  }

  get failurePolicy(): FailurePolicy {
    return this.spec.failurePolicy === 'Ignore' ? 'Ignore' : 'Fail'
  }

  get prepared(): PreparedPolicy {
    this.compiled ??= prepare(this.spec, this.declared)
    return this.compiled
  }
}

function prepare(
  spec: PolicySpec,
  server: Pick<Declarations, 'strictCost' | 'release'>,
): PreparedPolicy {
  const { paramKind, matchConditions, variables, validations, auditAnnotations, mutations } = spec
  const declared: Declarations = { params: Boolean(paramKind), authorizer: true, ...server }
  const { compiled, declared: all } = declareVariables(variables ?? [], declared)
  const preparedVariables = new Map(compiled.map(({ name, ...variable }) => [name, variable]))
  const ready = (expression: string, wanted: Wanted, of: Declarations): Prepared => ({
    expression,
    compiled: compileExpression(expression, wanted, of),
  })
  const policy = {
    mutations: (mutations ?? []).map(({ patchType, applyConfiguration, jsonPatch }) => {
      const isJson = patchType === 'JSONPatch'
      const { expression = '' } = (isJson ? jsonPatch : applyConfiguration) ?? {}
      return {
        patchType,
        prepared: ready(goTrim(expression), isJson ? 'list(JSONPatch)' : 'Object', patching(all)),
      }
    }),
    conditions: compileConditions(matchConditions ?? [], declared),
    variables: preparedVariables,
    validations: (validations ?? []).map((validation) => ({
      validation,
      prepared: ready(validation.expression ?? '', 'bool', all),
    })),
    messages: (validations ?? []).map(({ messageExpression }) =>
      messageExpression
        ? ready(messageExpression, 'string', { ...all, authorizer: false })
        : undefined,
    ),
    auditAnnotations: (auditAnnotations ?? []).map(({ key = '', valueExpression = '' }) => ({
      key,
      prepared: ready(goTrim(valueExpression), 'string or null', all),
    })),
  }
  const expressions = policy.validations.map(({ prepared }) => prepared)
  const hasMessages = policy.messages.some((message) => message !== undefined)
  return {
    ...policy,
    expressions,
    hasMessages,
    usesNamespace: expressionsOf(policy).some(mentionsNamespace),
  }
}

function expressionsOf(
  policy: Pick<
    PreparedPolicy,
    'mutations' | 'conditions' | 'variables' | 'validations' | 'messages' | 'auditAnnotations'
  >,
): Prepared[] {
  const { mutations, conditions, variables, validations, messages, auditAnnotations } = policy
  const inPairs = [...mutations, ...validations, ...auditAnnotations].map(
    ({ prepared }) => prepared,
  )
  return [
    ...conditions,
    ...variables.values(),
    ...inPairs,
    ...messages.filter((message) => message !== undefined),
  ]
}

function mentionsNamespace({ compiled: { program } }: Prepared): boolean {
  let mentions = false
  if (program !== undefined) {
    visit(program.expression, (part) => {
      if (part.kind === 'identifier' && /^\.?namespaceObject$/.test(part.name)) mentions = true
    })
  }
  return mentions
}

/** Mutations always have variables. */
const patching = (declared: Declarations): Declarations => ({
  ...declared,
  variables: declared.variables ?? new VariableScope(),
  patchTypes: true,
})

export interface Binding {
  name: string
  spec: NonNullable<ValidatingAdmissionPolicyBinding['spec']>
  criteria: Criteria
}

export function policiesIn(
  storage: Storage,
  server: Pick<Declarations, 'strictCost' | 'release'>,
): LiveObjects<Policy> {
  return new LiveObjects(
    storage,
    '/registry/validatingadmissionpolicies/',
    (object) => new Policy(object as ValidatingAdmissionPolicy, server),
  )
}

/** All releases with mutating policies have costs of library calls. */
export function mutatingPoliciesIn(storage: Storage, release: string): LiveObjects<Policy> {
  return new LiveObjects(
    storage,
    '/registry/mutatingadmissionpolicies/',
    (object) => new Policy(object as MutatingAdmissionPolicy, { strictCost: true, release }),
  )
}

export const bindingsIn = (storage: Storage): LiveObjects<Binding> =>
  boundIn(storage, '/registry/validatingadmissionpolicybindings/')

export const mutatingBindingsIn = (storage: Storage): LiveObjects<Binding> =>
  boundIn(storage, '/registry/mutatingadmissionpolicybindings/')

function boundIn(storage: Storage, prefix: string): LiveObjects<Binding> {
  return new LiveObjects<Binding>(storage, prefix, (object) => {
    const { metadata, spec = {} } = object as ValidatingAdmissionPolicyBinding
    return { name: metadata.name ?? '', spec, criteria: criteriaOf(spec.matchResources ?? {}) }
  })
}
