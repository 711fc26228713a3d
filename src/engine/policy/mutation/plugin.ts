/** The admission plugin MutatingAdmissionPolicy. kubernetes.io, "Mutating Admission Policy". */
import type {
  AdmissionAttributes,
  AdmissionPlugin,
  ReinvocationState,
} from '../../admission/admission'
import { readObject } from '../../admission/environment'
import { newForbidden } from '../../admission/errors'
import { reinvocationStateOf, requireReinvocations } from '../../admission/reinvocation'
import type { Value } from '../../cel/values/value'
import { equalJson, type Json, type JsonObject, type KubeObject } from '../../core/object'
import { ApiError, notFound } from '../../http/status'
import type { MutationFinding } from '../../telemetry/policy-findings'
import { AccessDecisions } from '../access-decisions'
import { bindingsOf, paramValue } from '../bindings'
import type { ParamForm, PolicyEnvironment, ServedForm } from '../environment'
import { evaluateAll, OUT_OF_BUDGET, POLICY_BUDGET, Scope } from '../evaluate'
import { isExempt } from '../exempt'
import { nameOf } from '../findings'
import { type MatchEnvironment, matches } from '../match'
import { matchConditions } from '../match-conditions'
import { onceFor } from '../match-once'
import { ConfigurationError, paramFormOf, paramsOf } from '../params'
import { type Binding, mutatingBindingsIn, mutatingPoliciesIn, type Policy } from '../policies'
import { type BoundPolicy, PolicyIndex } from '../policy-index'
import { replaceMembers } from '../replace-members'
import { MutationFailure, patchedBy } from './patches'

interface Invocation {
  policy: Policy
  binding: Binding
  form: ServedForm
  param: KubeObject | undefined
  paramForm: ParamForm | undefined
  key: string
}

interface Problem {
  policy: Policy
  binding: Binding | undefined
  message: string
  /** Forbidden if absent. */
  reason?: string
}

const NAME = 'MutatingAdmissionPolicy'

/** Conditions run before the namespace is read. */
const IN_CONDITIONS: ReadonlyMap<string, Value | undefined> = new Map([['namespaceObject', null]])

export function mutatingAdmissionPolicy(environment: PolicyEnvironment): AdmissionPlugin {
  const name = NAME
  // A DELETE has no object to mutate.
  const operations = ['CREATE', 'UPDATE', 'CONNECT'] as const
  if (environment.featureGates.MutatingAdmissionPolicy !== true) return { name, operations }
  const policies = mutatingPoliciesIn(environment.storage, environment.release)
  const bindings = mutatingBindingsIn(environment.storage)
  let index: PolicyIndex | undefined
  const concerning = (
    attributes: AdmissionAttributes,
    all: readonly Policy[],
    bound: readonly Binding[],
  ): readonly BoundPolicy[] => {
    if (index?.policies !== all || index.bindings !== bound) index = new PolicyIndex(all, bound)
    return index.concerning(attributes, environment)
  }
  const run = async (attributes: AdmissionAttributes, all: readonly Policy[]): Promise<void> => {
    const concerned = concerning(attributes, all, await bindings.all())
    if (concerned.length === 0) return
    const state = reinvocationStateOf(attributes, NAME)
    await new Round(environment, attributes, state).run(concerned)
  }
  return {
    name,
    operations,
    mutate(attributes) {
      const all = policies.all()
      if (Array.isArray(all) && all.length === 0) return undefined
      if (isExempt(attributes)) return undefined
      return Promise.resolve(all).then((all) => run(attributes, all))
    },
  }
}

class Round {
  private readonly problems: Problem[] = []
  private readonly served: MatchEnvironment<ServedForm>
  private readonly decisions: AccessDecisions
  private namespace: Promise<KubeObject | undefined> | undefined
  /** Match conditions see typed objects, which mutations share with them from then on. */
  private unstructured = true

