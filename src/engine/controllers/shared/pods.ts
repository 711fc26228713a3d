import type { Pod, PodTemplateSpec } from 'kubernetes-types/core/v1'
import type { KubeObject } from '../../core/object'
import type { Client } from '../runtime/client'
import type { Stored } from '../runtime/stored'
import { controllerReference } from './ownership'

export const hasEnded = ({ status }: Pod): boolean =>
  status?.phase === 'Succeeded' || status?.phase === 'Failed'

/** Neither finished nor terminating. */
export const isActive = (pod: Stored<Pod>): boolean =>
  !hasEnded(pod) && !pod.metadata.deletionTimestamp

export function condition(pod: Pod, type: string) {
  return pod.status?.conditions?.find((candidate) => candidate.type === type)
}

export const isReady = (pod: Pod): boolean => condition(pod, 'Ready')?.status === 'True'

/** @returns milliseconds; undefined if not ready */
function untilAvailable(pod: Pod, minReadySeconds: number, now: number): number | undefined {
  const ready = condition(pod, 'Ready')
  if (ready?.status !== 'True') return undefined
  if (minReadySeconds === 0) return 0
  if (!ready.lastTransitionTime) return undefined
  return Math.max(0, Date.parse(ready.lastTransitionTime) + minReadySeconds * 1000 - now)
}

export const isAvailable = (pod: Pod, minReadySeconds: number, now: number): boolean =>
  untilAvailable(pod, minReadySeconds, now) === 0

/** @returns milliseconds; undefined if none is pending */
export function nextAvailable(
  pods: Iterable<Pod>,
  minReadySeconds: number,
  now: number,
): number | undefined {
  let soonest: number | undefined
  for (const pod of pods) {
    const wait = untilAvailable(pod, minReadySeconds, now)
    if (wait && (soonest === undefined || wait < soonest)) soonest = wait
  }
  return soonest
}

/** A patch, because the callers' roles allow no update. */
export async function noteDisruption(
  client: Client,
  pod: Stored<Pod>,
  given: { reason: string; message: string; time: string; phase?: string },
): Promise<void> {
  const { reason, message, time, phase } = given
  const type = 'DisruptionTarget'
  const before = condition(pod, type)
  const lastTransitionTime = before?.status === 'True' ? before.lastTransitionTime : time
  const disruption = { type, status: 'True', lastTransitionTime, reason, message }
  const order = [
    ...new Set([...(pod.status?.conditions ?? []).map((known) => known.type), type]),
  ].map((known) => ({ type: known }))
  const status = {
    ...(phase && { phase }),
    '$setElementOrder/conditions': order,
    conditions: [disruption],
  }
  await client.strategicMerge(pod, { metadata: { uid: pod.metadata.uid }, status }, 'status')
}

export function podFrom(
  template: PodTemplateSpec | undefined,
  owner: KubeObject,
): Pod & Pick<KubeObject, 'kind' | 'apiVersion' | 'metadata'> {
  const { labels, annotations, finalizers } = template?.metadata ?? {}
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      generateName: generatedPrefix(owner.metadata.name ?? ''),
      namespace: owner.metadata.namespace,
      ...(labels && { labels: { ...labels } }),
      ...(annotations && { annotations: { ...annotations } }),
      ...(finalizers && { finalizers: [...finalizers] }),
      ownerReferences: [controllerReference(owner)],
    },
    spec: structuredCopy(template?.spec),
  } as Pod & Pick<KubeObject, 'kind' | 'apiVersion' | 'metadata'>
}

const LONGEST_NAME = 253

/** Omits the dash if the name is too long. */
const generatedPrefix = (name: string): string => (name.length < LONGEST_NAME ? `${name}-` : name)

const structuredCopy = <Value>(value: Value): Value =>
  value === undefined ? value : (JSON.parse(JSON.stringify(value)) as Value)
