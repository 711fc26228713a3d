/**
 * Which simulated nodes are alive. Their leases are renewed when somebody looks, so that a cluster that nobody touches writes next to
 * nothing; the node controller goes by this, and counts a node's silence from the moment at which it fell silent.
 */
export class Hearts {
  /** What is known of a node: when it fell silent, if it did. */
  private readonly known = new Map<string, number | 'beating'>()
  private readonly listeners: ((node: string) => void)[] = []

  beats(node: string): void {
    if (this.known.get(node) === 'beating') return
    this.known.set(node, 'beating')
    for (const listener of this.listeners) listener(node)
  }

  stops(node: string, now: number): void {
    if (typeof this.known.get(node) === 'number') return
    this.known.set(node, now)
    for (const listener of this.listeners) listener(node)
  }

  /** When the node fell silent, if it did; undefined: it is none of the simulated ones. */
  of(node: string): number | 'beating' | undefined {
    return this.known.get(node)
  }

  onChange(listener: (node: string) => void): void {
    this.listeners.push(listener)
  }
}
