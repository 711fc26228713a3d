/** Allocations are read from stored services: a crash leaks none. */

import { isJsonObject, type KubeObject } from '../../core/object'
import type { PortRange, ServiceRange } from '../../registry/service-ranges'
import type { StrategyEngine } from '../../registry/strategy'
import {
  addressAt,
  cidrFamily,
  placeInRange,
  plainAddress,
  rangeSize,
} from '../../validation/addresses'

const SERVICES = '/registry/services/specs/'
const ADDRESSES = '/registry/ipaddresses/'
const RANGES = '/registry/servicecidrs/'

export const DEFAULT_RANGES: readonly ServiceRange[] = [{ family: 'IPv4', text: '10.96.0.0/16' }]

export const DEFAULT_NODE_PORTS: PortRange = { first: 30000, last: 32767 }

export interface Taken {
  addresses: Set<string>
  ports: Set<number>
}

export async function takenByServices(
  engine: Pick<StrategyEngine, 'storage' | 'featureGates'>,
  except?: string,
): Promise<Taken> {
  const taken: Taken = { addresses: new Set(), ports: new Set() }
  const { items } = await engine.storage.range(SERVICES)
  for (const { key, object } of items) if (key !== except) collect(object, taken)
  if (engine.featureGates.MultiCIDRServiceAllocator)
    await collectOwned(engine, taken, items.find(({ key }) => key === except)?.object)
  return taken
}

const HEADLESS = 'None'

async function collectOwned(
  engine: Pick<StrategyEngine, 'storage'>,
  taken: Taken,
  service: KubeObject | undefined,
): Promise<void> {
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
  for (const address of [clusterIP, ...(clusterIPs ?? [])])
    if (address && address !== HEADLESS) taken.addresses.add(plainAddress(address))
  for (const port of ports ?? []) if (port.nodePort) taken.ports.add(port.nodePort)
  if (healthCheckNodePort) taken.ports.add(healthCheckNodePort)
}

/** Per range (kube-apiserver 1.31). */
const MAX_ADDRESSES = 65_536n

/** Without network address, and IPv4 broadcast address. */
export function handedOut({ family, text }: ServiceRange): number {
  const size = rangeSize(text)
  if (family === 'IPv4') return Number(size - 2n)
  return Number((size < MAX_ADDRESSES ? size : MAX_ADDRESSES) - 1n)
}

interface RangeObject extends KubeObject {
  spec?: { cidrs?: string[] }
  status?: { conditions?: { type: string; status: string }[] }
}

/** Unless not ready or terminating (kube-apiserver 1.31). */
const isOpen = ({ metadata, status }: RangeObject): boolean =>
  !metadata.deletionTimestamp &&
  !status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'False')

/** Configured ones, then ServiceCIDR objects, if enabled. */
export async function openRanges({
  storage,
  featureGates,
  serviceRanges,
}: Pick<StrategyEngine, 'storage' | 'featureGates' | 'serviceRanges'>): Promise<
  readonly ServiceRange[]
> {
  if (!featureGates.MultiCIDRServiceAllocator) return serviceRanges
  const { items } = await storage.range(RANGES)
  const texts = items.flatMap(({ object }) =>
    isOpen(object as RangeObject) ? ((object as RangeObject).spec?.cidrs ?? []) : [],
  )
  const others = texts.flatMap((text) => {
    const family = cidrFamily(text)
    return family === undefined || serviceRanges.some((own) => own.text === text)
      ? []
      : [{ family, text }]
  })
  return [...serviceRanges, ...others]
}

type Below = (limit: number) => number

/** Reserved for static allocation: a share of the range's start, at most `most`. */
const KEPT_BACK = { addresses: { share: 16, most: 256 }, ports: { share: 32, most: 128 } }
const LEAST_KEPT_BACK = 16

/** Dynamic allocation uses it last (kubernetes.io, "Service ClusterIP allocation"; KEP-3668). */
function keptBack(size: number, { share, most }: { share: number; most: number }): number {
  if (size <= LEAST_KEPT_BACK) return 0
  return Math.min(Math.max(LEAST_KEPT_BACK, Math.floor(size / share)), most)
}

/** Random start, reserved indexes last. */
function freePlace(
  size: number,
  kept: number,
  random: Below,
  isTaken: (place: number) => boolean,
): number | undefined {
  for (const [from, count] of [
    [kept, size - kept],
    [0, kept],
  ] as const) {
    const start = count > 0 ? random(count) : 0
    for (let i = 0; i < count; i++) {
      const place = from + ((start + i) % count)
      if (!isTaken(place)) return place
    }
  }
  return undefined
}

export function freeAddress(range: ServiceRange, taken: Taken, random: Below): string | undefined {
  const address = (place: number) => addressAt(range.text, 1 + place)
  const kept = keptBack(Number(rangeSize(range.text)), KEPT_BACK.addresses)
  const place = freePlace(handedOut(range), kept, random, (place) =>
    taken.addresses.has(address(place)),
  )
  return place === undefined ? undefined : address(place)
}

export function freeNodePort(
  { first, last }: PortRange,
  taken: Taken,
  random: Below,
): number | undefined {
  const size = last - first + 1
  const place = freePlace(size, keptBack(size, KEPT_BACK.ports), random, (place) =>
    taken.ports.has(first + place),
  )
  return place === undefined ? undefined : first + place
}

export const isNodePort = (port: number, { first, last }: PortRange): boolean =>
  port >= first && port <= last

/** Shown by dry runs, even if taken (kube-apiserver 1.31). */
export const trialAddress = ({ text }: ServiceRange): string => addressAt(text, 0)
export const firstTrialPort = ({ last }: PortRange): number => last + 2

/** Allocatable and canonical. */
export function isClusterAddress(address: string, range: ServiceRange): boolean {
  const place = placeInRange(address, range.text)
  return place !== undefined && place > 0n && place <= handedOut(range)
}

export const nodePortsText = ({ first, last }: PortRange): string => `${first}-${last}`
