/**
 * Cluster IPs and node ports: handed out once, free again after deletion. What is taken is read from the stored services
 * themselves, so nothing can be lost or leak over a crash.
 */
import type { Engine } from '../../engine'
import { isJsonObject, type KubeObject } from '../../object'
import { plainAddress } from '../rules/addresses'

const SERVICES = '/registry/services/specs/'
const ADDRESSES = '/registry/ipaddresses/'

/** `--service-cluster-ip-range=10.96.0.0/16` and `--service-node-port-range=30000-32767`. */
const NETWORK = [10, 96] as const
const FIRST_NODE_PORT = 30000
const NODE_PORTS = 2768

export interface Taken {
  addresses: Set<string>
  ports: Set<number>
}

/** What the stored services hold, `except` excluded. */
export async function takenByServices(engine: Pick<Engine, 'storage' | 'featureGates'>, except?: string): Promise<Taken> {
  const taken: Taken = { addresses: new Set(), ports: new Set() }
  const { items } = await engine.storage.range(SERVICES)
  for (const { key, object } of items) if (key !== except) collect(object, taken)
  if (engine.featureGates.MultiCIDRServiceAllocator) await collectOwned(engine, taken, items.find(({ key }) => key === except)?.object)
  return taken
}

/** What stands for the address of a service that has none. */
const HEADLESS = 'None'

/** Addresses that are objects of their own, but for those of one service. */
async function collectOwned(engine: Pick<Engine, 'storage'>, taken: Taken, service: KubeObject | undefined): Promise<void> {
  const given = (service?.spec as { clusterIPs?: string[] } | undefined)?.clusterIPs ?? []
  const own = given.filter((address) => address !== HEADLESS).map(plainAddress)
  const { items } = await engine.storage.range(ADDRESSES)
  for (const { object } of items) {
    const { name = '' } = object.metadata
    if (!own.includes(name)) taken.addresses.add(name)
  }
}

function collect(service: KubeObject, taken: Taken): void {
  const spec = service.spec
  if (!isJsonObject(spec as never)) return
  const { clusterIP, clusterIPs, ports, healthCheckNodePort } = spec as {
    clusterIP?: string
    clusterIPs?: string[]
    ports?: { nodePort?: number }[]
    healthCheckNodePort?: number
  }
  for (const address of [clusterIP, ...(clusterIPs ?? [])]) if (address && address !== HEADLESS) taken.addresses.add(plainAddress(address))
  for (const port of ports ?? []) if (port.nodePort) taken.ports.add(port.nodePort)
  if (healthCheckNodePort) taken.ports.add(healthCheckNodePort)
}

/** A free address of the range, beginning at a random place. */
export function freeAddress(taken: Taken, random: (below: number) => number): string | undefined {
  const size = 256 * 256 - 2
  const start = random(size)
  for (let i = 0; i < size; i++) {
    const host = 1 + ((start + i) % size)
    const address = `${NETWORK[0]}.${NETWORK[1]}.${host >> 8}.${host & 255}`
    if (!taken.addresses.has(address)) return address
  }
  return undefined
}

export function freeNodePort(taken: Taken, random: (below: number) => number): number | undefined {
  const start = random(NODE_PORTS)
  for (let i = 0; i < NODE_PORTS; i++) {
    const port = FIRST_NODE_PORT + ((start + i) % NODE_PORTS)
    if (!taken.ports.has(port)) return port
  }
  return undefined
}

export const isNodePort = (port: number): boolean => port >= FIRST_NODE_PORT && port < FIRST_NODE_PORT + NODE_PORTS

/** What a dry run shows where an address or a node port would be handed out: nobody's (recorded). */
export const TRIAL_ADDRESS = `${NETWORK.join('.')}.0.0`
export const FIRST_TRIAL_PORT = FIRST_NODE_PORT + NODE_PORTS + 1

/** An address of the network that can be handed out, plainly written: neither the network's own nor its last. */
export function isClusterAddress(address: string): boolean {
  const parts = address.split('.').map(Number)
  const host = (parts[2] ?? 0) * 256 + (parts[3] ?? 0)
  return parts.length === 4 && parts[0] === NETWORK[0] && parts[1] === NETWORK[1] && host > 0 && host < 65_535
}

/** How messages name the two ranges. */
export const NETWORK_TEXT = `${NETWORK.join('.')}.0.0/16`
export const NODE_PORTS_TEXT = `${FIRST_NODE_PORT}-${FIRST_NODE_PORT + NODE_PORTS - 1}`
