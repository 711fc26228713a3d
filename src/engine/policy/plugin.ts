/** kubernetes.io, "Validating Admission Policy". Recordings: policy-effects, policy-params. */
import type { AdmissionAttributes, AdmissionPlugin } from '../admission/admission'
import { readObject } from '../admission/environment'
import { newForbidden } from '../admission/errors'
import type { Budget } from '../cel/compile'
import type { Value } from '../cel/values/value'
import { chain, forEachInOrder, type MaybePromise } from '../core/maybe-promise'
import { API_DOMAIN } from '../core/names'
import { entryOf, type KubeObject, setMember } from '../core/object'
import { ApiError } from '../http/status'
import { goJson } from '../schema/go-json'
import { AccessDecisions } from './access-decisions'
import { type Bindings, bindingsOf, paramValue } from './bindings'
import type { ParamForm, PolicyEnvironment, ServedForm } from './environment'
import { EXPRESSION_LIMIT, Scope } from './evaluate'
import { isExempt } from './exempt'
import { findingOf, misconfiguredFinding } from './findings'
import { type MatchEnvironment, matches } from './match'
import { outcomeLabel } from './match-conditions'
import { onceFor } from './match-once'
import { ConfigurationError, paramFormOf, paramsOf } from './params'
import { type Binding, bindingsIn, type Policy, policiesIn } from './policies'
import { type BoundPolicy, PolicyIndex } from './policy-index'
import { type ValidateResult, validateWithPolicy } from './validator'

const VALIDATION_FAILURE = `validation.policy.admission.${API_DOMAIN}/validation_failure`
const CODES: Record<string, number> = {
  Unauthorized: 401,
  Forbidden: 403,
  RequestEntityTooLarge: 413,
}

const MOST_MILLISECONDS = 60_000

interface PolicyDenial {
  message: string
  reason: string
}

export function validatingAdmissionPolicy(environment: PolicyEnvironment): AdmissionPlugin {
  const policies = policiesIn(environment.storage, {
    strictCost: environment.featureGates.StrictCostEnforcementForVAP === true,
    release: environment.release,
  })
  const bindings = bindingsIn(environment.storage)
  let index: PolicyIndex | undefined
  const indexOf = (all: readonly Policy[], bound: readonly Binding[]): PolicyIndex => {
    if (index?.policies !== all || index.bindings !== bound) index = new PolicyIndex(all, bound)
    return index
  }
  return {
    name: 'ValidatingAdmissionPolicy',
    operations: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'],
    validate(attributes) {
      const all = policies.all()
      if (Array.isArray(all) && all.length === 0) return undefined
      if (isExempt(attributes)) return undefined
      return chain(all, (all) =>
        chain(bindings.all(), (bound) => {
          const concerned = indexOf(all, bound).concerning(attributes, environment)
          return concerned.length === 0
            ? undefined
            : new Review(environment, attributes, concerned).run()
        }),
      )
    },
  }
}

class Review {
  private readonly denials: PolicyDenial[] = []
  private readonly decisions: AccessDecisions
  private readonly served: MatchEnvironment<ServedForm>
  private readonly values = new Map<ServedForm, Bindings>()
  private namespace: KubeObject | undefined
  private namespaceRead = false
  private readonly budget: Budget

  constructor(
    private readonly environment: PolicyEnvironment,
    private readonly attributes: AdmissionAttributes,
    private readonly policies: readonly BoundPolicy[],
  ) {
    this.decisions = new AccessDecisions(environment.authorizer(), attributes.user)
    this.served = onceFor(attributes, environment)
    const { clock } = environment
    const end = clock.now() + MOST_MILLISECONDS
    this.budget = { limit: EXPRESSION_LIMIT, isOver: () => clock.now() > end }
  }

  /** @throws ApiError of the first policy that denies */
  run(): MaybePromise<void> {
    const evaluated = forEachInOrder(this.policies, ({ policy, bindings }) =>
      this.configured(policy, undefined, () => this.evaluatePolicy(policy, bindings)),
    )
    return chain(evaluated, () => {
      const first = this.denials[0]
      if (first !== undefined) throw denied(this.attributes, first)
    })
  }

