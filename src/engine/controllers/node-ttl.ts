/**
 * TTL of the kubelet's cache of Secrets and ConfigMaps, as k8s.io/kubernetes/pkg/controller/ttl.
 */
import type { Node } from 'kubernetes-types/core/v1'
import type { Controller } from './runtime/manager'

const ANNOTATION = 'node.alpha.kubernetes.io/ttl'
/** Ranges overlap, so that small changes do not toggle the TTL. */
const STEPS = [
  { least: 0, most: 100, seconds: 0 },
  { least: 90, most: 500, seconds: 15 },
  { least: 450, most: 1000, seconds: 30 },
  { least: 900, most: 2000, seconds: 60 },
  { least: 1800, most: Number.POSITIVE_INFINITY, seconds: 300 },
] as const

export class TimeToLive {
  private count = 0
  private step = 0

  get seconds(): number {
    return STEPS[this.step]?.seconds ?? 0
  }

  add(): void {
    this.count++
    if (this.count > (STEPS[this.step]?.most ?? 0)) this.step++
  }

  remove(): void {
    this.count--
    if (this.count < (STEPS[this.step]?.least ?? 0)) this.step--
  }
}

export const nodeTtl: Controller = {
  name: 'ttl-controller',
  run(manager) {
    const nodes = manager.informer<Node>('', 'nodes')
    const client = manager.client('ttl-controller')
    const time = new TimeToLive()
    const queue = manager.queue('ttl-controller', async (key) => {
      const node = nodes.get(key)
      const value = String(time.seconds)
      if (node === undefined || node.metadata.annotations?.[ANNOTATION] === value) return
      await client.strategicMerge(node, { metadata: { annotations: { [ANNOTATION]: value } } })
    })
    nodes.onChange(({ type, key }) => {
      const before = time.seconds
      if (type === 'ADDED') time.add()
      if (type === 'DELETED') time.remove()
      if (type !== 'DELETED') queue.add(key)
      if (time.seconds !== before)
        for (const { metadata } of nodes.list()) queue.add(metadata.name ?? '')
    })
  },
}
