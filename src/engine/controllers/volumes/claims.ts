/** Which claims a pod's volumes stand for: those that it names, and those that are made for it (generic ephemeral volumes). */
import type { Pod, Volume } from 'kubernetes-types/core/v1'

/** The name of the claim behind a volume; undefined: there is none. */
export function claimNameOf(
  { metadata }: Pick<Pod, 'metadata'>,
  { name, persistentVolumeClaim, ephemeral }: Volume,
): string | undefined {
  return persistentVolumeClaim?.claimName ?? (ephemeral && `${metadata?.name}-${name}`)
}

export const usesClaim = (pod: Pod, claim: string): boolean =>
  pod.spec?.volumes?.some((volume) => claimNameOf(pod, volume) === claim) ?? false
