/**
 * Scale of extensions/v1beta1 and the beta versions of apps: its selector is a map, with a text
 * form in `targetSelector`. Internally there is only autoscaling/v1.
 */
import type { JsonObject, KubeObject } from '../../core/object'

interface Scale extends KubeObject {
  status?: { replicas?: number; selector?: unknown; targetSelector?: string }
}

/**
 * @param scale of autoscaling/v1
 * @param selector of the workload
 * @returns the same in the older version
 */
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

/** @param scale of an older version; its status is ignored */
export function fromOlderScale(scale: KubeObject): KubeObject {
  const { status: _, ...rest } = scale
  return { ...rest, apiVersion: 'autoscaling/v1' } as KubeObject
}
