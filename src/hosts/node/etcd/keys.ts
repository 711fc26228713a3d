/**
 * The layout of keys in etcd. Objects have the keys of kube-apiserver:
 * `PREFIX/GROUP/RESOURCE/NAMESPACE/NAME`.
 * All other keys are below `PREFIX/~/`, after all objects. One watch of the prefix delivers
 * everything, and several clusters can share one etcd with different prefixes.
 */
import { endOf } from '../../../engine/storage/visible'

const OBJECTS = '/registry'
const OTHERS = '/~'
const OWN = `${OTHERS}/etcd`

/** kube-apiserver's key for the whole etcd; its value is the compacted revision. */
export const COMPACTION_KEY = 'compact_rev_key'

export class Keys {
  private readonly prefix: string
  readonly everything: { key: string; end: string }
  /** Every transaction writes this key with its own id and author. */
  readonly latest: string
  private readonly requests: string
  private readonly fences: string

  /** @param prefix the value of `--etcd-prefix`, such as `/registry` */
  constructor(prefix: string) {
    this.prefix = `/${prefix.replace(/^\/+|\/+$/g, '')}`
    this.everything = { key: `${this.prefix}/`, end: `${this.prefix}0` }
    this.latest = `${this.prefix}${OWN}/latest`
    this.requests = `${this.prefix}${OWN}/requests/`
    this.fences = `${this.prefix}${OWN}/fences/`
  }

  of(key: string): string {
    return this.prefix + (key.startsWith(`${OBJECTS}/`) ? key.slice(OBJECTS.length) : OTHERS + key)
  }

  /** The first etcd key after all keys under a prefix of the engine. */
  endOf(prefix: string): string {
    return prefix === `${OBJECTS}/` ? `${this.prefix}${OTHERS}` : endOf(this.of(prefix))
  }

  /** The engine's key of an etcd key; undefined for a bookkeeping key. */
  from(key: string): string | undefined {
    const rest = key.slice(this.prefix.length)
    if (rest.startsWith(`${OWN}/`)) return undefined
    return rest.startsWith(`${OTHERS}/`) ? rest.slice(OTHERS.length) : OBJECTS + rest
  }

  ofRequest(id: string): string {
    return this.requests + id
  }

  requestOf(key: string): string | undefined {
    return key.startsWith(this.requests) ? key.slice(this.requests.length) : undefined
  }

  /**
   * The fence of a host, which each of its transactions compares. Writing it makes pending
   * transactions fail.
   */
  fenceOf(host: string): string {
    return this.fences + host
  }

  /** Ranges that can be deleted with the history: keys of requests and fences. */
  forgettable(): { key: string; end: string }[] {
    return [this.requests, this.fences].map((key) => ({ key, end: endOf(key) }))
  }
}
