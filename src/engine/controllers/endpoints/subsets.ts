import type { EndpointAddress, EndpointPort, EndpointSubset } from 'kubernetes-types/core/v1'
import { md5 } from '../shared/md5'
import type { Port } from '../shared/services'

export interface Part {
  address: EndpointAddress
  ready: boolean
  ports: Port[]
}

interface Gathered {
  port: Port | undefined
  addresses: Map<string, Part>
}

const portKey = (port: Port | undefined): string => (port ? `(v1.EndpointPort)${dump(port)}` : '')

/** As kube-controller-manager before hashing. */
function dump({ name, port, protocol, appProtocol }: Port): string {
  return `{Name:(string)${name} Port:(int32)${port} Protocol:(v1.Protocol)${protocol} AppProtocol:(*string)${appProtocol ?? '<nil>'}}`
}

/** Sorts ports by hash, and addresses. */
export function subsetsOf(parts: Part[]): EndpointSubset[] {
  const byPort = new Map<string, Gathered>()
  for (const part of parts) {
    for (const port of part.ports.length > 0 ? part.ports : [undefined]) {
      const key = portKey(port)
      const gathered = byPort.get(key) ?? { port, addresses: new Map() }
      gathered.addresses.set(addressKey(part), part)
      byPort.set(key, gathered)
    }
  }
  const byAddresses = new Map<string, { ports: Port[]; parts: Part[] }>()
  for (const { port, addresses } of byPort.values()) {
    const key = [...addresses]
      .map(([address, { ready }]) => `${address} ${ready}`)
      .sort()
      .join()
    const subset = byAddresses.get(key) ?? { ports: [], parts: [...addresses.values()] }
    if (port) subset.ports.push(port)
    byAddresses.set(key, subset)
  }
  const subsets = [...byAddresses.values()].map(({ ports, parts: own }) => ({
    ports: byDigest(ports),
    parts: own,
  }))
  subsets.sort((a, b) => (firstDigest(a.ports) < firstDigest(b.ports) ? -1 : 1))
  return subsets.map(({ ports, parts: own }) => subset(ports, own))
}

const byDigest = (ports: Port[]): Port[] =>
  [...ports].sort((a, b) => (md5(portKey(a)) < md5(portKey(b)) ? -1 : 1))
const firstDigest = ([first]: Port[]): string => md5(portKey(first))

function subset(ports: Port[], parts: Part[]): EndpointSubset {
  const of = (wanted: boolean) =>
    parts
      .filter(({ ready }) => ready === wanted)
      .sort((a, b) => (addressKey(a) < addressKey(b) ? -1 : 1))
      .map(({ address }) => address)
  const [addresses, notReadyAddresses] = [of(true), of(false)]
  return {
    ...(addresses.length > 0 && { addresses }),
    ...(notReadyAddresses.length > 0 && { notReadyAddresses }),
    ...(ports.length > 0 && { ports: ports.map(written) }),
  }
}

const addressKey = ({ address }: Part): string => `${address.ip} ${address.targetRef?.uid ?? ''}`

const written = ({ name, port, protocol, appProtocol }: Port): EndpointPort => ({
  ...(name && { name }),
  port,
  protocol,
  ...(appProtocol !== undefined && { appProtocol }),
})