  /** A configuration error denies if the failure policy is Fail. */
  private configured(
    policy: Policy,
    binding: Binding | undefined,
    run: () => MaybePromise<void>,
  ): MaybePromise<void> {
    const failed = (error: unknown) => this.misconfigured(policy, binding, error)
    try {
      const pending = run()
      return pending ? pending.catch(failed) : undefined
    } catch (error) {
      failed(error)
    }
  }

  private misconfigured(policy: Policy, binding: Binding | undefined, error: unknown): void {
    if (!(error instanceof ConfigurationError || error instanceof ApiError)) throw error
    if (this.attributes.trace.detailed)
      this.attributes.trace.policies.push(misconfiguredFinding(policy, binding, error.message))
    if (policy.failurePolicy === 'Ignore') return
    const what = binding === undefined ? 'policy' : 'binding'
    this.deny(policy, binding, {
      message: `failed to configure ${what}: ${error.message}`,
      reason: 'Invalid',
    })
  }

  private deny(
    policy: Policy,
    binding: Binding | undefined,
    { message, reason }: PolicyDenial,
  ): void {
    const by = `ValidatingAdmissionPolicy '${policy.name}'${binding === undefined ? '' : ` with binding '${binding.name}'`}`
    this.denials.push({ message: `${by} denied request: ${message}`, reason })
  }

  private evaluatePolicy(policy: Policy, bindings: readonly Binding[]): MaybePromise<void> {
    return chain(matches(policy.criteria, this.attributes, this.served), (form) => {
      if (form === undefined) return
      return chain(form.ready?.(this.attributes), () =>
        this.evaluateInNamespace(form, policy, bindings),
      )
    })
  }

  private evaluateInNamespace(
    form: ServedForm,
    policy: Policy,
    bindings: readonly Binding[],
  ): MaybePromise<void> {
    const paramForm = policy.spec.paramKind
      ? paramFormOf(this.environment, policy.spec.paramKind)
      : undefined
    const annotations = new Map<string, Set<string>>()
    const evaluated = forEachInOrder(bindings, (binding) =>
      this.configured(policy, binding, () =>
        this.evaluateBinding(policy, binding, form, paramForm, annotations),
      ),
    )
    return chain(evaluated, () => {
      for (const [key, values] of annotations)
        this.annotate(`${policy.name}/${key}`, [...values].join(', '))
    })
  }

  private evaluateBinding(
    policy: Policy,
    binding: Binding,
    form: ServedForm,
    paramForm: ParamForm | undefined,
    annotations: Map<string, Set<string>>,
  ): MaybePromise<void> {
    return chain(matches(binding.criteria, this.attributes, this.served), (bound) => {
      if (bound === undefined) return
      return chain(
        paramsOf(this.environment, paramForm, binding.spec.paramRef, this.attributes.namespace),
        (params) =>
          forEachInOrder(params, (param) => {
            const value = paramValue(param, paramForm, this.environment.release)
            return this.evaluateWithParam(policy, binding, form, { param, value }, annotations)
          }),
      )
    })
  }

  private evaluateWithParam(
    policy: Policy,
    binding: Binding,
    form: ServedForm,
    { param, value }: { param: KubeObject | undefined; value: Value },
    annotations: Map<string, Set<string>>,
  ): MaybePromise<void> {
    const { prepared, failurePolicy } = policy
    const evaluated = chain(this.valuesIn(form, prepared.usesNamespace), (values) => {
      const scopeOf = (overrides?: ReadonlyMap<string, Value | undefined>) =>
        new Scope(values, value, prepared.variables, this.budget, overrides)
      return this.decisions.complete(() =>
        validateWithPolicy(prepared, scopeOf, failurePolicy, this.environment.stopwatch),
      )
    })
    return chain(evaluated, (result) => {
      this.follow(policy, binding, result, annotations)
      if (this.attributes.trace.detailed)
        this.attributes.trace.policies.push(findingOf(policy, binding, param, result))
    })
  }

