/** Rules of NetworkPolicies. Recorded from kube-apiserver 1.31. */
import { isJsonObject, type Json, type JsonObject, type KubeObject } from '../../core/object'
import type { Strategy } from '../../registry/strategy'
import { containsExplicitEmpty, deleteExplicitEmpty } from '../../schema/explicit-empties'
import { type NetworkPolicySpec, networkPolicyErrors } from './network-policy-validation'

interface NetworkPolicy extends KubeObject {
  spec?: JsonObject
}

const objects = (list: Json | undefined): JsonObject[] =>
  Array.isArray(list) ? list.filter(isJsonObject) : []

export const networkPolicyStrategy: Strategy = {
  generationFields: ['spec'],
  // An empty list differs from a stored absent one: each write is a change.
  prepareForUpdate(object, old) {
    if (containsExplicitEmpty((object as NetworkPolicy).spec))
      object.metadata.generation = (old.metadata.generation ?? 0) + 1
  },
  validate: (object) => networkPolicyErrors((object as { spec?: NetworkPolicySpec }).spec ?? {}),
  defaults(object) {
    const { spec } = object as NetworkPolicy
    if (!isJsonObject(spec)) return
    for (const rule of [...objects(spec.ingress), ...objects(spec.egress)]) {
      for (const port of objects(rule.ports)) port.protocol ??= 'TCP'
    }
    if (Array.isArray(spec.policyTypes) && spec.policyTypes.length > 0) return
    deleteExplicitEmpty(spec, 'policyTypes')
    spec.policyTypes =
      Array.isArray(spec.egress) && spec.egress.length > 0 ? ['Ingress', 'Egress'] : ['Ingress']
  },
}
