/**
 * kube-apiserver has a watch cache of every version, so a write is converted for each one that is
 * not stored. Compared with kube-apiserver 1.31.
 */

import { type Definition, storageVersionOf } from '../kinds/apiextensions/definition'
import type { Engine } from '../registry/engine'
import { customStoragePrefix } from '../registry/resource'
import type { StoredObject } from '../storage/storage'

export class WatchCaches {
  private readonly following = new Map<string, () => void>()

  constructor(private readonly engine: Engine) {}

  look(definition: Definition): void {
    const { metadata, spec } = definition
    const name = metadata.name ?? ''
    this.stop(name)
    const others = spec.versions.filter(
      (version) => version.served && version.name !== storageVersionOf(definition),
    )
    if (spec.conversion?.strategy !== 'Webhook' || others.length === 0) return
    const { group, names } = spec
    this.follow(name, customStoragePrefix(group, names.plural), (written) => {
      for (const version of others) {
        const conversion = this.engine.resources.find(group, version.name, names.plural)?.conversion
        // Watches report errors of their own conversions.
        conversion?.prepare([written], 'missing').catch(() => undefined)
      }
    })
  }

  stop(name: string): void {
    this.following.get(name)?.()
    this.following.delete(name)
  }

  stopAll(): void {
    for (const name of [...this.following.keys()]) this.stop(name)
  }

  private follow(name: string, prefix: string, notify: (written: StoredObject) => void): void {
    const { storage } = this.engine
    const watcher = storage.watch(prefix, storage.currentRevision(), {
      event: ({ current }) => notify(current),
      end: (reason) => {
        if (reason === 'gone' && this.following.has(name))
          queueMicrotask(() => this.following.has(name) && this.follow(name, prefix, notify))
      },
    })
    this.following.set(name, () => watcher.stop())
  }
}
