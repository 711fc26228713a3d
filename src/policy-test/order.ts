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

/** Policies without bindings have no effect. */
export const isBinding = ({ kind }: KubeObject): boolean =>
  kind === 'ValidatingAdmissionPolicyBinding'