  private follow(
    policy: Policy,
    binding: Binding,
    result: ValidateResult,
    annotations: Map<string, Set<string>>,
  ): void {
    const actions = binding.spec.validationActions ?? []
    this.observe(policy, binding, result)
    for (const denial of result.denials) {
      for (const action of actions) {
        if (action === 'Deny') this.deny(policy, binding, denial)
        else if (action === 'Warn')
          this.attributes.warn(
            `Validation failed for ValidatingAdmissionPolicy '${policy.name}' with binding '${binding.name}': ${denial.message}`,
          )
        else if (action === 'Audit')
          this.annotate(
            VALIDATION_FAILURE,
            goJson([
              {
                message: denial.message,
                policy: policy.name,
                binding: binding.name,
                expressionIndex: denial.index,
                validationActions: actions,
              },
            ]),
          )
      }
    }
    for (const { key, value } of result.auditAnnotations) {
      const values = annotations.get(key) ?? new Set()
      annotations.set(key, values.add(value))
    }
    for (const message of result.auditErrors)
      this.deny(policy, binding, { message, reason: 'Invalid' })
  }

  /** Distributes the total time over the validations. */
  private observe(
    { name, prepared }: Policy,
    binding: Binding,
    { denials, conditions, times }: ValidateResult,
  ): void {
    const { metrics } = this.environment
    const { operation } = this.attributes
    if (conditions !== undefined)
      metrics.conditionsEvaluated(
        { kind: 'policy', name, type: 'validate', operation },
        times.conditions / 1000,
        outcomeLabel(conditions),
      )
    if (conditions === 'skipped') return
    const count = prepared.validations.length
    const seconds = times.validations / 1000 / Math.max(1, count)
    const check = { policy: name, binding: binding.name }
    if (count > denials.length)
      metrics.policyChecked(
        { ...check, action: 'allow', error: 'no_error' },
        seconds,
        count - denials.length,
      )
    for (const { error } of denials)
      for (const action of actionsOf(binding))
        metrics.policyChecked({ ...check, action, error }, seconds, 1)
  }

  /** The first value of an annotation wins. */
  private annotate(key: string, value: string): void {
    const { annotations } = this.attributes.trace
    if (entryOf(annotations, key) === undefined) setMember(annotations, key, value)
  }

  private valuesIn(form: ServedForm, usesNamespace: boolean): MaybePromise<Bindings> {
    let bindings = this.values.get(form)
    if (bindings === undefined) {
      const { attributes, served, decisions } = this
      bindings = bindingsOf({
        attributes,
        form,
        requested: served.requested(attributes),
        release: this.environment.release,
        namespace: () => this.namespace,
        decisions,
      })
      this.values.set(form, bindings)
    }
    return usesNamespace ? this.withNamespace(bindings) : bindings
  }

  private withNamespace(bindings: Bindings): MaybePromise<Bindings> {
    if (this.namespaceRead) return bindings
    return chain(this.readNamespace(), (namespace) => {
      this.namespace = namespace
      this.namespaceRead = true
      return bindings
    })
  }

  /** A namespace has no namespace, although its requests name one. */
  private readNamespace(): MaybePromise<KubeObject | undefined> {
    const { namespace, group, resource } = this.attributes
    if (namespace === '' || (group === '' && resource === 'namespaces')) return undefined
    return readObject(this.environment, `/registry/namespaces/${namespace}`)
  }
}

const actionsOf = ({ spec }: Binding): readonly ('deny' | 'warn' | 'audit')[] =>
  (spec.validationActions ?? []).map((action) =>
    action === 'Deny' ? 'deny' : action === 'Warn' ? 'warn' : 'audit',
  )

/** The message is always that of a 403. Recorded from kube-apiserver 1.31. */
function denied(attributes: AdmissionAttributes, { message, reason }: PolicyDenial): ApiError {
  const error = newForbidden(attributes, message)
  error.status.reason = reason
  error.status.code = entryOf(CODES, reason) ?? 422
  error.status.details = { ...error.status.details, causes: [{ message }] }
  return error
}
