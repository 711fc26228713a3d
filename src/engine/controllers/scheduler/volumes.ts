import type { PersistentVolumeClaim, Pod } from 'kubernetes-types/core/v1'
import type { StorageClass } from 'kubernetes-types/storage/v1'
import { draftOf, entryOf } from '../../core/object'
import type { Client } from '../runtime/client'
import type { Stored } from '../runtime/stored'
import { matchesSelector } from '../shared/node-affinity'
import { isControlledBy } from '../shared/ownership'
import { BOUND_BY_CONTROLLER, SELECTED_NODE } from '../volumes/binder'
import { claimNameOf, usesClaim } from '../volumes/claims'
import { bestVolume, classOf, type Volume } from '../volumes/matching'
import { hasRoom } from './capacity'
import type { Cluster, NodeState } from './cluster'
import { diskCollides } from './disks'
import type { VolumePlan } from './types'

type Claim = Stored<PersistentVolumeClaim>
const NO_PROVISIONER = 'kubernetes.io/no-provisioner'
const ALONE = 'ReadWriteOncePod'

export function volumePlan(cluster: Cluster, pod: Stored<Pod>): VolumePlan {
  const claims: Claim[] = []
  let problem: string | undefined
  for (const volume of pod.spec?.volumes ?? []) {
    const name = claimNameOf(pod, volume)
    if (name === undefined) continue
    const claim = cluster.claims.get(`${pod.metadata.namespace}/${name}`)
    const why = problemOf(pod, claim, { name, ownPod: volume.ephemeral !== undefined })
    if (why === undefined && claim) claims.push(claim)
    problem ??= why
  }
  const isBound = (claim: Claim) =>
    claim.status?.phase === 'Bound' && Boolean(claim.spec?.volumeName)
  const waits = (claim: Claim) =>
    cluster.classes.get(classOf(claim))?.volumeBindingMode === 'WaitForFirstConsumer'
  if (problem === undefined && claims.some((claim) => !isBound(claim) && !waits(claim)))
    problem = 'pod has unbound immediate PersistentVolumeClaims'

  const volumeFor = (claim: Claim, { node }: NodeState, taken: Set<Volume>): Volume | undefined =>
    bestVolume(
      claim,
      [...cluster.volumes.list()].filter((volume) => !taken.has(volume)),
      { node },
    )

  const isMissing = problem?.startsWith('persistentvolumeclaim ') && problem.endsWith(' not found')
  return {
    problem,
    problemBy: isMissing ? 'VolumeRestrictions' : 'VolumeBinding',
    filter(state) {
      if (diskCollides(pod, state.pods))
        return {
          reasons: ['node(s) had no available disk'],
          final: false,
          by: 'VolumeRestrictions',
        }
      if (
        claims.some(
          (claim) => claim.spec?.accessModes?.includes(ALONE) && isUsed(cluster, pod, claim),
        )
      ) {
        const reason =
          'node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode'
        return { reasons: [reason], final: false, by: 'VolumeRestrictions' }
      }
      const taken = new Set<Volume>()
      for (const claim of claims) {
        if (isBound(claim)) {
          const volume = cluster.volumes.get(claim.spec?.volumeName ?? '')
          if (volume === undefined)
            return {
              reasons: [
                'node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)',
              ],
              final: true,
            }
          const required = volume.spec?.nodeAffinity?.required
          if (required && !matchesSelector(required, state.node))
            return { reasons: ['node(s) had volume node affinity conflict'], final: true }
          continue
        }
        const volume = volumeFor(claim, state, taken)
        if (volume) taken.add(volume)
        else if (!canBeMadeAt(cluster.classes.get(classOf(claim)), state))
          return {
            reasons: ["node(s) didn't find available persistent volumes to bind"],
            final: true,
          }
        else if (!hasRoom(cluster, claim, state))
          return { reasons: ['node(s) did not have enough free storage'], final: true }
      }
      const bound = claims
        .filter(isBound)
        .flatMap((claim) => cluster.volumes.get(claim.spec?.volumeName ?? '') ?? [])
      return bound.every((volume) => isInPlaceOf(volume, state))
        ? undefined
        : { reasons: ['node(s) had no available volume zone'], final: true }
    },
    async bind(client, state) {
      const taken = new Set<Volume>()
      let bound = true
      for (const claim of claims.filter((candidate) => !isBound(candidate))) {
        bound = false
        const volume = volumeFor(claim, state, taken)
        if (volume) {
          taken.add(volume)
          await promise(client, volume, claim)
        } else if (claim.metadata.annotations?.[SELECTED_NODE] !== state.node.metadata.name) {
          await client.merge(claim, {
            metadata: { annotations: { [SELECTED_NODE]: state.node.metadata.name } },
          })
        }
      }
      return bound
    },
  }
}

