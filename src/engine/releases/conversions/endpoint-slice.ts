/** v1 has members for two topology keys: kubernetes.io, "Deprecated API Migration Guide". */
import { isJsonObject, type JsonObject } from '../../core/object'
import type { Conversion } from '../conversion-type'
import { objectAt, withEach } from './members'

const HUB = { group: 'discovery.k8s.io', version: 'v1' }
export const HOSTNAME_KEY = 'kubernetes.io/hostname'
const ZONE_KEY = 'topology.kubernetes.io/zone'

function endpointToHub({ topology, ...endpoint }: JsonObject): JsonObject {
  if (!isJsonObject(topology)) return endpoint
  const { [ZONE_KEY]: zone, ...others } = topology
  // Keeps a host that is not the node.
  if (endpoint.nodeName && others[HOSTNAME_KEY] === endpoint.nodeName) delete others[HOSTNAME_KEY]
  return {
    ...endpoint,
    ...(zone === undefined ? {} : { zone }),
    ...(Object.keys(others).length > 0 ? { deprecatedTopology: others } : {}),
  }
}

function endpointFromHub({ deprecatedTopology, zone, ...endpoint }: JsonObject): JsonObject {
  const topology: JsonObject = {
    ...objectAt({ deprecatedTopology: deprecatedTopology ?? null }, 'deprecatedTopology'),
  }
  if (endpoint.nodeName) topology[HOSTNAME_KEY] ??= endpoint.nodeName
  if (typeof zone === 'string') topology[ZONE_KEY] = zone
  return Object.keys(topology).length > 0 ? { ...endpoint, topology } : endpoint
}

export const endpointSliceV1beta1: Conversion = {
  hub: HUB,
  toHub: (object) => ({
    ...withEach(object, 'endpoints', endpointToHub),
    apiVersion: 'discovery.k8s.io/v1',
  }),
  fromHub: (object) => ({
    ...withEach(object, 'endpoints', endpointFromHub),
    apiVersion: 'discovery.k8s.io/v1beta1',
  }),
}
