/** Texts recorded from kube-apiserver 1.31. */
import type { ObjectMeta } from '../../core/object'
import { type Container, containersOf, type PodSpec } from '../../validation/pods'

export interface CheckedPod {
  metadata: Partial<ObjectMeta>
  spec: PodSpec
  /** Checks of users do not apply to pods with a user namespace. */
  hasOwnUsers?: boolean
}

export interface Finding {
  /** `host namespaces` */
  reason: string
  /** `hostNetwork=true` */
  detail: string
}

/** The newest version up to the requested minor release applies. */
export interface Check {
  id: string
  replaces?: string
  versions: readonly { since: number; run(pod: CheckedPod): Finding | undefined }[]
}

export function check(id: string, run: (pod: CheckedPod) => Finding | undefined): Check {
  return { id, versions: [{ since: 0, run }] }
}

export const plural = (count: number, one: string, many: string): string =>
  count === 1 ? one : many
export const quoted = (words: Iterable<string>): string => `"${[...words].join('", "')}"`
export const sorted = (words: Iterable<string>): string[] => [...new Set(words)].sort()

/** kubernetes.io, "User Namespaces", "Integration with Pod security admission checks". */
export const exceptOwnUsers =
  (run: (pod: CheckedPod) => Finding | undefined) =>
  (pod: CheckedPod): Finding | undefined =>
    pod.hasOwnUsers ? undefined : run(pod)

/** `container "a"`, `containers "a", "b"` */
export function containersText(containers: Pick<Container, 'name'>[]): string {
  return `${plural(containers.length, 'container', 'containers')} ${quoted(containers.map(({ name }) => name))}`
}

/** In the order of kube-apiserver. */
export function containersThat(
  { spec }: CheckedPod,
  holds: (container: Container) => boolean,
): Container[] {
  return containersOf(spec).filter(holds)
}

/** `pod and containers "a", "b"` */
export function settersText(pod: boolean, containers: Container[]): string {
  return [
    ...(pod ? ['pod'] : []),
    ...(containers.length > 0 ? [containersText(containers)] : []),
  ].join(' and ')
}
