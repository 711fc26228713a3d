/** The order in which objects of a set are created: dependencies first, policies and bindings last. */
import type { KubeObject } from '../engine/core/object'

const BEFORE = ['Namespace', 'CustomResourceDefinition', 'ServiceAccount', 'ClusterRole', 'Role']
const AFTER = ['ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding']

export function creationOrder(objects: readonly KubeObject[]): KubeObject[] {
  const rank = ({ kind }: KubeObject): number => {
    if (AFTER.includes(kind)) return BEFORE.length + 1 + AFTER.indexOf(kind)
    return BEFORE.includes(kind) ? BEFORE.indexOf(kind) : BEFORE.length
  }
  return [...objects].sort((a, b) => rank(a) - rank(b))
}

/** Without bindings, policies have no effect, so a cluster accepts any object. */
export const isBinding = ({ kind }: KubeObject): boolean =>
  kind === 'ValidatingAdmissionPolicyBinding'
