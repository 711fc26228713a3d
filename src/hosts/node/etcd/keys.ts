/**
 * Keys in etcd. Objects have kube-apiserver's keys, `PREFIX/GROUP/RESOURCE/NAMESPACE/NAME`; others
 * are below `PREFIX/~/`. One watch of the prefix delivers everything, and clusters can share an
 * etcd by prefixes.
 */
import { endOf } from '../../../engine/storage/visible'

const OBJECTS = '/registry'
const OTHERS = '/~'
const OWN = `${OTHERS}/etcd`

export const COMPACTION_KEY = 'compact_rev_key'

export class Keys {
  private readonly prefix: string
  readonly everything: { key: string; end: string }
  /** Every transaction writes its id and author here. */
  readonly latest: string
  private readonly requests: string
  private readonly fences: string

  /** @param prefix `--etcd-prefix`, such as `/registry` */
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

  /** The first etcd key after all keys of an engine's prefix. */
  endOf(prefix: string): string {
    return prefix === `${OBJECTS}/` ? `${this.prefix}${OTHERS}` : endOf(this.of(prefix))
  }

  /** The engine's key; undefined for a bookkeeping key. */
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

  /** Compared by all transactions of a host. Writing it makes pending ones fail. */
  fenceOf(host: string): string {
    return this.fences + host
  }

  /** Deleted with the history: keys of requests and fences. */
  forgettable(): { key: string; end: string }[] {
    return [this.requests, this.fences].map((key) => ({ key, end: endOf(key) }))
  }
}
