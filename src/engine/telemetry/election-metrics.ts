/** Metrics of leader election (client-go, package tools/leaderelection). */
import type { MetricRegistry } from './registry'

export class ElectionMetrics {
  private readonly status
  private readonly slowPaths

  constructor(registry: MetricRegistry) {
    this.status = registry.numbers('leader_election_master_status')
    this.slowPaths = registry.numbers('leader_election_slowpath_total')
  }

  /** @param lease its name @param isLeader whether this server holds it */
  elected(lease: string, isLeader: boolean): void {
    this.status.at({ name: lease }).value = isLeader ? 1 : 0
  }

  /** The leader read the lease before it renewed it. */
  readBeforeRenewal(lease: string): void {
    this.slowPaths.at({ name: lease }).value++
  }
}
