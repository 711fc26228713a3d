/** The claims of a pod: whether a node can reach their volumes, and which volumes they get there. */
import type { PersistentVolumeClaim, Pod } from 'kubernetes-types/core/v1'
import { draftOf } from '../../object'
import type { Client } from '../runtime/client'
import type { Stored } from '../runtime/stored'
import { matchesSelector } from '../shared/node-affinity'
import { BOUND_BY_CONTROLLER, SELECTED_NODE, usesClaim } from '../volumes/binder'
import { bestVolume, classOf, type Volume } from '../volumes/matching'
import type { Cluster, NodeState } from './cluster'
import type { Refusal } from './filters'

type Claim = Stored<PersistentVolumeClaim>
const NO_PROVISIONER = 'kubernetes.io/no-provisioner'
const ALONE = 'ReadWriteOncePod'

export interface VolumePlan {
  /** Why the pod can be nowhere: asked before any node is looked at. */
  problem: string | undefined
  refusal(state: NodeState): Refusal | undefined
  /** Promises volumes to the claims that wait for a node. @returns whether all claims are bound already */
  bind(client: Client, state: NodeState): Promise<boolean>
}

export function volumePlan(cluster: Cluster, pod: Stored<Pod>): VolumePlan {
  const claims: Claim[] = []
  let problem: string | undefined
  for (const { persistentVolumeClaim } of pod.spec?.volumes ?? []) {
    const name = persistentVolumeClaim?.claimName
    if (name === undefined) continue
    const claim = cluster.claims.get(`${pod.metadata.namespace}/${name}`)
    if (claim === undefined) problem ??= `persistentvolumeclaim ${JSON.stringify(name)} not found`
    else if (claim.metadata.deletionTimestamp) problem ??= `persistentvolumeclaim ${JSON.stringify(name)} is being deleted`
    else claims.push(claim)
  }
  const isBound = (claim: Claim) => claim.status?.phase === 'Bound' && Boolean(claim.spec?.volumeName)
  const waits = (claim: Claim) => cluster.classes.get(classOf(claim))?.volumeBindingMode === 'WaitForFirstConsumer'
  if (problem === undefined && claims.some((claim) => !isBound(claim) && !waits(claim)))
    problem = 'pod has unbound immediate PersistentVolumeClaims'

  const volumeFor = (claim: Claim, { node }: NodeState, taken: Set<Volume>): Volume | undefined =>
    bestVolume(
      claim,
      [...cluster.volumes.list()].filter((volume) => !taken.has(volume)),
      { node },
    )

  return {
    problem,
    refusal(state) {
      if (claims.some((claim) => claim.spec?.accessModes?.includes(ALONE) && isUsed(cluster, pod, claim))) {
        return { reasons: ['node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode'], final: false }
      }
      const taken = new Set<Volume>()
      for (const claim of claims) {
        if (isBound(claim)) {
          const volume = cluster.volumes.get(claim.spec?.volumeName ?? '')
          if (volume === undefined)
            return { reasons: ['node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)'], final: true }
          const required = volume.spec?.nodeAffinity?.required
          if (required && !matchesSelector(required, state.node))
            return { reasons: ['node(s) had volume node affinity conflict'], final: true }
          continue
        }
        const volume = volumeFor(claim, state, taken)
        const provisioner = cluster.classes.get(classOf(claim))?.provisioner
        if (volume) taken.add(volume)
        else if (provisioner === NO_PROVISIONER)
          return { reasons: ["node(s) didn't find available persistent volumes to bind"], final: true }
      }
      return undefined
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
          await client.merge(claim, { metadata: { annotations: { [SELECTED_NODE]: state.node.metadata.name } } })
        }
      }
      return bound
    },
  }
}

async function promise(client: Client, volume: Volume, claim: Claim): Promise<void> {
  if (volume.spec?.claimRef?.uid === claim.metadata.uid) return
  const { namespace = '', name = '', uid = '', resourceVersion = '' } = claim.metadata
  const draft = draftOf(volume)
  draft.metadata.annotations = { ...draft.metadata.annotations, [BOUND_BY_CONTROLLER]: 'yes' }
  const claimRef = { kind: 'PersistentVolumeClaim', namespace, name, uid, apiVersion: 'v1', resourceVersion }
  await client.update({ ...draft, spec: { ...volume.spec, claimRef } })
}

const isUsed = (cluster: Cluster, pod: Stored<Pod>, { metadata }: Claim): boolean =>
  [...cluster.pods.list(metadata.namespace)].some(
    (other) => other.metadata.uid !== pod.metadata.uid && Boolean(other.spec?.nodeName) && usesClaim(other, metadata.name ?? ''),
  )
