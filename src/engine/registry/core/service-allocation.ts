/** What a service is handed out: a cluster address, node ports, a health check port (document 1; messages recorded). */
import type { Engine } from '../../engine'
import type { Random } from '../../environment'
import { type FieldError, internalError, invalid, serverError } from '../../http/status'
import { invalidValue } from '../field-errors'
import { plainAddress } from '../rules/addresses'
import { invalidList } from '../rules/go-literal'
import type { StrategyContext } from '../strategy'
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
import type { PortRange, ServiceRange } from './service-ranges'
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
 * Gives the service what it needs and does not have. What is taken of the old service stays its own. A dry run takes nothing: it
 * shows numbers that are nobody's, and what it is asked for may be taken, or a port out of range (recorded).
 * @throws ApiError 422: what it asks for cannot be had; 500: it asks for any, and there is none
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
  const ports = new PortPool(nodePorts, taken, random, before, context.dryRun)
  if (mayHaveNodePorts(spec))
    throwIfInvalid(before ? changeNodePorts(spec, before, ports) : allotNodePorts(spec, ports))
  if (needsHealthPort(spec) && !(before && needsHealthPort(before))) allotHealthPort(spec, ports)
}

/** The node ports that are left. Those of the service itself are its own only where it asks for them again. */
class PortPool {
  /** The highest port that this request has taken. */
  private highest: number | undefined

  constructor(
    private readonly range: PortRange,
    private readonly taken: Taken,
    private readonly random: Below,
    own: ServiceSpec | undefined,
    private readonly isTrial: boolean,
  ) {
    for (const { nodePort } of own?.ports ?? []) if (nodePort) taken.ports.add(nodePort)
    if (own?.healthCheckNodePort) taken.ports.add(own.healthCheckNodePort)
  }

  /** @returns why the port cannot be had */
  take(port: number): string | undefined {
    if (!this.isTrial && !isNodePort(port, this.range))
      return `provided port is not in the valid range. The range of valid ports is ${nodePortsText(this.range)}`
    if (this.taken.ports.has(port)) return 'provided port is already allocated'
    this.keep(port)
  }

  /** Any port that is left. @param what how the error calls it @throws ApiError 500: there is none */
  next(what = 'a nodePort'): number {
    const port = this.isTrial
      ? this.trialPort()
      : (freeNodePort(this.range, this.taken, this.random) ?? noneLeft(what))
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

/** @throws ApiError 500, as the real server: nothing of that is left (recorded) */
function noneLeft(what: string): never {
  throw internalError(`failed to allocate ${what}: range is full`)
}

const OTHER_NETWORK = 'the provided network does not match the current range'

const outsideOfNetwork = (address: string, { text }: ServiceRange): string =>
  `the provided IP (${address}) is not in the valid range. The range of valid IPs is ${text}`

/** The cluster addresses that are left. */
interface AddressPool {
  /** What they are of; of each family the first is the cluster's own. */
  ranges: readonly ServiceRange[]
  /** Any of these ranges that is left. @throws ApiError 500: there is none */
  next(ranges: readonly [ServiceRange, ...ServiceRange[]]): string
  isFree(address: string): boolean
  /** Why an address of no range cannot be had. @param range the cluster's own */
  outside(address: string, range: ServiceRange): string
}

const trialPool = (ranges: readonly ServiceRange[]): AddressPool => ({
  ranges,
  next: ([range]) => trialAddress(range),
  isFree: () => true,
  outside: outsideOfNetwork,
})

function openPool(
  ranges: readonly ServiceRange[],
  taken: Taken,
  random: Below,
  { featureGates }: Pick<Engine, 'featureGates'>,
): AddressPool {
  return {
    ranges,
    next(some) {
      for (const range of some) {
        const address = freeAddress(range, taken, random)
        if (address !== undefined) return address
      }
      return noneLeft('a serviceIP')
    },
    isFree: (address) => !taken.addresses.has(address),
    outside: featureGates.MultiCIDRServiceAllocator ? () => OTHER_NETWORK : outsideOfNetwork,
  }
}

/**
 * One address for each family of the service. A service that is there keeps those it has, and gets one for a family that is new to it;
 * what an update wants changed is refused later.
 */
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

/** @returns why the address cannot be had */
function rejectionOf(
  wanted: string,
  ranges: readonly [ServiceRange, ...ServiceRange[]],
  pool: AddressPool,
): string | undefined {
  const address = plainAddress(wanted)
  if (!ranges.some((range) => isClusterAddress(address, range)))
    return pool.outside(address, ranges[0])
  return pool.isFree(address) ? undefined : 'provided IP is already allocated'
}

/** A new service: what is reached by one port over several protocols is reached by one node port. */
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

/** A service that is there keeps its ports, and gets others where it asks for them or lacks one. */
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
    // The real server has no field for this one.
    if (seen.has(shown)) throw serverError(`duplicate nodePort: ${shown}`)
    seen.add(shown)
  }
  return []
}

/** @throws ApiError 500, as the real server: the port that is asked for cannot be had */
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
