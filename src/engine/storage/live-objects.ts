/** Objects of one kind, made ready once and kept up to date by the store's changes: a request lists nothing. */
import type { KubeObject } from '../object'
import type { Storage } from './storage'

export class LiveObjects<Item> {
  private readonly byKey = new Map<string, Item>()
  private sorted: readonly Item[] | undefined
  private loading: Promise<void> | undefined
  private loaded = false

  /** @param make what is kept of an object @param before what was kept of it until it changed */
  constructor(
    private readonly storage: Storage,
    private readonly prefix: string,
    private readonly make: (object: KubeObject, before: Item | undefined) => Item,
  ) {}

  /** All items in the order of their names: at once, but for the first time. */
  all(): readonly Item[] | Promise<readonly Item[]> {
    if (this.loaded) return this.list()
    // A store that could not be read is asked again by who comes next.
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

  /** The store was reloaded: what is kept may be stale, so it is read again when next asked for. */
  private restart(): void {
    this.byKey.clear()
    this.sorted = undefined
    this.loading = undefined
    this.loaded = false
  }
}