/** @param ownPod the claim is of an ephemeral volume of the pod */
function problemOf(
  pod: Stored<Pod>,
  claim: Claim | undefined,
  { name, ownPod }: { name: string; ownPod: boolean },
): string | undefined {
  const quoted = JSON.stringify(name)
  if (claim === undefined) {
    return ownPod
      ? `waiting for ephemeral volume controller to create the persistentvolumeclaim ${quoted}`
      : `persistentvolumeclaim ${quoted} not found`
  }
  const { metadata, spec, status } = claim
  if (status?.phase === 'Lost')
    return `persistentvolumeclaim ${quoted} bound to non-existent persistentvolume ${JSON.stringify(spec?.volumeName ?? '')}`
  if (metadata.deletionTimestamp) return `persistentvolumeclaim ${quoted} is being deleted`
  if (!ownPod || isControlledBy(claim, pod)) return undefined
  return `PVC ${metadata.namespace}/${name} was not created for pod ${pod.metadata.namespace}/${pod.metadata.name} (pod is not owner)`
}

/** Whether the class can provision a volume for the node. */
function canBeMadeAt(storageClass: StorageClass | undefined, { node }: NodeState): boolean {
  if (!storageClass?.provisioner || storageClass.provisioner === NO_PROVISIONER) return false
  const terms = storageClass.allowedTopologies ?? []
  const labels = node.metadata.labels ?? {}
  return (
    terms.length === 0 ||
    terms.some(({ matchLabelExpressions = [] }) =>
      matchLabelExpressions.every(({ key, values }) => values.includes(entryOf(labels, key) ?? '')),
    )
  )
}

const PLACES: [label: string, old: string][] = [
  ['topology.kubernetes.io/zone', 'failure-domain.beta.kubernetes.io/zone'],
  ['topology.kubernetes.io/region', 'failure-domain.beta.kubernetes.io/region'],
]

/** A node without zone and region labels matches. */
function isInPlaceOf(volume: Volume, { node }: NodeState): boolean {
  const own = node.metadata.labels ?? {}
  if (!PLACES.flat().some((label) => entryOf(own, label) !== undefined)) return true
  return PLACES.every(([label, old]) =>
    [label, old].every((key) => {
      const places = entryOf(volume.metadata.labels, key)?.split('__')
      return (
        places === undefined ||
        places.includes(entryOf(own, key) ?? entryOf(own, key === label ? old : label) ?? '')
      )
    }),
  )
}

async function promise(client: Client, volume: Volume, claim: Claim): Promise<void> {
  if (volume.spec?.claimRef?.uid === claim.metadata.uid) return
  const { namespace = '', name = '', uid = '', resourceVersion = '' } = claim.metadata
  const draft = draftOf(volume)
  draft.metadata.annotations = { ...draft.metadata.annotations, [BOUND_BY_CONTROLLER]: 'yes' }
  const claimRef = {
    kind: 'PersistentVolumeClaim',
    namespace,
    name,
    uid,
    apiVersion: 'v1',
    resourceVersion,
  }
  await client.update({ ...draft, spec: { ...volume.spec, claimRef } })
}

const isUsed = (cluster: Cluster, pod: Stored<Pod>, { metadata }: Claim): boolean =>
  [...cluster.pods.list(metadata.namespace)].some(
    (other) =>
      other.metadata.uid !== pod.metadata.uid &&
      Boolean(other.spec?.nodeName) &&
      usesClaim(other, metadata.name ?? ''),
  )
