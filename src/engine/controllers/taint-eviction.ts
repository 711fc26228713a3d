/** Removes pods from nodes whose taints drive them off: at once, or when the time is over for which they tolerate that. */
import type { Node, Pod, Taint } from 'kubernetes-types/core/v1'
import { timestamp } from '../environment'
import type { Controller } from './runtime/manager'
import type { Stored } from './runtime/stored'
import { condition, noteDisruption } from './shared/pods'
import { taintsOf, tolerates } from './shared/taints'

const NAME = 'taint-eviction-controller'

export const taintEviction: Controller = {
  name: NAME,
  run(manager) {
    const nodes = manager.informer<Node>('', 'nodes')
    const pods = manager.informer<Pod>('', 'pods')
    const podsOn = pods.groupedBy(({ spec }) => spec?.nodeName)
    const client = manager.client('node-controller')
    const recorder = manager.recorder(client, NAME)
    /** Since when a pod's time runs. */
    const begun = new Map<string, number>()
    const queue = manager.queue(NAME, async (key) => {
      const pod = pods.get(key)
      const node = pod && nodes.get(pod.spec?.nodeName ?? '')
      const taints = node ? taintsOf(node).filter(({ effect }) => effect === 'NoExecute') : []
      if (pod === undefined || pod.metadata.deletionTimestamp || taints.length === 0) {
        if (begun.delete(key) && pod && !pod.metadata.deletionTimestamp) {
          recorder.event(pod, 'Normal', 'TaintManagerEviction', `Cancelling deletion of Pod ${key}`)
        }
        return
      }
      const seconds = toleratedSeconds(pod, taints)
      if (seconds === undefined) return
      const since = begun.get(key) ?? manager.now()
      begun.set(key, since)
      const left = since + seconds * 1000 - manager.now()
      if (left > 0) {
        queue.addAfter(key, left)
        return
      }
      recorder.event(pod, 'Normal', 'TaintManagerEviction', `Marking for deletion Pod ${key}`)
      if (condition(pod, 'DisruptionTarget')?.status !== 'True') {
        const message = 'Taint manager: deleting due to NoExecute taint'
        await noteDisruption(client, pod, { reason: 'DeletionByTaintManager', message, time: timestamp(manager.now()) })
      }
      await client.delete(pod)
      begun.delete(key)
    })
    nodes.onChange(({ object, previous }) => {
      if (!taintsOf(object).some(({ effect }) => effect === 'NoExecute') && !(previous && taintsOf(previous).length > 0)) return
      for (const pod of podsOn.of(object.metadata.name ?? '')) queue.add(`${pod.metadata.namespace}/${pod.metadata.name}`)
    })
    pods.onChange(({ key, object, type }) => {
      if (type === 'DELETED') begun.delete(key)
      else if (object.spec?.nodeName && taintsOf(nodes.get(object.spec.nodeName) ?? {}).length > 0) queue.add(key)
    })
  },
}

/** For how many seconds the pod stands all of the taints; undefined: for ever. Of several tolerations for a taint the first counts. */
function toleratedSeconds(pod: Stored<Pod>, taints: Taint[]): number | undefined {
  const used = taints.map((taint) => (pod.spec?.tolerations ?? []).find((toleration) => tolerates(toleration, taint)))
  if (used.includes(undefined)) return 0
  const seconds = used.flatMap((toleration) => toleration?.tolerationSeconds ?? [])
  return seconds.length === 0 ? undefined : Math.max(0, Math.min(...seconds))
}
