import type { Deployment, ReplicaSet } from 'kubernetes-types/apps/v1'
import type { PodTemplateSpec } from 'kubernetes-types/core/v1'
import { ANNOTATION } from '../../core/names'
import { setMember } from '../../core/object'
import { builtinModel } from '../../schema/builtin'
import { semanticallyEqual } from '../../schema/semantic-equality'
import type { Stored } from '../runtime/stored'
import { byAge, DESIRED, MAXIMUM, maxSurge, type Sets, wanted } from './replicas'

export const HASH_LABEL = 'pod-template-hash'
export const REVISION = 'deployment.kubernetes.io/revision'
const HISTORY = 'deployment.kubernetes.io/revision-history'
export const ROLLBACK = 'deprecated.deployment.rollback.to'
/** Annotations not copied to ReplicaSets. */
export const OWN: readonly string[] = [
  ANNOTATION.lastApplied,
  REVISION,
  HISTORY,
  DESIRED,
  MAXIMUM,
  ROLLBACK,
]
/** Characters of the history annotation. */
const HISTORY_LIMIT = 2000

/** @returns the oldest with the current template */
export function newestOf(deployment: Deployment, sets: Sets): Stored<ReplicaSet> | undefined {
  return [...sets]
    .sort(byAge)
    .find(({ spec }) => sameTemplate(spec?.template, deployment.spec?.template))
}

export function sameTemplate(
  a: PodTemplateSpec | undefined,
  b: PodTemplateSpec | undefined,
): boolean {
  return semanticallyEqual(builtinModel().byName(TEMPLATE_TYPE), withoutHash(a), withoutHash(b))
}

const TEMPLATE_TYPE = 'io.k8s.api.core.v1.PodTemplateSpec'

function withoutHash(template: PodTemplateSpec | undefined): unknown {
  const { [HASH_LABEL]: _, ...labels } = template?.metadata?.labels ?? {}
  return { ...template, metadata: { ...template?.metadata, labels } }
}

/** 64-bit: adopted ReplicaSets may have any number. @returns undefined if it is not a number */
export const revisionIn = (text: string): bigint | undefined =>
  /^-?\d+$/.test(text) ? BigInt(text) : undefined

export const revisionOf = ({ metadata }: Pick<Stored<ReplicaSet>, 'metadata'>): bigint =>
  revisionIn(metadata.annotations?.[REVISION] ?? '') ?? 0n

export const byRevision = (a: Stored<ReplicaSet>, b: Stored<ReplicaSet>): number =>
  Number(revisionOf(a) - revisionOf(b))

export function lastRevision(sets: Sets): bigint {
  let last = 0n
  for (const revision of sets.map(revisionOf)) if (revision > last) last = revision
  return last
}

/** @param present undefined for a new ReplicaSet */
export function setAnnotations(
  deployment: Stored<Deployment>,
  present: Record<string, string> | undefined,
  revision: bigint,
): Record<string, string> {
  const annotations: Record<string, string> = { ...present }
  for (const [name, value] of Object.entries(deployment.metadata.annotations ?? {}))
    if (!OWN.includes(name)) setMember(annotations, name, value)
  const before = annotations[REVISION]
  const known = before === undefined ? 0n : revisionIn(before)
  if (known !== undefined && known < revision) {
    annotations[REVISION] = String(revision)
    if (before !== undefined) annotations[HISTORY] = longerHistory(annotations[HISTORY], before)
  }
  return present === undefined ? { ...annotations, ...sizeAnnotations(deployment) } : annotations
}

function longerHistory(history: string | undefined, revision: string): string {
  const revisions = history ? [...history.split(','), revision] : [revision]
  while (revisions.length > 1 && revisions.join(',').length > HISTORY_LIMIT) revisions.shift()
  return revisions.join(',')
}

/** A ReplicaSet computes its proportion from these. */
export function sizeAnnotations(deployment: Deployment): Record<string, string> {
  return {
    [DESIRED]: String(wanted(deployment)),
    [MAXIMUM]: String(wanted(deployment) + maxSurge(deployment)),
  }
}
