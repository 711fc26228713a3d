/** What a service is handed out: a cluster address, node ports, a health check port (document 1; messages recorded). */
import type { Random } from '../../environment'
import { invalid } from '../../http/status'
import { invalidValue } from '../field-errors'
import { invalidList } from '../rules/go-literal'
import type { StrategyContext } from '../strategy'
import {
  freeAddress,
  freeNodePort,
  isClusterAddress,
  isNodePort,
  NETWORK_TEXT,
  NODE_PORTS_TEXT,
  type Taken,
  takenByServices,
} from './service-addresses'
import { settleFamilies } from './service-families'
import { isExternalName, mayHaveNodePorts, NONE, needsHealthPort, needsNodePorts, type Service, type ServiceSpec } from './service-types'

type Below = (limit: number) => number

function below(random: Random): Below {
  return (limit) => random.bytes(new Uint8Array(4)).reduce((sum, byte) => (sum * 256 + byte) % limit, 0)
}

/**
 * Gives the service what it needs and does not have. What is taken of the old service stays its own.
 * @throws ApiError 422: what it asks for cannot be had
 */
export async function allocate(service: Service, old: Service | undefined, context: StrategyContext): Promise<void> {
  service.spec ??= {}
  const { spec } = service
  const name = service.metadata.name ?? ''
  const refuse = (errors: ReturnType<typeof settleFamilies>): void => {
    if (errors.length > 0) throw invalid({ group: '', kind: 'Service' }, name, errors)
  }
  refuse(settleFamilies(spec, old?.spec))
  const key = `/registry/services/specs/${service.metadata.namespace}/${name}`
  const taken = await takenByServices(context.engine, old && key)
  const random = below(context.random)
  const outside = context.engine.featureGates.MultiCIDRServiceAllocator ? () => OTHER_NETWORK : outsideOfNetwork
  refuse(allocateAddress(spec, taken, random, outside))
  if (mayHaveNodePorts(spec)) refuse(allocateNodePorts(spec, taken, random))
  if (needsHealthPort(spec) && !spec.healthCheckNodePort) spec.healthCheckNodePort = freeNodePort(taken, random) ?? 0
}

const OTHER_NETWORK = 'the provided network does not match the current range'

const outsideOfNetwork = (address: string): string =>
  `the provided IP (${address}) is not in the valid range. The range of valid IPs is ${NETWORK_TEXT}`

function allocateAddress(
  spec: ServiceSpec,
  taken: Taken,
  random: Below,
  outside: (address: string) => string,
): ReturnType<typeof settleFamilies> {
  if (isExternalName(spec) || spec.clusterIP === NONE) return []
  if (!spec.clusterIP) {
    spec.clusterIP = freeAddress(taken, random) ?? ''
    spec.clusterIPs = [spec.clusterIP]
    return []
  }
  const address = spec.clusterIP
  const why = !isClusterAddress(address) ? outside(address) : taken.addresses.has(address) ? 'provided IP is already allocated' : undefined
  return why === undefined ? [] : [invalidList('spec.clusterIPs', spec.clusterIPs ?? [], `failed to allocate IP ${address}: ${why}`)]
}

function allocateNodePorts(spec: ServiceSpec, taken: Taken, random: Below): ReturnType<typeof settleFamilies> {
  // Within a service one number may serve two protocols.
  const own = new Map<number, Set<string>>()
  for (const [index, port] of (spec.ports ?? []).entries()) {
    const { nodePort: wanted, protocol = '' } = port
    if (!wanted) continue
    const why = !isNodePort(wanted)
      ? `provided port is not in the valid range. The range of valid ports is ${NODE_PORTS_TEXT}`
      : taken.ports.has(wanted) || own.get(wanted)?.has(protocol)
        ? 'provided port is already allocated'
        : undefined
    if (why !== undefined) return [invalidValue(`spec.ports[${index}].nodePort`, wanted, why)]
    own.set(wanted, (own.get(wanted) ?? new Set()).add(protocol))
  }
  for (const port of own.keys()) taken.ports.add(port)
  if (!needsNodePorts(spec)) return []
  for (const port of spec.ports ?? []) {
    if (port.nodePort) continue
    const number = freeNodePort(taken, random)
    if (number === undefined) continue
    port.nodePort = number
    taken.ports.add(number)
  }
  return []
}
