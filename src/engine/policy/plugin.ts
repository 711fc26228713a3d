/** ValidatingAdmissionPolicy: every policy that the request concerns is judged by each of its bindings (document 3; recorded: policy-effects, policy-params). */
import type { AdmissionAttributes, AdmissionPlugin } from '../admission/admission'
import { readObject } from '../admission/environment'
import { refused } from '../admission/refusal'
import { valueOfJson } from '../expressions/values/json'
import { ApiError } from '../http/status'
import { API_DOMAIN } from '../names'
import type { Json, KubeObject } from '../object'
import { Answers } from './answers'
import { type Bindings, bindingsOf } from './bindings'
import type { ParamForm, PolicyEnvironment, ServedForm } from './environment'
import { Scope } from './evaluate'
import { findingOf, unfollowed } from './findings'
import { type Judgement, judge } from './judge'
import { matches } from './match'
import { ConfigurationError, paramFormOf, paramsOf } from './params'
import { type Binding, bindingsIn, type Policy, policiesIn } from './policies'

const OWN_GROUP = `admissionregistration.${API_DOMAIN}`
const OWN_RESOURCES = new Set(['validatingadmissionpolicies', 'validatingadmissionpolicybindings'])
const VALIDATION_FAILURE = `validation.policy.admission.${API_DOMAIN}/validation_failure`
const CODES: Record<string, number> = { Unauthorized: 401, Forbidden: 403, RequestEntityTooLarge: 413 }

/** Who refused, why, and by which reason the client is told. */
interface Refusal {
  message: string
  reason: string
}

export function validatingAdmissionPolicy(environment: PolicyEnvironment): AdmissionPlugin {
  const policies = policiesIn(environment.storage)
  const bindings = bindingsIn(environment.storage)
  return {
    name: 'ValidatingAdmissionPolicy',
    operations: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'],
    validate(attributes) {
      const all = policies.all()
      if (Array.isArray(all) && all.length === 0) return undefined
      if (attributes.group === OWN_GROUP && OWN_RESOURCES.has(attributes.resource)) return undefined
      return Promise.all([all, bindings.all()]).then((found) => new Review(environment, attributes, ...found).run())
    },
  }
}

/** One request before all policies. */
class Review {
  private readonly refusals: Refusal[] = []
  private readonly answers: Answers
  private readonly values = new Map<ServedForm, Bindings>()
  private namespace: Promise<KubeObject | undefined> | undefined

  constructor(
    private readonly environment: PolicyEnvironment,
    private readonly attributes: AdmissionAttributes,
    private readonly policies: readonly Policy[],
    private readonly bindings: readonly Binding[],
  ) {
    this.answers = new Answers(environment.authorizer(), attributes.user)
  }

  /** @throws ApiError of the first that denies */
  async run(): Promise<void> {
    for (const policy of this.policies) {
      const bindings = this.bindings.filter(({ spec }) => spec.policyName === policy.name)
      if (bindings.length > 0) await this.configured(policy, undefined, () => this.judgeBy(policy, bindings))
    }
    const first = this.refusals[0]
    if (first !== undefined) throw denied(this.attributes, first)
  }

  /** What keeps a policy or binding from being followed denies, if the failure policy says so. */
  private async configured(policy: Policy, binding: Binding | undefined, run: () => Promise<void>): Promise<void> {
    try {
      await run()
    } catch (error) {
      if (!(error instanceof ConfigurationError || error instanceof ApiError)) throw error
      if (this.attributes.trace.detailed) this.attributes.trace.policies.push(unfollowed(policy, binding, error.message))
      if (policy.failurePolicy === 'Ignore') return
      const what = binding === undefined ? 'policy' : 'binding'
      this.refuse(policy, binding, { message: `failed to configure ${what}: ${error.message}`, reason: 'Invalid' })
    }
  }

