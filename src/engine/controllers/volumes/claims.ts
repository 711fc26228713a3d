import type { Pod, Volume } from 'kubernetes-types/core/v1'

/** @returns undefined for other volumes */
export function claimNameOf(
  { metadata }: Pick<Pod, 'metadata'>,
  { name, persistentVolumeClaim, ephemeral }: Volume,
): string | undefined {
  return persistentVolumeClaim?.claimName ?? (ephemeral && `${metadata?.name}-${name}`)
}

export const usesClaim = (pod: Pod, claim: string): boolean =>
  pod.spec?.volumes?.some((volume) => claimNameOf(pod, volume) === claim) ?? false
