/** Serializes operations with a common key in order of arrival; others run in parallel. */
export class KeyedQueue {
  private readonly last = new Map<string, Promise<void>>()

  /** @returns ends the operation */
  async enter(keys: ReadonlySet<string>): Promise<() => void> {
    let leave: () => void = () => undefined
    const left = new Promise<void>((resolve) => {
      leave = resolve
    })
    const before = new Set<Promise<void>>()
    for (const key of keys) {
      const other = this.last.get(key)
      if (other) before.add(other)
      this.last.set(key, left)
    }
    for (const other of before) await other
    return () => {
      for (const key of keys) if (this.last.get(key) === left) this.last.delete(key)
      leave()
    }
  }

  async idle(): Promise<void> {
    while (this.last.size > 0) await Promise.all(this.last.values())
  }
}