  private refuse(policy: Policy, binding: Binding | undefined, { message, reason }: Refusal): void {
    const by = `ValidatingAdmissionPolicy '${policy.name}'${binding === undefined ? '' : ` with binding '${binding.name}'`}`
    this.refusals.push({ message: `${by} denied request: ${message}`, reason })
  }

  private async judgeBy(policy: Policy, bindings: readonly Binding[]): Promise<void> {
    const form = await matches(policy.criteria, this.attributes, this.environment)
    if (form === undefined) return
    await form.ready?.(this.attributes)
    const paramForm = policy.spec.paramKind ? paramFormOf(this.environment, policy.spec.paramKind) : undefined
    const annotations = new Map<string, Set<string>>()
    for (const binding of bindings) {
      await this.configured(policy, binding, () => this.judgeByBinding(policy, binding, form, paramForm, annotations))
    }
    for (const [key, values] of annotations) this.annotate(`${policy.name}/${key}`, [...values].join(', '))
  }

  private async judgeByBinding(
    policy: Policy,
    binding: Binding,
    form: ServedForm,
    paramForm: ParamForm | undefined,
    annotations: Map<string, Set<string>>,
  ): Promise<void> {
    if ((await matches(binding.criteria, this.attributes, this.environment)) === undefined) return
    const params = await paramsOf(this.environment, paramForm, binding.spec.paramRef, this.attributes.namespace)
    const values = await this.valuesIn(form)
    for (const param of params) {
      const { prepared, failurePolicy } = policy
      const value = param === undefined ? null : valueOfJson(param as unknown as Json)
      const scopeOf = () => new Scope(values, value, prepared.variables)
      const judgement = await this.answers.complete(() => judge(prepared, scopeOf, failurePolicy))
      this.follow(policy, binding, judgement, annotations)
      if (this.attributes.trace.detailed) this.attributes.trace.policies.push(findingOf(policy, binding, param, judgement))
    }
  }

  private follow(policy: Policy, binding: Binding, judgement: Judgement, annotations: Map<string, Set<string>>): void {
    const actions = binding.spec.validationActions ?? []
    for (const denial of judgement.denials) {
      for (const action of actions) {
        if (action === 'Deny') this.refuse(policy, binding, denial)
        else if (action === 'Warn')
          this.attributes.warn(
            `Validation failed for ValidatingAdmissionPolicy '${policy.name}' with binding '${binding.name}': ${denial.message}`,
          )
        else if (action === 'Audit')
          this.annotate(
            VALIDATION_FAILURE,
            JSON.stringify([
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
    for (const { key, value } of judgement.auditAnnotations) {
      const values = annotations.get(key) ?? new Set()
      annotations.set(key, values.add(value))
    }
    for (const message of judgement.auditErrors) this.refuse(policy, binding, { message, reason: 'Invalid' })
  }

  /** The first who writes an annotation is heard. */
  private annotate(key: string, value: string): void {
    this.attributes.trace.annotations[key] ??= value
  }

  private async valuesIn(form: ServedForm): Promise<Bindings> {
    const known = this.values.get(form)
    if (known !== undefined) return known
    this.namespace ??= this.readNamespace()
    const { attributes, environment, answers } = this
    const values = bindingsOf({ attributes, form, requested: environment.requested(attributes), namespace: await this.namespace, answers })
    this.values.set(form, values)
    return values
  }

  /** A namespace is in none, though its requests name it. */
  private async readNamespace(): Promise<KubeObject | undefined> {
    const { namespace, group, resource } = this.attributes
    if (namespace === '' || (group === '' && resource === 'namespaces')) return undefined
    return readObject(this.environment, `/registry/namespaces/${namespace}`)
  }
}

/** Worded as a 403 whatever its code (recorded). */
function denied(attributes: AdmissionAttributes, { message, reason }: Refusal): ApiError {
  const refusal = refused(attributes, message)
  refusal.status.reason = reason
  refusal.status.code = CODES[reason] ?? 422
  refusal.status.details = { ...refusal.status.details, causes: [{ message }] }
  return refusal
}
