/** Unrelated policies cost a request nothing. */
import type { AdmissionAttributes } from '../admission/admission'
import type { PolicyEnvironment } from './environment'
import { concerns } from './match'
import type { Binding, Policy } from './policies'

export interface BoundPolicy {
  policy: Policy
  bindings: readonly Binding[]
}

export class PolicyIndex {
  private readonly bound: readonly BoundPolicy[]
  private readonly byResource = new Map<string, readonly BoundPolicy[]>()

  /** @param policies sorted by name, like bindings */
  constructor(
    readonly policies: readonly Policy[],
    readonly bindings: readonly Binding[],
  ) {
    const byPolicy = new Map<string, Binding[]>()
    for (const binding of bindings) {
      const name = binding.spec.policyName ?? ''
      const known = byPolicy.get(name)
      if (known === undefined) byPolicy.set(name, [binding])
      else known.push(binding)
    }
    this.bound = policies.flatMap((policy) => {
      const own = byPolicy.get(policy.name)
      return own === undefined ? [] : [{ policy, bindings: own }]
    })
  }

  /** Rules name the resource, or one that serves the same objects. */
  concerning(
    attributes: AdmissionAttributes,
    environment: PolicyEnvironment,
  ): readonly BoundPolicy[] {
    if (this.bound.length === 0) return this.bound
    const key = `${attributes.group}/${attributes.version}/${attributes.resource}/${attributes.subresource}`
    let found = this.byResource.get(key)
    if (found === undefined) {
      const forms = [environment.requested(attributes), ...environment.equivalents(attributes)]
      found = this.bound.filter(({ policy }) =>
        forms.some((form) => concerns(policy.criteria, form)),
      )
      this.byResource.set(key, found)
    }
    return found
  }
}
