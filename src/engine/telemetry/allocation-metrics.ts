/** Metrics of service allocations: cluster IPs and node ports. */
import type { MetricRegistry } from './registry'

export interface Allocations {
  ranges: readonly { cidr: string; allocated: number; available: number }[]
  ports: { allocated: number; available: number }
}

export class AllocationMetrics {
  private readonly allocated
  private readonly available
  private readonly allocatedPorts
  private readonly availablePorts

  constructor(registry: MetricRegistry) {
    this.allocated = registry.numbers('kube_apiserver_clusterip_allocator_allocated_ips')
    this.available = registry.numbers('kube_apiserver_clusterip_allocator_available_ips')
    this.allocatedPorts = registry
      .numbers('kube_apiserver_nodeport_allocator_allocated_ports')
      .at({})
    this.availablePorts = registry
      .numbers('kube_apiserver_nodeport_allocator_available_ports')
      .at({})
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
