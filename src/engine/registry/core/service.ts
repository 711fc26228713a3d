/** Services: types, ports, addresses (defaults and allocation recorded). */
import type { Random } from '../../environment'
import { isJsonObject, type JsonObject, type KubeObject } from '../../object'
import { dns1035Label } from '../rules/names'
import type { Strategy, StrategyContext } from '../strategy'
import { freeAddress, freeNodePort, takenByServices } from './service-addresses'

interface Service extends KubeObject {
  spec?: JsonObject & { type?: string; clusterIP?: string; clusterIPs?: string[] }
}

const portsOf = (spec: JsonObject): JsonObject[] => (Array.isArray(spec.ports) ? spec.ports.filter(isJsonObject) : [])

function defaults(object: KubeObject): void {
  const service = object as Service
  service.spec ??= {}
  const spec = service.spec
  if (!spec.sessionAffinity) spec.sessionAffinity = 'None'
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig
  else if (!isJsonObject(spec.sessionAffinityConfig)) spec.sessionAffinityConfig = { clientIP: { timeoutSeconds: 10800 } }
  if (!spec.type) spec.type = 'ClusterIP'
  for (const port of portsOf(spec)) {
    if (!port.protocol) port.protocol = 'TCP'
    if (port.targetPort === undefined || port.targetPort === null || port.targetPort === 0 || port.targetPort === '')
      port.targetPort = port.port ?? null
  }
  const external = Array.isArray(spec.externalIPs) && spec.externalIPs.length > 0
  if (spec.type === 'NodePort' || spec.type === 'LoadBalancer' || (external && spec.type !== 'ExternalName')) {
    if (!spec.externalTrafficPolicy) spec.externalTrafficPolicy = 'Cluster'
    if (spec.type === 'LoadBalancer' && (spec.allocateLoadBalancerNodePorts === undefined || spec.allocateLoadBalancerNodePorts === null))
      spec.allocateLoadBalancerNodePorts = true
  }
  if (spec.type !== 'ExternalName' && !spec.internalTrafficPolicy) spec.internalTrafficPolicy = 'Cluster'
}

function below(random: Random): (limit: number) => number {
  return (limit) => random.bytes(new Uint8Array(4)).reduce((sum, byte) => (sum * 256 + byte) % limit, 0)
}

const hasSelector = (spec: JsonObject): boolean => isJsonObject(spec.selector) && Object.keys(spec.selector).length > 0
const needsAddress = (spec: JsonObject): boolean => spec.type !== 'ExternalName' && spec.clusterIP !== 'None'
const needsNodePorts = (spec: JsonObject): boolean =>
  spec.type === 'NodePort' || (spec.type === 'LoadBalancer' && spec.allocateLoadBalancerNodePorts !== false)

/** Gives the service what it needs and does not have. On update it keeps what it had. */
async function allocate(service: Service, old: Service | undefined, context: StrategyContext): Promise<void> {
  const spec = service.spec as JsonObject
  const before = old?.spec
  const random = below(context.random)
  const taken = await takenByServices(context.engine, old && `/registry/services/specs/${old.metadata.namespace}/${old.metadata.name}`)
  if (needsAddress(spec)) {
    if (!spec.clusterIP)
      spec.clusterIP = before?.clusterIP && before.clusterIP !== 'None' ? before.clusterIP : (freeAddress(taken, random) ?? '')
    if (!Array.isArray(spec.clusterIPs) || spec.clusterIPs.length === 0) spec.clusterIPs = [spec.clusterIP ?? '']
  } else if (spec.clusterIP === 'None') spec.clusterIPs = ['None']
  if (spec.type !== 'ExternalName') {
    // Without a selector a headless service may be of both families: nobody says which its endpoints have.
    const both = spec.clusterIP === 'None' && !hasSelector(spec) && !spec.ipFamilyPolicy
    if (!Array.isArray(spec.ipFamilies) || spec.ipFamilies.length === 0) spec.ipFamilies = both ? ['IPv4', 'IPv6'] : ['IPv4']
    if (!spec.ipFamilyPolicy) spec.ipFamilyPolicy = both ? 'RequireDualStack' : 'SingleStack'
  }
  if (spec.type === 'LoadBalancer' && spec.externalTrafficPolicy === 'Local' && !spec.healthCheckNodePort) {
    spec.healthCheckNodePort = (before?.healthCheckNodePort as number | undefined) ?? freeNodePort(taken, random) ?? null
  }
  if (!needsNodePorts(spec)) return
  const previous = before ? portsOf(before) : []
  for (const port of portsOf(spec)) {
    if (port.nodePort) continue
    const same = previous.find((other) => other.port === port.port && other.protocol === port.protocol)
    const number = same?.nodePort ?? freeNodePort(taken, random)
    if (typeof number !== 'number') continue
    port.nodePort = number
    taken.ports.add(number)
  }
}

export const serviceStrategy: Strategy = {
  nameRule: dns1035Label,
  serverOwned: ['status'],
  allowCreateOnUpdate: true,

  defaults,
  async prepareForCreate(object, context) {
    object.status = {}
    await allocate(object as Service, undefined, context)
  },
  async prepareForUpdate(object, old, context) {
    const spec = (object as Service).spec as JsonObject
    // An ExternalName has no address to keep; a change of type that needs none gives node ports back.
    if (!needsNodePorts(spec)) for (const port of portsOf(spec)) port.nodePort = null
    await allocate(object as Service, old as Service, context)
  },
}
