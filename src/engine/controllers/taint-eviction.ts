/**
 * Deletes Pods from Nodes whose taints they do not tolerate.
 * https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/
 */

import type { Node, Pod, Taint } from 'kubernetes-types/core/v1'
import { timestamp } from '../core/environment'
import { smallest } from '../core/lists'
import type { Controller } from './runtime/manager'
import { type Stored, splitKey } from './runtime/stored'
import { condition, noteDisruption } from './shared/pods'
import { taintsOf, tolerationOf } from './shared/taints'

const NAME = 'taint-eviction-controller'

export const taintEviction: Controller = {
  name: NAME,
  run(manager) {
    const nodes = manager.informer<Node>('', 'nodes')
    const pods = manager.informer<Pod>('', 'pods')
    const podsOn = pods.groupedBy(({ spec }) => spec?.nodeName)
    const client = manager.client('node-controller')
    const recorder = manager.recorder(client, NAME)
    const planned = new Map<string, number>()
    const evicted = new Set<string>()
    /** Events name the pod without uid. */
    const recordEvent = (key: string, what: string) =>
      recorder.event(
        { kind: 'Pod', apiVersion: 'v1', ...splitKey(key) },
        'Normal',
        'TaintManagerEviction',
        `${what} Pod ${key}`,
      )
    const cancel = (key: string) => {
      evicted.delete(key)
      if (planned.delete(key)) recordEvent(key, 'Cancelling deletion of')
    }
    const queue = manager.queue(NAME, async (key) => {
      const pod = pods.get(key)
      if (pod === undefined) return cancel(key)
      const node = nodes.get(pod.spec?.nodeName ?? '')
      const due = planned.get(key)
      if (due !== undefined && due <= manager.now()) return evict(key, pod)
      // Deleting a node keeps scheduled deletions.
      if (node === undefined) return
      const seconds = toleratedSeconds(pod, drivingOff(node))
      if (seconds === undefined) return cancel(key)
      if (seconds === 'not at all') {
        if (evicted.has(key)) return
        cancel(key)
        return evict(key, pod)
      }
      if (evicted.has(key)) return
      // Changed tolerations do not move a scheduled deletion.
      const time = due ?? manager.now() + seconds * 1000
      planned.set(key, time)
      queue.addAfter(key, time - manager.now())
    })
    async function evict(key: string, pod: Stored<Pod>): Promise<void> {
      recordEvent(key, 'Marking for deletion')
      if (condition(pod, 'DisruptionTarget')?.status !== 'True') {
        const message = 'Taint manager: deleting due to NoExecute taint'
        await noteDisruption(client, pod, {
          reason: 'DeletionByTaintManager',
          message,
          time: timestamp(manager.now()),
        })
      }
      await client.delete(pod)
      planned.delete(key)
      evicted.add(key)
    }
    nodes.onChange(({ object, previous }) => {
      if (drivingOff(object).length === 0 && !(previous && drivingOff(previous).length > 0)) return
      for (const pod of podsOn.of(object.metadata.name ?? ''))
        queue.add(`${pod.metadata.namespace}/${pod.metadata.name}`)
    })
    pods.onChange(({ key, object, type }) => {
      if (type === 'DELETED') cancel(key)
      else if (object.spec?.nodeName && taintsOf(nodes.get(object.spec.nodeName) ?? {}).length > 0)
        queue.add(key)
    })
  },
}

const drivingOff = (node: Node): Taint[] =>
  taintsOf(node).filter(({ effect }) => effect === 'NoExecute')

/** Seconds; undefined: forever. The first matching toleration of a taint counts. */
function toleratedSeconds(pod: Stored<Pod>, taints: Taint[]): number | 'not at all' | undefined {
  const tolerations = pod.spec?.tolerations ?? []
  const used = taints.map((taint) => tolerationOf(tolerations, taint))
  if (used.includes(undefined)) return 'not at all'
  const seconds = used.flatMap((toleration) => toleration?.tolerationSeconds ?? [])
  return seconds.length === 0 ? undefined : Math.max(0, smallest(seconds))
}