  constructor(
    private readonly environment: PolicyEnvironment,
    private readonly attributes: AdmissionAttributes,
    private readonly state: ReinvocationState,
  ) {
    this.served = onceFor(attributes, environment)
    this.decisions = new AccessDecisions(environment.authorizer(), attributes.user)
  }

  /** @throws ApiError if a policy with failurePolicy Fail fails */
  async run(concerned: readonly BoundPolicy[]): Promise<void> {
    const { attributes, state } = this
    const isAgain = attributes.round === 'second'
    const invocations = await this.invocationsOf(concerned)
    if (invocations.length > 0) {
      if (isAgain && state.left !== JSON.stringify(attributes.object)) requireReinvocations(state)
      const namespace = await this.readNamespace()
      for (const invocation of invocations) await this.invoke(invocation, namespace, isAgain)
      state.left = JSON.stringify(attributes.object)
    }
    const failed = this.problems.filter(({ policy }) => policy.failurePolicy === 'Fail')
    if (failed.length > 0) throw denied(attributes, failed)
  }

  /** Policies match the object before any of them changes it. */
  private async invocationsOf(concerned: readonly BoundPolicy[]): Promise<Invocation[]> {
    const invocations: Invocation[] = []
    for (const { policy, bindings } of concerned) {
      await this.configured(policy, undefined, async () => {
        const form = await matches(policy.criteria, this.attributes, this.served)
        if (form === undefined) return
        const { paramKind } = policy.spec
        const paramForm = paramKind ? paramFormOf(this.environment, paramKind) : undefined
        for (const binding of bindings) {
          await this.configured(policy, binding, async () => {
            if ((await matches(binding.criteria, this.attributes, this.served)) === undefined)
              return
            const { paramRef } = binding.spec
            const { namespace } = this.attributes
            for (const param of await paramsOf(this.environment, paramForm, paramRef, namespace)) {
              const key = JSON.stringify([policy.name, binding.name, param && nameOf(param)])
              invocations.push({ policy, binding, form, param, paramForm, key })
            }
          })
        }
      })
    }
    return invocations
  }

  private async configured(
    policy: Policy,
    binding: Binding | undefined,
    run: () => Promise<void>,
  ): Promise<void> {
    try {
      await run()
    } catch (error) {
      if (!(error instanceof ConfigurationError || error instanceof ApiError)) throw error
      const what = binding === undefined ? 'policy' : 'binding'
      const message = `failed to configure ${what}: ${error.message}`
      this.problems.push({ policy, binding, message })
      this.report({ policy, binding, param: undefined }, 'failed', [], message)
    }
  }

  private async invoke(
    invocation: Invocation,
    namespace: KubeObject | undefined,
    isAgain: boolean,
  ): Promise<void> {
    const { policy, binding, key } = invocation
    const { attributes, state } = this
    const { conditions } = policy.prepared
    if (policy.spec.matchConditions?.length) this.unstructured = false
    const outcome = await this.evaluating(invocation, namespace, IN_CONDITIONS, (scope) =>
      matchConditions(conditions, scope, policy.failurePolicy),
    )
    if (outcome === 'skipped') return this.report(invocation, 'skipped', [])
    if (outcome !== 'met') {
      this.problems.push({ policy, binding, message: outcome.error, reason: 'Invalid' })
      return this.report(invocation, 'failed', [], outcome.error)
    }
    if (isAgain && !state.due.has(key)) return
    const before = JSON.stringify(attributes.object)
    const findings: MutationFinding[] = []
    for (const index of policy.prepared.mutations.keys())
      if (attributes.object !== undefined)
        findings.push(await this.mutate(invocation, namespace, index))
    if (JSON.stringify(attributes.object) !== before) {
      requireReinvocations(state)
      attributes.round ??= 'first, to be repeated'
    }
    if (policy.spec.reinvocationPolicy === 'IfNeeded') state.reinvocable.add(key)
    this.report(invocation, 'evaluated', findings)
  }

