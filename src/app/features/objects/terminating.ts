/** What the deletion of an object waits for, and the request that ends the wait. */
import type { PersistentVolume, Pod } from 'kubernetes-types/core/v1'
import type { KubeObject } from '../../../engine/core/object'
import { conditionsOf } from '../../state/health/health'
import type { OwnerReference } from '../../state/tree-object'
import type { SelectedObject } from '../../state/view'
import { TERMINATING } from './texts'

/** Another object of the cluster. */
export interface Peer extends SelectedObject {
  uid: string
  owners: readonly OwnerReference[]
  finalizers: readonly string[]
}

/** A request to the object itself. */
export interface Step {
  title: string
  about: string
  method: string
  contentType?: string
  body: string
}

export interface Wait {
  title: string
  text: string
  blockers: SelectedObject[]
  step: Step | undefined
}

export interface Terminating {
  /** When deletion was requested; milliseconds since the epoch. */
  since: number
  /** When the containers of a Pod are killed. */
  deadline: number | undefined
  waits: Wait[]
}

/** @returns undefined if the object is not being deleted */
export function terminatingOf(object: KubeObject, peers: readonly Peer[]): Terminating | undefined {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, finalizers = [] } = object.metadata
  if (deletionTimestamp === undefined) return undefined
  // The timestamp is the end of the grace period.
  const deadline = Date.parse(deletionTimestamp)
  const grace = Number(deletionGracePeriodSeconds) * 1000
  const waits = [
    ...(object.kind === 'Pod' ? containersOf(object, peers) : []),
    ...(object.kind === 'Namespace' ? contentOf(object, peers) : []),
    ...finalizers.map((finalizer, index) => heldBy(finalizer, index, object, peers)),
  ]
  return { since: deadline - grace, deadline: grace > 0 ? deadline : undefined, waits }
}

/** The kubelet deletes a Pod when its containers have stopped. */
function containersOf(object: KubeObject, peers: readonly Peer[]): Wait[] {
  const { spec, status } = object as KubeObject & Pod
  const node = spec?.nodeName
  const ended = status?.phase === 'Succeeded' || status?.phase === 'Failed'
  if (node === undefined || ended) return []
  return [
    {
      title: TERMINATING.containers,
      text: TERMINATING.kubelet(node),
      blockers: peers.filter((peer) => peer.resource.kind === 'Node' && peer.name === node),
      step: {
        title: TERMINATING.force,
        about: TERMINATING.forceAbout,
        method: 'DELETE',
        body: JSON.stringify({ gracePeriodSeconds: 0 }),
      },
    },
  ]
}

/** The namespace controller reports in conditions what is left. */
function contentOf(object: KubeObject, peers: readonly Peer[]): Wait[] {
  const inside = peers.filter(
    ({ namespace, finalizers }) => namespace === object.metadata.name && finalizers.length > 0,
  )
  const reported = conditionsOf(object).filter(({ status }) => status === 'True')
  if (reported.length === 0)
    return [
      {
        title: TERMINATING.content,
        text: TERMINATING.contentNext,
        blockers: inside,
        step: undefined,
      },
    ]
  const [first] = reported
  return reported.map((condition) => ({
    title: condition.type,
    text: condition.message ?? '',
    blockers: condition === first ? inside : [],
    step: undefined,
  }))
}

const KNOWN: ReadonlyMap<string, string> = new Map([
  ['foregroundDeletion', TERMINATING.foreground],
  ['orphan', TERMINATING.orphan],
  ['kubernetes.io/pvc-protection', TERMINATING.claimInUse],
  ['kubernetes.io/pv-protection', TERMINATING.volumeBound],
  ['batch.kubernetes.io/job-tracking', TERMINATING.jobTracking],
  ['service.kubernetes.io/load-balancer-cleanup', TERMINATING.loadBalancer],
  ['customresourcecleanup.apiextensions.k8s.io', TERMINATING.customResources],
])

function heldBy(
  finalizer: string,
  index: number,
  object: KubeObject,
  peers: readonly Peer[],
): Wait {
  const at = `/metadata/finalizers/${index}`
  return {
    title: TERMINATING.finalizer(finalizer),
    text: KNOWN.get(finalizer) ?? TERMINATING.controller,
    blockers: blockersOf(finalizer, object, peers),
    step: {
      title: TERMINATING.remove(finalizer),
      about: TERMINATING.removeAbout,
      method: 'PATCH',
      contentType: 'application/json-patch+json',
      // Fails if the list has changed since it was read.
      body: JSON.stringify([
        { op: 'test', path: at, value: finalizer },
        { op: 'remove', path: at },
      ]),
    },
  }
}

function blockersOf(finalizer: string, object: KubeObject, peers: readonly Peer[]): Peer[] {
  if (finalizer === 'foregroundDeletion')
    return peers.filter(({ owners }) =>
      owners.some(
        ({ uid, blockOwnerDeletion }) => uid === object.metadata.uid && blockOwnerDeletion,
      ),
    )
  if (finalizer === 'kubernetes.io/pv-protection') {
    const claim = (object as KubeObject & PersistentVolume).spec?.claimRef
    return peers.filter(({ uid }) => uid === claim?.uid)
  }
  const definition = object as { spec?: { group?: string; names?: { plural?: string } } }
  if (finalizer === 'customresourcecleanup.apiextensions.k8s.io')
    return peers.filter(
      ({ resource }) =>
        resource.group === definition.spec?.group &&
        resource.resource === definition.spec?.names?.plural,
    )
  return []
}
