/** Allocates cluster IPs and node ports. Recorded from kube-apiserver 1.31. */

import type { Random } from '../../core/environment'
import { type FieldError, internalError, invalid, serverError } from '../../http/status'
import type { PortRange, ServiceRange } from '../../registry/service-ranges'
import type { StrategyContext, StrategyEngine } from '../../registry/strategy'
import { plainAddress } from '../../validation/addresses'
import { invalidValue } from '../../validation/field-errors'
import { invalidList } from '../../validation/go-literal'
import {
  firstTrialPort,
  freeAddress,
  freeNodePort,
  isClusterAddress,
  isNodePort,
  nodePortsText,
  openRanges,
  type Taken,
  takenByServices,
  trialAddress,
} from './service-addresses'
import { settleFamilies } from './service-families'
import {
  isExternalName,
  isHeadless,
  mayHaveNodePorts,
  NONE,
  needsHealthPort,
  needsNodePorts,
  type Service,
  type ServiceSpec,
} from './service-types'

type Below = (limit: number) => number

function below(random: Random): Below {
  return (limit) =>
    random.bytes(new Uint8Array(4)).reduce((sum, byte) => (sum * 256 + byte) % limit, 0)
}

/**
 * Dry runs allocate nothing: they show placeholders and accept taken addresses and ports out of
 * range.
 * @throws ApiError 422 unavailable, 500 none left
 */
export async function allocate(
  service: Service,
  old: Service | undefined,
  context: StrategyContext,
): Promise<void> {
  service.spec ??= {}
  const { spec } = service
  const name = service.metadata.name ?? ''
  const throwIfInvalid = (errors: FieldError[]): void => {
    if (errors.length > 0) throw invalid({ group: '', kind: 'Service' }, name, errors)
  }
  const before = old?.spec
  const { serviceRanges: ranges, nodePorts } = context.engine
  throwIfInvalid(
    settleFamilies(
      spec,
      before,
      ranges.map(({ family }) => family),
    ),
  )
  const key = `/registry/services/specs/${service.metadata.namespace}/${name}`
  const taken = await takenByServices(context.engine, old && key)
  const random = below(context.random)
  const pool = context.dryRun
    ? trialPool(ranges)
    : openPool(await openRanges(context.engine), taken, random, context.engine)
  throwIfInvalid(allocateAddresses(spec, before, pool))
  const ports = new PortPool(nodePorts, taken, random, before, context)
  if (mayHaveNodePorts(spec))
    throwIfInvalid(before ? changeNodePorts(spec, before, ports) : allotNodePorts(spec, ports))
  if (needsHealthPort(spec) && !(before && needsHealthPort(before))) allotHealthPort(spec, ports)
}

/** Own ports are free only if requested again. */
class PortPool {
  /** Allocated by this request. */
  private highest: number | undefined
  private readonly isTrial: boolean
  private readonly meter: StrategyEngine['allocations']

  constructor(
    private readonly range: PortRange,
    private readonly taken: Taken,
    private readonly random: Below,
    own: ServiceSpec | undefined,
    { dryRun, engine }: Pick<StrategyContext, 'dryRun' | 'engine'>,
  ) {
    this.isTrial = dryRun
    this.meter = engine.allocations
    for (const { nodePort } of own?.ports ?? []) if (nodePort) taken.ports.add(nodePort)
    if (own?.healthCheckNodePort) taken.ports.add(own.healthCheckNodePort)
  }

  /** @returns an error */
  take(port: number): string | undefined {
    const why = this.rejectionOf(port)
    this.count('static', why === undefined)
    if (why === undefined) this.keep(port)
    return why
  }

  private rejectionOf(port: number): string | undefined {
    if (!this.isTrial && !isNodePort(port, this.range))
      return `provided port is not in the valid range. The range of valid ports is ${nodePortsText(this.range)}`
    return this.taken.ports.has(port) ? 'provided port is already allocated' : undefined
  }

  /** Without dry runs. */
  private count(scope: 'static' | 'dynamic', isAllocated: boolean): void {
    if (!this.isTrial) this.meter.port(scope, isAllocated)
  }

  /** @param what name in errors @throws ApiError 500 if none is left */
  next(what = 'a nodePort'): number {
    const port = this.isTrial ? this.trialPort() : freeNodePort(this.range, this.taken, this.random)
    this.count('dynamic', port !== undefined)
    if (port === undefined) return noneLeft(what)
    this.keep(port)
    return port
  }

  private trialPort(): number {
    return this.highest === undefined ? firstTrialPort(this.range) : this.highest + 1
  }

  private keep(port: number): void {
    this.taken.ports.add(port)
    this.highest = Math.max(this.highest ?? 0, port)
  }
}

/** @throws ApiError 500, as kube-apiserver */
function noneLeft(what: string): never {
  throw internalError(`failed to allocate ${what}: range is full`)
}

const OTHER_NETWORK = 'the provided network does not match the current range'

const outsideOfNetwork = (address: string, { text }: ServiceRange): string =>
  `the provided IP (${address}) is not in the valid range. The range of valid IPs is ${text}`

interface AddressPool {
  /** The first of each family is the cluster's own. */
  ranges: readonly ServiceRange[]
  /** @throws ApiError 500 if none is left */
  next(ranges: readonly [ServiceRange, ...ServiceRange[]]): string
  isFree(address: string): boolean
  count(range: ServiceRange, scope: 'static' | 'dynamic', isAllocated: boolean): void
  /** @param range the cluster's own */
  outside(address: string, range: ServiceRange): string
}