  private async mutate(
    invocation: Invocation,
    namespace: KubeObject | undefined,
    index: number,
  ): Promise<MutationFinding> {
    const { policy, binding, form } = invocation
    const mutation = policy.prepared.mutations[index]
    const { results, remaining } = await this.evaluating(
      invocation,
      namespace,
      undefined,
      (scope) => evaluateAll([mutation?.prepared], scope, POLICY_BUDGET),
    )
    const result = results[0]
    const cost = result?.cost ?? 0
    const failed = (message: string): MutationFinding => {
      this.problems.push({ policy, binding, message, reason: 'Invalid' })
      return { index, outcome: 'failed', message, cost }
    }
    if (remaining === undefined) return failed(OUT_OF_BUDGET)
    if (result?.value === undefined) return failed(result?.error ?? '')
    const object = this.attributes.object as KubeObject
    const before = form.show(object) as unknown as JsonObject
    try {
      const changed = patchedBy(mutation?.patchType, result.value, before, form)
      if (equalJson(form.show(changed) as unknown as Json, before))
        return { index, outcome: 'unchanged', cost }
      const requested = this.served.requested(this.attributes)
      replaceMembers(object, form === requested ? changed : await requested.adopt(changed))
      await form.ready?.(this.attributes)
      return { index, outcome: 'changed', cost }
    } catch (error) {
      if (error instanceof MutationFailure) return failed(error.message)
      throw error
    }
  }

  private async evaluating<Result>(
    { policy, form, param, paramForm }: Invocation,
    namespace: KubeObject | undefined,
    overrides: ReadonlyMap<string, Value | undefined> | undefined,
    evaluate: (scope: Scope) => Result,
  ): Promise<Result> {
    const { attributes, served, decisions } = this
    await form.ready?.(attributes)
    const bindings = bindingsOf({
      attributes,
      form,
      requested: served.requested(attributes),
      release: this.environment.release,
      unstructured: this.unstructured,
      namespace: () => namespace,
      decisions,
    })
    const value = paramValue(param, paramForm, this.environment.release)
    const { variables } = policy.prepared
    return decisions.complete(() =>
      evaluate(new Scope(bindings, value, variables, undefined, overrides)),
    )
  }

  /** A namespace has no namespace, although its requests name one. */
  private readNamespace(): Promise<KubeObject | undefined> {
    const { namespace, group, resource } = this.attributes
    if (namespace === '' || (group === '' && resource === 'namespaces'))
      return Promise.resolve(undefined)
    this.namespace ??= Promise.resolve(
      readObject(this.environment, `/registry/namespaces/${namespace}`),
    ).then((found) => {
      if (found === undefined) throw notFound({ group: '', resource: 'namespaces' }, namespace)
      return found
    })
    return this.namespace
  }

  private report(
    {
      policy,
      binding,
      param,
    }: { policy: Policy; binding: Binding | undefined; param: Invocation['param'] },
    outcome: 'evaluated' | 'skipped' | 'failed',
    mutations: readonly MutationFinding[],
    message?: string,
  ): void {
    const { trace } = this.attributes
    if (!trace.detailed) return
    trace.policies.push({
      policy: policy.name,
      binding: binding?.name ?? '',
      actions: [],
      ...(param === undefined ? {} : { param: nameOf(param) }),
      outcome,
      ...(message === undefined ? {} : { message }),
      validations: [],
      mutations,
      auditAnnotations: [],
    })
  }
}

/** The first problem has message and reason; every problem is a cause. */
function denied(attributes: AdmissionAttributes, problems: readonly Problem[]): ApiError {
  const texts = problems.map(({ policy, binding, message }) => {
    const by =
      binding === undefined
        ? `policy ${JSON.stringify(policy.name)}`
        : `policy '${policy.name}' with binding '${binding.name}'`
    return `${by} denied request: ${message}`
  })
  const error = newForbidden(attributes, '')
  error.status.message = texts[0] ?? ''
  error.status.reason = problems[0]?.reason ?? error.status.reason
  error.status.details = {
    ...error.status.details,
    causes: texts.map((message) => ({ message })),
  }
  return error
}
