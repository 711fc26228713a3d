/**
 * Where things lie in etcd. Objects lie as kube-apiserver lays them: `PREFIX/GROUP/RESOURCE/NAMESPACE/NAME`. What is no object of the
 * API lies below `PREFIX/~/`, behind all of them, so that one watch on the prefix sees everything and several clusters can share one
 * etcd under prefixes of their own.
 */
import { endOf } from '../../../engine/storage/visible'

const OBJECTS = '/registry'
const OTHERS = '/~'
const OWN = `${OTHERS}/etcd`

/** Of the whole etcd, as kube-apiserver has it: who may compact, and up to where it was done. */
export const COMPACTION_KEY = 'compact_rev_key'

export class Keys {
  private readonly prefix: string
  /** Every key of this cluster. */
  readonly everything: { key: string; end: string }
  /** Written by every transaction: when the last one was, and in whose name. */
  readonly latest: string
  private readonly requests: string
  private readonly fences: string

  /** @param prefix as `--etcd-prefix` has it: `/registry` */
  constructor(prefix: string) {
    this.prefix = `/${prefix.replace(/^\/+|\/+$/g, '')}`
    this.everything = { key: `${this.prefix}/`, end: `${this.prefix}0` }
    this.latest = `${this.prefix}${OWN}/latest`
    this.requests = `${this.prefix}${OWN}/requests/`
    this.fences = `${this.prefix}${OWN}/fences/`
  }

  /** Where an object lies, or the objects under a prefix. */
  of(key: string): string {
    return this.prefix + (key.startsWith(`${OBJECTS}/`) ? key.slice(OBJECTS.length) : OTHERS + key)
  }

  /** The first key behind everything under a prefix of the engine. */
  endOf(prefix: string): string {
    return prefix === `${OBJECTS}/` ? `${this.prefix}${OTHERS}` : endOf(this.of(prefix))
  }

  /** The engine's key; undefined: the store's own. */
  from(key: string): string | undefined {
    const rest = key.slice(this.prefix.length)
    if (rest.startsWith(`${OWN}/`)) return undefined
    return rest.startsWith(`${OTHERS}/`) ? rest.slice(OTHERS.length) : OBJECTS + rest
  }

  /** Reports that a request has been carried out. */
  ofRequest(id: string): string {
    return this.requests + id
  }

  requestOf(key: string): string | undefined {
    return key.startsWith(this.requests) ? key.slice(this.requests.length) : undefined
  }

  /** Each transaction of a host demands that this stands as it did: whoever writes it rejects those that are still under way. */
  fenceOf(host: string): string {
    return this.fences + host
  }

  /** What can be discarded with the history: keys of requests and of fences. */
  forgettable(): { key: string; end: string }[] {
    return [this.requests, this.fences].map((key) => ({ key, end: endOf(key) }))
  }
}
