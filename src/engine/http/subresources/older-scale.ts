/**
 * Scale of extensions/v1beta1 and beta versions of apps: the selector is a map, with a text form in
 * `targetSelector`.
 */
import type { JsonObject, KubeObject } from '../../core/object'

interface Scale extends KubeObject {
  status?: { replicas?: number; selector?: unknown; targetSelector?: string }
}

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

/** Ignores the status. */
export function fromOlderScale(scale: KubeObject): KubeObject {
  const { status: _, ...rest } = scale
  return { ...rest, apiVersion: 'autoscaling/v1' } as KubeObject
}
