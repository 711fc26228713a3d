/**
 * Scale of extensions/v1beta1 and the beta versions of apps: its selector is a map, with the whole selector as a text beside it (public
 * documentation, API reference of release 1.15). Inside there is only autoscaling/v1.
 */
import type { JsonObject, KubeObject } from '../../object'

interface Scale extends KubeObject {
  status?: { replicas?: number; selector?: unknown; targetSelector?: string }
}

/** @param scale of autoscaling/v1 @param selector of the workload @returns the same in the older version */
export function toOlderScale(
  scale: KubeObject,
  apiVersion: string,
  selector: JsonObject | null | undefined,
): KubeObject {
  const { status } = scale as Scale
  const labels = selector && 'matchLabels' in selector ? selector.matchLabels : undefined
  return {
    ...scale,
    apiVersion,
    status: {
      replicas: status?.replicas ?? 0,
      ...(labels ? { selector: labels } : {}),
      ...(status?.selector ? { targetSelector: status.selector } : {}),
    },
  }
}

/** @param scale of an older version: what it says of its status nobody asks for */
export function fromOlderScale(scale: KubeObject): KubeObject {
  const { status: _, ...said } = scale
  return { ...said, apiVersion: 'autoscaling/v1' } as KubeObject
}
