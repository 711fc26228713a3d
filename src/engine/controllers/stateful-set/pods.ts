import type { StatefulSet } from 'kubernetes-types/apps/v1'
import type { PersistentVolumeClaim, Pod, PodTemplateSpec, Volume } from 'kubernetes-types/core/v1'
import type { OwnerReference } from '../../core/object'
import type { Stored } from '../runtime/stored'
import { controllerReference } from '../shared/ownership'
import { podFrom } from '../shared/pods'

const POD_NAME_LABEL = 'statefulset.kubernetes.io/pod-name'
const INDEX_LABEL = 'apps.kubernetes.io/pod-index'
export const REVISION_LABEL = 'controller-revision-hash'

export const startOf = ({ spec }: StatefulSet): number =>
  (spec as { ordinals?: { start?: number } } | undefined)?.ordinals?.start ?? 0
export const podName = (set: Stored<StatefulSet>, ordinal: number): string =>
  `${set.metadata.name}-${ordinal}`

/** @returns -1 if the name is not the set's */
export function ordinalOf(set: Stored<StatefulSet>, { metadata }: Stored<Pod>): number {
  const [, owner, ordinal] = /^(.*)-(\d+)$/.exec(metadata.name ?? '') ?? []
  return owner === set.metadata.name && ordinal !== undefined ? Number(ordinal) : -1
}

const claimName = (set: Stored<StatefulSet>, template: string, ordinal: number): string =>
  `${template}-${podName(set, ordinal)}`

export function statefulPod(
  set: Stored<StatefulSet>,
  template: PodTemplateSpec | undefined,
  revision: string,
  ordinal: number,
  hasIndex: boolean,
) {
  const pod = podFrom(template, set)
  const name = podName(set, ordinal)
  pod.metadata.name = name
  pod.metadata.labels = {
    ...pod.metadata.labels,
    ...placeLabels(set, ordinal, hasIndex),
    [REVISION_LABEL]: revision,
  }
  const claims = set.spec?.volumeClaimTemplates ?? []
  const claimed = claims.map(
    ({ metadata }): Volume => ({
      name: metadata?.name ?? '',
      persistentVolumeClaim: { claimName: claimName(set, metadata?.name ?? '', ordinal) },
    }),
  )
  const others = (pod.spec?.volumes ?? []).filter(
    (volume) => !claimed.some((own) => own.name === volume.name),
  )
  const volumes = [...claimed, ...others]
  const subdomain = set.spec?.serviceName
  const spec = {
    ...pod.spec,
    hostname: name,
    ...(subdomain && { subdomain }),
    ...(volumes.length > 0 && { volumes }),
  }
  return { ...pod, spec }
}

export function claimsOf(set: Stored<StatefulSet>, ordinal: number) {
  return (set.spec?.volumeClaimTemplates ?? []).map(({ metadata, spec }) => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      ...(metadata?.annotations && { annotations: metadata.annotations }),
      name: claimName(set, metadata?.name ?? '', ordinal),
      namespace: set.metadata.namespace ?? '',
      labels: { ...metadata?.labels, ...set.spec?.selector.matchLabels },
    },
    spec,
  }))
}

/** Whether name, labels and volumes match the identity. */
export function isInPlace(set: Stored<StatefulSet>, pod: Stored<Pod>, hasIndex: boolean): boolean {
  const ordinal = ordinalOf(set, pod)
  return (
    ordinal >= 0 &&
    pod.metadata.labels?.[POD_NAME_LABEL] === pod.metadata.name &&
    (!hasIndex || pod.metadata.labels?.[INDEX_LABEL] === String(ordinal)) &&
    (set.spec?.volumeClaimTemplates ?? []).every(({ metadata }) =>
      pod.spec?.volumes?.some(
        ({ name, persistentVolumeClaim }) =>
          name === metadata?.name &&
          persistentVolumeClaim?.claimName === claimName(set, metadata?.name ?? '', ordinal),
      ),
    )
  )
}

export const placeLabels = (
  set: Stored<StatefulSet>,
  ordinal: number,
  hasIndex: boolean,
): Record<string, string> => ({
  [POD_NAME_LABEL]: podName(set, ordinal),
  ...(hasIndex && { [INDEX_LABEL]: String(ordinal) }),
})

/**
 * Applies `persistentVolumeClaimRetentionPolicy`. Keeps other owners, and claims with another
 * controller.
 */
export function claimOwners(
  set: Stored<StatefulSet>,
  pod: Stored<Pod>,
  claim: Stored<PersistentVolumeClaim>,
  condemned: boolean,
): OwnerReference[] {
  const { whenDeleted, whenScaled } = set.spec?.persistentVolumeClaimRetentionPolicy ?? {}
  const present = claim.metadata.ownerReferences ?? []
  const strangers = present.filter(
    ({ uid }) => uid !== set.metadata.uid && uid !== pod.metadata.uid,
  )
  if (strangers.some(({ controller }) => controller)) return present
  if (whenScaled === 'Delete' && condemned) return [...strangers, controllerReference(pod)]
  return whenDeleted === 'Delete' ? [...strangers, controllerReference(set)] : strangers
}
