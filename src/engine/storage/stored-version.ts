/** May still be JSON text: get and list need only that, so most loaded objects are never parsed. */
import type { KubeObject } from '../core/object'
import type { StoredObject } from './storage'

export class StoredVersion implements StoredObject {
  encoded: Map<string, Uint8Array> | undefined = undefined
  lastAccess = 0

  constructor(
    readonly key: string,
    private source: KubeObject | string,
    readonly revision: number,
    readonly createRevision: number,
  ) {}

  get object(): KubeObject {
    if (typeof this.source === 'string') this.source = JSON.parse(this.source) as KubeObject
    return this.source
  }

  get text(): string | undefined {
    return typeof this.source === 'string' ? this.source : undefined
  }
}
