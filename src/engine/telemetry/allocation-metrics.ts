/** Metrics of service allocations: cluster IPs and node ports. */
import type { MetricRegistry } from './registry'

export interface Allocations {
  ranges: readonly { cidr: string; allocated: number; available: number }[]
  ports: { allocated: number; available: number }
}

/** An address or port that the client names (`static`), or that the server selects. */
type Scope = 'static' | 'dynamic'

export class AllocationMetrics {
  private readonly ips
  private readonly durations
  private readonly failedIps
  private readonly nodePorts
  private readonly failedNodePorts
  private readonly allocated
  private readonly available
  private readonly allocatedPorts
  private readonly availablePorts

  /** @param stopwatch milliseconds from any start */
  constructor(
    registry: MetricRegistry,
    private readonly stopwatch: () => number,
  ) {
    this.allocated = registry.numbers('kube_apiserver_clusterip_allocator_allocated_ips')
    this.available = registry.numbers('kube_apiserver_clusterip_allocator_available_ips')
    this.allocatedPorts = registry
      .numbers('kube_apiserver_nodeport_allocator_allocated_ports')
      .at({})
    this.availablePorts = registry
      .numbers('kube_apiserver_nodeport_allocator_available_ports')
      .at({})
    this.ips = registry.numbers('kube_apiserver_clusterip_allocator_allocation_total')
    this.durations = registry.histogram(
      'kube_apiserver_clusterip_allocator_allocation_duration_seconds',
    )
    this.failedIps = registry.numbers('kube_apiserver_clusterip_allocator_allocation_errors_total')
    this.nodePorts = registry.numbers('kube_apiserver_nodeport_allocator_allocation_total')
    this.failedNodePorts = registry.numbers(
      'kube_apiserver_nodeport_allocator_allocation_errors_total',
    )
  }

  /** A cluster IP was requested. @param isAllocated false if it was not available */
  address(cidr: string, scope: Scope, isAllocated: boolean): void {
    const numbers = isAllocated ? this.ips : this.failedIps
    numbers.at({ cidr, scope }).value++
  }

  /** Measures how long the search for an address takes. @returns what it finds */
  timed<Found>(cidr: string, find: () => Found | undefined): Found | undefined {
    const started = this.stopwatch()
    const found = find()
    if (found !== undefined)
      this.durations.at({ cidr }).observe((this.stopwatch() - started) / 1000)
    return found
  }

  /** A node port was requested. @param isAllocated false if it was not available */
  port(scope: Scope, isAllocated: boolean): void {
    const numbers = isAllocated ? this.nodePorts : this.failedNodePorts
    numbers.at({ scope }).value++
  }

  read({ ranges, ports }: Allocations): void {
    this.allocated.clear()
    this.available.clear()
    for (const { cidr, allocated, available } of ranges) {
      this.allocated.at({ cidr }).value = allocated
      this.available.at({ cidr }).value = available
    }
    this.allocatedPorts.value = ports.allocated
    this.availablePorts.value = ports.available
  }
}
