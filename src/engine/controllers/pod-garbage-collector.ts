/**
 * Deletes pods of missing nodes, terminating pods that no kubelet handles, and the oldest finished
 * pods.
 */
import type { Node, Pod } from 'kubernetes-types/core/v1'
import { timestamp } from '../core/environment'
import type { Controller } from './runtime/manager'
import type { Stored } from './runtime/stored'
import { hasEnded, noteDisruption } from './shared/pods'
import { NODE_TAINT, taintsOf } from './shared/taints'

const NAME = 'pod-garbage-collector-controller'
/** A missing node may come back. */
const QUARANTINE_MILLISECONDS = 40_000
/** terminated-pod-gc-threshold. */
const ENDED_LIMIT = 12_500

export const podGarbage: Controller = {
  name: NAME,
  run(manager) {
    const nodes = manager.informer<Node>('', 'nodes')
    const pods = manager.informer<Pod>('', 'pods')
    const podsOn = pods.groupedBy(({ spec }) => spec?.nodeName)
    const ended = pods.groupedBy((pod) => (hasEnded(pod) ? 'ended' : undefined))
    const client = manager.client('pod-garbage-collector')
    const missingSince = new Map<string, number>()
    let endedCount = 0
    const queue = manager.queue(NAME, async (key) => {
      const pod = pods.get(key)
      const node = pod?.spec?.nodeName
      if (pod === undefined) return
      if (!node) {
        if (pod.metadata.deletionTimestamp) await removeNow(pod)
        return
      }
      const there = nodes.get(node)
      if (there !== undefined) {
        if (isOutOfService(there) && pod.metadata.deletionTimestamp) await removeNow(pod)
        return
      }
      const since = missingSince.get(node) ?? manager.now()
      missingSince.set(node, since)
      const left = since + QUARANTINE_MILLISECONDS - manager.now()
      if (left > 0) {
        queue.addAfter(key, left)
        return
      }
      if (!hasEnded(pod)) {
        const message = 'PodGC: node no longer exists'
        await noteDisruption(client, pod, {
          reason: 'DeletionByPodGC',
          message,
          time: timestamp(manager.now()),
          phase: 'Failed',
        })
      }
      await client.delete(pod, { gracePeriodSeconds: 0 })
    })
    /** No kubelet sets the phase. */
    async function removeNow(pod: Stored<Pod>): Promise<void> {
      if (!hasEnded(pod))
        await client.strategicMerge(
          pod,
          { metadata: { uid: pod.metadata.uid }, status: { phase: 'Failed' } },
          'status',
        )
      await client.delete(pod, { gracePeriodSeconds: 0 })
    }
    const oldest = manager.queue(`${NAME} ended`, async () => {
      const all = ended
        .of('ended')
        .sort((a, b) =>
          (a.metadata.creationTimestamp ?? '') < (b.metadata.creationTimestamp ?? '') ? -1 : 1,
        )
      for (const pod of all.slice(0, Math.max(0, all.length - ENDED_LIMIT)))
        await client.delete(pod, { gracePeriodSeconds: 0 })
    })
    nodes.onChange(({ type, key, object }) => {
      if (type !== 'DELETED') {
        missingSince.delete(key)
        if (!isOutOfService(object)) return
      }
      for (const { metadata } of podsOn.of(key)) queue.add(`${metadata.namespace}/${metadata.name}`)
    })
    pods.onChange(({ type, key, object, previous }) => {
      endedCount +=
        Number(type !== 'DELETED' && hasEnded(object)) -
        Number(previous !== undefined && hasEnded(previous))
      if (endedCount > ENDED_LIMIT) oldest.add('ended')
      const node = object.spec?.nodeName
      if (type === 'DELETED') {
        if (node && missingSince.has(node) && podsOn.of(node).length === 0)
          missingSince.delete(node)
        return
      }
      const there = node === undefined ? undefined : nodes.get(node)
      if (node && there === undefined) queue.add(key)
      else if (object.metadata.deletionTimestamp && (there === undefined || isOutOfService(there)))
        queue.add(key)
    })
  },
}

/** https://kubernetes.io/docs/concepts/cluster-administration/node-shutdown/ */
const isOutOfService = (node: Stored<Node>): boolean =>
  taintsOf(node).some(({ key }) => key === NODE_TAINT.outOfService) &&
  !node.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True')
