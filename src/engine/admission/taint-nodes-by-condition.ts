/** Taints new nodes as not ready. */
import type { KubeObject } from '../core/object'
import type { AdmissionPlugin } from './admission'

interface Node extends KubeObject {
  spec?: { taints?: { key: string; effect: string }[] }
}

const NOT_READY = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }

export function taintNodesByCondition(): AdmissionPlugin {
  return {
    name: 'TaintNodesByCondition',
    operations: ['CREATE'],
    resources: ['nodes'],
    mutate({ object }) {
      const node = object as Node
      const taints = node.spec?.taints ?? []
      if (taints.some(({ key, effect }) => key === NOT_READY.key && effect === NOT_READY.effect))
        return
      node.spec = { ...node.spec, taints: [...taints, NOT_READY] }
    },
  }
}
