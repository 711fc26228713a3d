/** Objects of a kind, converted once and updated by a watch. */
import type { KubeObject } from '../core/object'
import type { Storage } from './storage'

export class LiveObjects<Item> {
  private readonly byKey = new Map<string, Item>()
  private sorted: readonly Item[] | undefined
  private loading: Promise<void> | undefined
  private loaded = false

  /** @param before the result for the previous version */
  constructor(
    private readonly storage: Storage,
    private readonly prefix: string,
    private readonly make: (object: KubeObject, before: Item | undefined) => Item,
  ) {}

  /** Ordered by name; asynchronous only on first use. */
  all(): readonly Item[] | Promise<readonly Item[]> {
    if (this.loaded) return this.list()
    this.loading ??= this.load().catch((error: unknown) => {
      this.restart()
      throw error
    })
    return this.loading.then(() => this.list())
  }

  private list(): readonly Item[] {
    this.sorted ??= [...this.byKey.keys()].sort().flatMap((key) => this.byKey.get(key) ?? [])
    return this.sorted
  }

  private async load(): Promise<void> {
    const { items, revision } = await this.storage.range(this.prefix)
    for (const { key, object } of items) this.put(key, object)
    this.storage.watch(this.prefix, revision, {
      event: ({ type, key, current }) => {
        if (type === 'DELETED') this.remove(key)
        else this.put(key, current.object)
      },
      end: () => this.restart(),
    })
    this.loaded = true
  }

  private put(key: string, object: KubeObject): void {
    this.byKey.set(key, this.make(object, this.byKey.get(key)))
    this.sorted = undefined
  }

  private remove(key: string): void {
    this.byKey.delete(key)
    this.sorted = undefined
  }

  /** After a reload of the store items may be stale. */
  private restart(): void {
    this.byKey.clear()
    this.sorted = undefined
    this.loading = undefined
    this.loaded = false
  }
}
