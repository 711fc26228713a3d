/**
 * Leases of simulated nodes are renewed only for readers, so that idle clusters write little. The
 * node lifecycle controller uses this state instead.
 */
import type { Log } from '../../core/environment'

export class NodeHeartbeats {
  private readonly known = new Map<string, number | 'alive'>()
  private readonly listeners: ((node: string) => void)[] = []

  constructor(private readonly log: Log) {}

  markAlive(node: string): void {
    if (this.known.get(node) === 'alive') return
    this.known.set(node, 'alive')
    this.notify(node)
  }

  markSilent(node: string, now: number): void {
    if (typeof this.known.get(node) === 'number') return
    this.known.set(node, now)
    this.notify(node)
  }

  /** @returns the time of the failure; undefined if the node is not simulated */
  of(node: string): number | 'alive' | undefined {
    return this.known.get(node)
  }

  onChange(listener: (node: string) => void): void {
    this.listeners.push(listener)
  }

  private notify(node: string): void {
    for (const listener of this.listeners) {
      try {
        listener(node)
      } catch (error) {
        this.log.error(`a controller failed on the heartbeat of node ${node}`, error)
      }
    }
  }
}
