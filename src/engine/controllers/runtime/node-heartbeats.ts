/**
 * Which simulated nodes are alive. Their leases are renewed when somebody looks, so that a cluster that nobody touches writes next to
 * nothing; the node controller goes by this, and counts a node's silence from the moment at which it fell silent.
 */
import type { Log } from '../../environment'

export class NodeHeartbeats {
  /** The state of each node: alive, or the time since which it is silent. */
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

  /** When the node fell silent, if it did; undefined: it is none of the simulated ones. */
  of(node: string): number | 'alive' | undefined {
    return this.known.get(node)
  }

  onChange(listener: (node: string) => void): void {
    this.listeners.push(listener)
  }

  /** The error of one listener is logged, and the others are called. */
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
