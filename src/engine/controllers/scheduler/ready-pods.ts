/** Active queue, by priority, then by addition. */
import { Heap, type HeapEntry } from '../../core/heap'

interface Ready {
  key: string
  priority: number
  order: number
}

export class ReadyPods {
  private readonly heap = new Heap<Ready>(
    (a, b) => a.priority > b.priority || (a.priority === b.priority && a.order < b.order),
  )
  private readonly entries = new Map<string, HeapEntry<Ready>>()
  private order = 0

  get size(): number {
    return this.entries.size
  }

  /** A queued pod keeps its place. @param key `namespace/name` */
  add(key: string, priority: number): void {
    if (!this.entries.has(key))
      this.entries.set(key, this.heap.add({ key, priority, order: this.order++ }))
  }

  delete(key: string): void {
    const entry = this.entries.get(key)
    if (entry === undefined) return
    this.entries.delete(key)
    this.heap.remove(entry)
  }

  take(): string | undefined {
    const key = this.heap.take()?.key
    if (key !== undefined) this.entries.delete(key)
    return key
  }
}
