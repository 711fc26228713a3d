/** The network that programs of simulated containers reach, from the stored objects. */
import type { Engine } from '../../registry/engine'
import { storageRange } from '../../registry/resource'
import type { ClusterObjects } from '../../simulation/network/cluster'
import { Network } from '../../simulation/network/network'

/** Reads everything that decides about connections. It is not cached, since commands are rare. */
export async function networkOf(
  engine: Engine,
  state = engine.simulation.network,
): Promise<Network> {
  const { resources, storage } = engine
  const all = async <Kind>(group: string, plural: string): Promise<Kind[]> => {
    const resource = resources.find(group, 'v1', plural)
    const found = resource ? (await storage.range(storageRange(resource, ''))).items : []
    return found.map(({ object }) => object as Kind)
  }
  const [pods, services, slices, policies, namespaces, nodes] = await Promise.all([
    all<ClusterObjects['pods'][number]>('', 'pods'),
    all<ClusterObjects['services'][number]>('', 'services'),
    all<ClusterObjects['slices'][number]>('discovery.k8s.io', 'endpointslices'),
    all<ClusterObjects['policies'][number]>('networking.k8s.io', 'networkpolicies'),
    all<ClusterObjects['namespaces'][number]>('', 'namespaces'),
    all<ClusterObjects['nodes'][number]>('', 'nodes'),
  ])
  const objects = { pods, services, slices, policies, namespaces, nodes }
  return new Network(objects, state, engine.clock.now())
}
