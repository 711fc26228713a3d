import type { KubeObject } from '../engine/core/object'

/** Kinds that other objects need when they are created. */
const BEFORE = [
  'Namespace',
  'CustomResourceDefinition',
  'PriorityClass',
  'RuntimeClass',
  'StorageClass',
  'ServiceAccount',
  'ClusterRole',
  'Role',
]
/** Kinds that could reject the others. */
const AFTER = [
  'ValidatingAdmissionPolicy',
  'MutatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'MutatingAdmissionPolicyBinding',
  'ValidatingWebhookConfiguration',
  'MutatingWebhookConfiguration',
]
const RANKS: ReadonlyMap<string, number> = new Map([
  ...BEFORE.map((kind, index) => [kind, index - BEFORE.length] as const),
  ...AFTER.map((kind, index) => [kind, index + 1] as const),
])

export function creationOrder(objects: readonly KubeObject[]): KubeObject[] {
  const rank = ({ kind }: KubeObject): number => RANKS.get(kind) ?? 0
  return [...objects].sort((a, b) => rank(a) - rank(b))
}

/** Policies without bindings have no effect. */
export const isBinding = ({ kind }: KubeObject): boolean =>
  kind === 'ValidatingAdmissionPolicyBinding'