const trialPool = (ranges: readonly ServiceRange[]): AddressPool => ({
  ranges,
  next: ([range]) => trialAddress(range),
  isFree: () => true,
  count() {},
  outside: outsideOfNetwork,
})

function openPool(
  ranges: readonly ServiceRange[],
  taken: Taken,
  random: Below,
  { featureGates, allocations }: Pick<StrategyEngine, 'featureGates' | 'allocations'>,
): AddressPool {
  const count: AddressPool['count'] = ({ text }, scope, isAllocated) =>
    allocations.address(text, scope, isAllocated)
  return {
    ranges,
    count,
    next(some) {
      for (const range of some) {
        const find = () => freeAddress(range, taken, random)
        const address = featureGates.MultiCIDRServiceAllocator
          ? allocations.timed(range.text, find)
          : find()
        count(range, 'dynamic', address !== undefined)
        if (address !== undefined) return address
      }
      return noneLeft('a serviceIP')
    },
    isFree: (address) => !taken.addresses.has(address),
    outside: featureGates.MultiCIDRServiceAllocator ? () => OTHER_NETWORK : outsideOfNetwork,
  }
}

/** One per family; existing ones stay. Changed addresses are rejected later. */
function allocateAddresses(
  spec: ServiceSpec,
  before: ServiceSpec | undefined,
  pool: AddressPool,
): FieldError[] {
  const had = before === undefined || isExternalName(before) ? undefined : before
  if (isExternalName(spec) || (had ? isHeadless(had) : spec.clusterIPs?.[0] === NONE)) return []
  const kept = had?.clusterIPs?.length ?? 0
  const families = spec.ipFamilies ?? []
  const given = spec.clusterIPs ?? []
  const addresses = Array.from(
    { length: Math.max(given.length, families.length) },
    (_, index) => given[index] ?? '',
  )
  for (const [index, family] of families.entries()) {
    const [own, ...others] = pool.ranges.filter((range) => range.family === family)
    if (index < kept || own === undefined) continue
    const ranges = [own, ...others] as const
    const wanted = addresses[index]
    const why = wanted ? rejectionOf(wanted, ranges, pool) : undefined
    if (why !== undefined)
      return [invalidList('spec.clusterIPs', addresses, `failed to allocate IP ${wanted}: ${why}`)]
    addresses[index] = wanted || pool.next(ranges)
  }
  spec.clusterIPs = addresses
  spec.clusterIP = addresses[0] ?? ''
  return []
}

/** @returns an error */
function rejectionOf(
  wanted: string,
  ranges: readonly [ServiceRange, ...ServiceRange[]],
  pool: AddressPool,
): string | undefined {
  const address = plainAddress(wanted)
  const range = ranges.find((one) => isClusterAddress(address, one))
  const isAllocated = range !== undefined && pool.isFree(address)
  pool.count(range ?? ranges[0], 'static', isAllocated)
  if (range === undefined) return pool.outside(address, ranges[0])
  return isAllocated ? undefined : 'provided IP is already allocated'
}

/** Equal ports of different protocols share a node port. */
function allotNodePorts(spec: ServiceSpec, pool: PortPool): FieldError[] {
  const ports = spec.ports ?? []
  const byPort = new Map<number, number>()
  for (const [index, port] of ports.entries()) {
    if (!port.nodePort && !needsNodePorts(spec)) continue
    const number = port.port ?? 0
    const shared = byPort.get(number)
    const wanted =
      shared === undefined
        ? ports.find((other) => other.port === port.port && other.nodePort)?.nodePort
        : port.nodePort
    if (wanted && wanted !== shared) {
      const why = pool.take(wanted)
      if (why !== undefined) return [invalidValue(`spec.ports[${index}].nodePort`, wanted, why)]
    }
    port.nodePort = wanted || (shared ?? pool.next())
    if (shared === undefined) byPort.set(number, port.nodePort)
  }
  return []
}

/** Existing ones stay. */
function changeNodePorts(spec: ServiceSpec, old: ServiceSpec, pool: PortPool): FieldError[] {
  const own = new Set((old.ports ?? []).map(({ nodePort }) => nodePort))
  const seen = new Set<string>()
  for (const [index, port] of (spec.ports ?? []).entries()) {
    if (!port.nodePort && !needsNodePorts(spec)) continue
    if (!port.nodePort) port.nodePort = pool.next()
    else if (!own.has(port.nodePort)) {
      const why = pool.take(port.nodePort)
      if (why !== undefined)
        return [invalidValue(`spec.ports[${index}].nodePort`, port.nodePort, why)]
      own.add(port.nodePort)
    }
    const shown = `{${port.protocol} ${port.nodePort}}`
    // No field path in kube-apiserver.
    if (seen.has(shown)) throw serverError(`duplicate nodePort: ${shown}`)
    seen.add(shown)
  }
  return []
}

/** @throws ApiError 500 if unavailable, as kube-apiserver */
function allotHealthPort(spec: ServiceSpec, pool: PortPool): void {
  const { healthCheckNodePort: wanted } = spec
  if (!wanted) {
    spec.healthCheckNodePort = pool.next('a HealthCheck NodePort 0')
    return
  }
  const why = pool.take(wanted)
  if (why !== undefined)
    throw internalError(`failed to allocate requested HealthCheck NodePort ${wanted}: ${why}`)
}
