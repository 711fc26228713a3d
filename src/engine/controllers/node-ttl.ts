/** Tells every node how long it may keep what it knows of secrets and config maps: the longer, the more nodes there are. */
import type { Node } from 'kubernetes-types/core/v1'
import type { Controller } from './runtime/manager'

const ANNOTATION = 'node.alpha.kubernetes.io/ttl'
/** From so many nodes on, so many seconds. */
const STEPS = [
  { from: 1801, seconds: 300 },
  { from: 901, seconds: 60 },
  { from: 451, seconds: 30 },
  { from: 101, seconds: 15 },
]

export const nodeTtl: Controller = {
  name: 'ttl-controller',
  run(manager) {
    const nodes = manager.informer<Node>('', 'nodes')
    const client = manager.client('ttl-controller')
    let count = 0
    const wanted = () => String(STEPS.find(({ from }) => count >= from)?.seconds ?? 0)
    const queue = manager.queue('ttl-controller', async (key) => {
      const node = nodes.get(key)
      const value = wanted()
      if (node === undefined || node.metadata.annotations?.[ANNOTATION] === value) return
      await client.strategicMerge(node, { metadata: { annotations: { [ANNOTATION]: value } } })
    })
    nodes.onChange(({ type, key }) => {
      const before = wanted()
      if (type === 'ADDED') count++
      if (type === 'DELETED') count--
      if (type !== 'DELETED') queue.add(key)
      if (wanted() !== before) for (const { metadata } of nodes.list()) queue.add(metadata.name ?? '')
    })
  },
}
