/** The network between pods, as kubelets know it from their caches. */
import type { ClusterObjects } from '../../simulation/network/cluster'
import { Network } from '../../simulation/network/network'
import type { Informer } from '../runtime/informer'
import type { Manager } from '../runtime/manager'

const SOURCES = [
  ['pods', '', 'pods'],
  ['services', '', 'services'],
  ['slices', 'discovery.k8s.io', 'endpointslices'],
  ['policies', 'networking.k8s.io', 'networkpolicies'],
  ['namespaces', '', 'namespaces'],
  ['nodes', '', 'nodes'],
] as const

export class ClusterNetwork {
  private readonly informers: readonly (readonly [string, Informer<object>])[]
  private readonly changed = new Set<string>(SOURCES.map(([name]) => name))
  private objects: Record<string, readonly object[]> = {}

  constructor(private readonly manager: Manager) {
    this.informers = SOURCES.map(([name, group, resource]) => [
      name,
      manager.informer<object>(group, resource),
    ])
    for (const [name, informer] of this.informers) informer.onChange(() => this.changed.add(name))
  }

  /** The network of this moment. */
  now(): Network {
    for (const [name, informer] of this.informers)
      if (this.changed.delete(name)) this.objects = { ...this.objects, [name]: sorted(informer) }
    const { simulation } = this.manager.engine
    const objects = this.objects as unknown as ClusterObjects
    return new Network(objects, simulation.network, this.manager.now())
  }
}

/** In the order of names, as the store has them. */
const sorted = (informer: Informer<object>): object[] =>
  [...informer.list()]
    .map((object) => [`${object.metadata.namespace}/${object.metadata.name}`, object] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, object]) => object)
