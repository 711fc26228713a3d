/**
 * Nodes that run no container. https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/
 * https://kubernetes.io/docs/concepts/architecture/nodes/
 */

import type { Lease } from 'kubernetes-types/coordination/v1'
import type { ConfigMap, Node, Pod, Secret, Service } from 'kubernetes-types/core/v1'
import type { RuntimeClass } from 'kubernetes-types/node/v1'
import { BEHAVIORS_NAMES, BEHAVIORS_NAMESPACE } from '../../simulation/behavior'
import type { Informer } from '../runtime/informer'
import type { Controller } from '../runtime/manager'
import { keyOf } from '../runtime/stored'
import { Agent, LEASE_MILLISECONDS } from './agent'
import { ClusterNetwork } from './cluster-network'
import { LEASES } from './leases'

/** @param count of node-1, node-2 … */
export function simulatedNodes(count: number): Controller {
  return {
    name: 'simulated-nodes',
    run(manager) {
      const nodes = manager.informer<Node>('', 'nodes')
      const leases = manager.informer<Lease>('coordination.k8s.io', 'leases')
      const pods = manager.informer<Pod>('', 'pods')
      const configMaps = manager.informer<ConfigMap>('', 'configmaps')
      const secrets = manager.informer<Secret>('', 'secrets')
      const services = manager.informer<Service>('', 'services')
      const runtimeClasses = manager.informer<RuntimeClass>('node.k8s.io', 'runtimeclasses')
      const podsHere = pods.groupedBy(({ spec }) => spec?.nodeName)
      const addresses = takenAddresses(pods)
      const network = new ClusterNetwork(manager)
      const agents = new Map<string, Agent>()
      for (let i = 1; i <= count; i++) {
        const name = `node-${i}`
        agents.set(
          name,
          new Agent(manager, {
            name,
            number: i,
            nodes,
            leases,
            pods,
            podsHere,
            configMaps,
            secrets,
            services,
            runtimeClasses,
            addresses,
            network,
          }),
        )
      }
      nodes.onChange(({ key, type }) => type !== 'DELETED' && agents.get(key)?.wake())
      leases.onChange(({ type, object: { metadata } }) => {
        if (type === 'DELETED' && metadata.namespace === LEASES)
          agents.get(metadata.name ?? '')?.wakeAfter(LEASE_MILLISECONDS)
      })
      pods.onChange(({ type, key, object }) => {
        const agent = agents.get(object.spec?.nodeName ?? '')
        if (type === 'DELETED') {
          agent?.dropPod(key)
          manager.engine.simulation.delete(object.metadata.uid ?? '')
        } else agent?.look(key)
      })
      manager.engine.simulation.network.filesOf = (pod, container) =>
        agents.get(pod.spec?.nodeName ?? '')?.filesOf(pod, container)
      manager.engine.simulation.onChange((key) => {
        agents.get(pods.get(key)?.spec?.nodeName ?? '')?.look(key)
      })
      for (const informer of [configMaps, secrets])
        (informer as typeof configMaps).onChange(({ key }) => {
          const [namespace = '', name = ''] = key.split('/')
          for (const agent of agents.values()) {
            agent.lookAtWaiting(namespace)
            agent.lookAtVolumes(namespace, name)
          }
        })
      runtimeClasses.onChange(() => {
        for (const agent of agents.values()) agent.lookAtWaiting()
      })
      configMaps.onChange(({ object: { metadata } }) => {
        if (!BEHAVIORS_NAMES.includes(metadata.name ?? '')) return
        const concerned = pods.list(
          metadata.namespace === BEHAVIORS_NAMESPACE ? undefined : metadata.namespace,
        )
        for (const pod of concerned) agents.get(pod.spec?.nodeName ?? '')?.look(keyOf(pod))
      })
      manager.onStart(() => {
        for (const agent of agents.values()) agent.start()
      })
    },
  }
}

function takenAddresses(pods: Informer<Pod>): ReadonlySet<string> {
  const taken = new Set<string>()
  pods.onChange(({ type, object: { status } }) => {
    if (!status?.podIP) return
    if (type === 'DELETED') taken.delete(status.podIP)
    else taken.add(status.podIP)
  })
  return taken
}
